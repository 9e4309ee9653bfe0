import { describe, expect, test } from "bun:test";
import { fsUploads as api } from "#contract/fs/uploads";
import { permissionBits } from "#contract/permissions";
import { makeKey, withKey } from "../../../../support/make-key.ts";
import { builtInStorage } from "../../../../support/make-mount.ts";
import { put, remains } from "../../../../support/share-file.ts";
import { openTreeHouse, type TreeCalls, type Who } from "../../../../support/tree/tree-house.ts";

/** How uploads into the tree end: by what has come, once, and for whoever sent it. */

const presign = async ({ call }: TreeCalls, fileName: string, fields: { who?: Who; fileSize?: number | null } = {}) => {
  const { who, fileSize = 5 } = fields;
  return (await call(api.presign, { body: { path: "/m", fileName, fileSize, contentType: "text/plain" } }, who)).data;
};

interface Claim {
  readonly fileId?: string;
  readonly etag?: string | null;
}

const commit = ({ outcome }: TreeCalls, name: string, claim: Claim, who?: Who) =>
  outcome(api.commit, { body: { targetPath: `/m/${name}`, ...claim } }, who);

const INCOMPLETE = "409 upload.incomplete";
const MISSING = "404 upload.missing";

describe("a commit", () => {
  test("of what never came leaves what is there and says so, although it is as long", async () => {
    await using tree = await openTreeHouse();
    const etag = await tree.write("/m/a", "old 5");
    const { fileId, presignedUrl } = await presign(tree, "a");
    expect(await commit(tree, "a", { fileId })).toBe(INCOMPLETE);
    expect(await commit(tree, "a", {})).toBe(INCOMPLETE);
    await put(tree.house, presignedUrl, "new 5");
    expect(await commit(tree, "a", { fileId, etag })).toBe("409 upload.etag");
    expect([await commit(tree, "a", { fileId }), await tree.text("/m/a")]).toEqual(["200", "new 5"]);
  });

  test("of an unknown upload is none, unless its sender knows what is there", async () => {
    await using tree = await openTreeHouse();
    const etag = await tree.write("/m/a", "there");
    expect(await commit(tree, "a", { fileId: "none" })).toBe(MISSING);
    expect(await commit(tree, "a", {})).toBe(MISSING);
    expect(await commit(tree, "a", { fileId: "none", etag: `x${etag}` })).toBe(MISSING);
    expect(await commit(tree, "a", { fileId: "none", etag: `"${etag}"` })).toBe("200");
  });

  test("that comes again ends nobody else's upload", async () => {
    await using tree = await openTreeHouse();
    const [one, two] = [await presign(tree, "a"), await presign(tree, "a")];
    await put(tree.house, one.presignedUrl, "first");
    for (const _ of ["once", "again"]) expect(await commit(tree, "a", { fileId: one.fileId })).toBe("200");
    expect((await put(tree.house, two.presignedUrl, "other")).status).toBe(200);
    expect([await commit(tree, "a", { fileId: two.fileId }), await tree.text("/m/a")]).toEqual(["200", "other"]);
  });

  test("without an id ends what its sender began, and no other's", async () => {
    await using tree = await openTreeHouse();
    const [one, two] = [await tree.holder("/m"), await tree.holder("/m")];
    const begun = await presign(tree, "a", { who: one });
    await put(tree.house, begun.presignedUrl, "first");
    expect(await commit(tree, "a", {}, two)).toBe(MISSING);
    for (const _ of ["once", "again"]) expect(await commit(tree, "a", {}, one)).toBe("200");
    expect((await remains(tree.house)).uploads).toBe(0);
  });

  test("of more than was declared is refused, and what is there stays", async () => {
    await using tree = await openTreeHouse();
    const { fileId } = await presign(tree, "a");
    tree.behindOurBack("a", "too long");
    expect(await commit(tree, "a", { fileId })).toBe("400 upload.length");
    expect(await tree.text("/m/a")).toBe("too long");
  });
});

describe("the end of an upload in parts", () => {
  const begin = async (tree: TreeCalls) => {
    const { data } = await tree.call(api.begin, { body: { path: "/m", fileName: "a", fileSize: 5 } });
    const sent = await put(tree.house, data.presignedUrls[0]?.url ?? "", "hello", "application/octet-stream");
    const etag = (sent.headers.get("etag") ?? "").replaceAll('"', "");
    return { path: "/m", fileName: "a", uploadId: data.uploadId, parts: [{ partNumber: 1, etag }] };
  };

  test("may be asked for again, at once and later", async () => {
    await using tree = await openTreeHouse();
    const body = await begin(tree);
    const ends = () => tree.outcome(api.complete, { body });
    expect(await Promise.all([ends(), ends(), ends()])).toEqual(["200", "200", "200"]);
    await tree.write("/m/a", "later");
    expect([await ends(), await tree.text("/m/a")]).toEqual(["200", "later"]);
    expect(await tree.outcome(api.complete, { body: { ...body, fileName: "b" } })).toBe(MISSING);
  });

  test.each(["nothing", "a file"])("was lost after the storage had it whole, in place of %s", async (there) => {
    await using tree = await openTreeHouse();
    if (there === "a file") await tree.write("/m/a", "old 5");
    const body = await begin(tree);
    const { store } = await tree.house.house.transfers.storage(await builtInStorage(tree.house));
    const parts = body.parts.map(({ partNumber, etag }) => ({ number: partNumber, etag }));
    await store.completeMultipart({ key: "a", upload: body.uploadId }, parts);
    expect([await tree.outcome(api.complete, { body }), await tree.text("/m/a")]).toEqual(["200", "hello"]);
    expect(await remains(tree.house)).toMatchObject({ uploads: 0, multiparts: 0 });
  });

  test("is none when the storage has lost the parts and what is there is the old file", async () => {
    await using tree = await openTreeHouse();
    await tree.write("/m/a", "old 5");
    const body = await begin(tree);
    const { store } = await tree.house.house.transfers.storage(await builtInStorage(tree.house));
    await store.abortMultipart({ key: "a", upload: body.uploadId });
    expect([await tree.outcome(api.complete, { body }), await tree.text("/m/a")]).toEqual([MISSING, "old 5"]);
  });
});

describe("a PUT to an address of the built-in storage", () => {
  test("is known to the tree at once, and counts once", async () => {
    await using tree = await openTreeHouse({ cache_ttl: 300 });
    await tree.write("/m/a", "old 5");
    const { presignedUrl } = await presign(tree, "a", { fileSize: 9 });
    await tree.list("/m");
    expect((await put(tree.house, presignedUrl, "nine byte")).status).toBe(200);
    expect((await tree.list("/m")).data.items[0]?.size).toBe(9);
    expect(await tree.house.house.transfers.storages()).toMatchObject([{ used: 9 }]);
  });

  test("of somebody who lost the key, or the right, or the path, changes nothing", async () => {
    await using tree = await openTreeHouse();
    await tree.write("/m/a", "old 5");
    const key = await makeKey(tree.house, {});
    const { presignedUrl } = await presign(tree, "a", { who: withKey(key) });
    const { keys } = tree.house.house.access;
    for (const change of [
      () => keys.update(key.id, { basic_path: "/m/elsewhere" }),
      () => keys.update(key.id, { basic_path: "/", permissions: permissionBits.mount_view }),
      () => keys.remove(key.id),
    ]) {
      await change();
      expect([(await put(tree.house, presignedUrl, "owned")).status, await tree.text("/m/a")]).toEqual([403, "old 5"]);
    }
  });

  test("waits for locks", async () => {
    await using tree = await openTreeHouse();
    await tree.write("/m/a", "old 5");
    const { presignedUrl } = await presign(tree, "a");
    tree.house.house.vfs.locks.acquire({
      path: "/m/a",
      deep: false,
      holder: "x",
      shared: false,
      owner: "",
      life: 60_000,
    });
    expect([(await put(tree.house, presignedUrl, "new 5")).status, await tree.text("/m/a")]).toEqual([409, "old 5"]);
    tree.house.clock.advance(60_000);
    expect([(await put(tree.house, presignedUrl, "new 5")).status, await tree.text("/m/a")]).toEqual([200, "new 5"]);
  });
});
