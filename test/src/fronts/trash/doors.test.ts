import { describe, expect, test } from "bun:test";
import { fsCopies } from "#contract/fs/copies";
import { fs as api } from "#contract/fs/fs";
import { fsJobs } from "#contract/fs/jobs";
import { fsTrash, type TrashItem } from "#contract/fs/trash";
import { mounts } from "#contract/mounts";
import { TRASH } from "#contract/paths";
import { storage } from "#contract/storage";
import { discard, itemsOf, pathsIn, restore } from "../../../suites/trash.ts";
import { davCalls } from "../../../support/clients/dav.ts";
import { s3Calls } from "../../../support/clients/s3.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { ask } from "../../../support/share-file.ts";
import { openTreeHouse, type TreeCalls } from "../../../support/tree/tree-house.ts";

/** Every door that deletes, and who may do what with what is in the trash. */

const mountOf = async ({ house }: TreeCalls) => {
  const { data } = await ask(house, mounts.list, {});
  return data.find(({ mount_path }) => mount_path === "/m")?.id ?? "";
};

/** S3 calls of a key at the objects of /m. */
async function s3Of(tree: TreeCalls) {
  const s3 = s3Calls(tree.house, await makeKey(tree.house));
  const bucket = await mountOf(tree);
  return { ...s3, at: (key: string) => `/${bucket}/${key}` };
}

const deleteAll = (...keys: readonly string[]): string =>
  `<Delete>${keys.map((key) => `<Object><Key>${key}</Key></Object>`).join("")}</Delete>`;

describe("what goes to the trash", () => {
  test("is what WebDAV deletes, files and folders", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a", "/m/d/b");
    const { send } = davCalls(tree.house);
    expect([(await send("DELETE", "/m/a")).status, (await send("DELETE", "/m/d/")).status]).toEqual([204, 204]);
    expect([await tree.names("/m"), await pathsIn(tree)]).toEqual(["", "/m/d/ /m/a"]);
    expect((await itemsOf(tree)).map(({ size, files }) => [size, files])).toEqual([
      [6, 1],
      [4, 1],
    ]);
    expect(
      await restore(
        tree,
        (await itemsOf(tree)).map(({ id }) => id),
      ),
    ).toBe("/m/d /m/a");
    expect(await tree.text("/m/d/b")).toBe("/m/d/b");
  });

  test("is what S3 deletes, one key and several; one that is not there is no failure", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a", "/m/d/b", "/m/d/c", "/m/stays");
    const s3 = await s3Of(tree);
    expect((await s3.send("DELETE", s3.at("a"))).status).toBe(204);
    expect((await s3.send("DELETE", s3.at("a"))).status).toBe(204);
    const body = deleteAll("d/b", "d/c", "none", `${TRASH}x`);
    const md5 = new Bun.CryptoHasher("md5").update(body).digest("base64");
    const answer = await s3.send("POST", s3.at(""), { query: { delete: "" }, body, headers: { "content-md5": md5 } });
    expect(answer.status).toBe(200);
    expect(answer.text.match(/<Deleted>/g)).toHaveLength(3);
    expect((await pathsIn(tree)).split(" ").sort()).toEqual(["/m/a", "/m/d/b", "/m/d/c"]);
    // To S3 the folder was never there.
    expect(await tree.names("/m")).toBe("stays");
  });

  test("is what a job deletes", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a", "/m/d/b", "/m/d/c");
    const tasks = [
      { kind: "delete", source: "/m/a" },
      { kind: "delete", source: "/m/d/" },
    ] as const;
    const { data } = await tree.call(fsJobs.create, { body: { tasks: [...tasks] } });
    const ended = async () => (await ask(tree.house, fsJobs.read, { params: { id: data.id } })).data;
    while ((await ended()).finished_at === null) await new Promise(setImmediate);
    expect(await ended()).toMatchObject({ state: "completed", done_files: 3, failed_files: 0 });
    expect((await pathsIn(tree)).split(" ").sort()).toEqual(["/m/a", "/m/d/"]);
  });

  test("is nothing that is replaced, moved or copied over", async () => {
    await using tree = await openTreeHouse();
    await tree.second();
    await tree.put("/m/a", "/m/b", "/m/c", "/n/d");
    const { send } = davCalls(tree.house);
    await tree.write("/m/a", "anew");
    const over = (to: string) => ({ headers: { destination: `http://satchel.test/dav${to}`, overwrite: "T" } });
    expect((await send("MOVE", "/m/b", over("/m/a"))).status).toBe(204);
    expect((await send("COPY", "/m/c", over("/m/a"))).status).toBe(204);
    expect((await send("MOVE", "/m/c", over("/n/d"))).status).toBe(204);
    const items = [{ sourcePath: "/n/d", targetPath: "/m/a" }];
    await tree.call(fsCopies.batchCopy, { body: { items, skipExisting: false } });
    expect([await tree.names("/m"), await pathsIn(tree)]).toEqual(["a", ""]);
  });
});

test("no door opens what is there, or makes such a name", async () => {
  await using tree = await openTreeHouse();
  await tree.put("/m/secret", "/m/seen");
  const [id] = await discard(tree, ["/m/secret"]);
  const key = `${TRASH}${id}`;
  const dav = davCalls(tree.house);
  const s3 = await s3Of(tree);
  const answers = {
    get: (await dav.send("GET", `/m/${key}`)).status,
    find: (await dav.send("PROPFIND", `/m/${TRASH}`, { headers: { depth: "1" } })).status,
    put: (await dav.send("PUT", `/m/${key}`, { body: "x" })).status,
    make: (await dav.send("MKCOL", `/m/${TRASH}new`)).status,
    s3Get: (await s3.send("GET", s3.at(key))).status,
    s3Put: (await s3.put(s3.at(key), "x")).status,
    publicly: (await tree.house.request(`/api/p/m/${key}`)).ok,
  };
  expect(answers).toEqual({ get: 400, find: 400, put: 400, make: 400, s3Get: 400, s3Put: 400, publicly: false });
  const listed = await s3.send("GET", s3.at("").slice(0, -1), { query: { "list-type": "2", prefix: TRASH } });
  expect(listed.text).not.toContain(id ?? "-");
  const all = await dav.send("PROPFIND", "/m/", { headers: { depth: "1" } });
  expect([all.text.includes("seen"), all.text.includes("satchel-staging")]).toEqual([true, false]);
  const zip = await tree.house.request("/api/fs/zip?paths=/m", { headers: tree.admin });
  expect((await zip.text()).includes("satchel-staging")).toBe(false);
});

describe("each key", () => {
  test("sees, restores and deletes what it has deleted itself, the administrator everything", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a", "/m/b", "/m/c");
    const [one, other] = [await tree.holder(), await tree.holder()];
    const [a] = await discard(tree, ["/m/a"], one);
    const [b] = await discard(tree, ["/m/b"], other);
    const [c] = await discard(tree, ["/m/c"]);
    const ids = [a ?? "", b ?? "", c ?? ""];
    expect([await pathsIn(tree, one), await pathsIn(tree, other), await pathsIn(tree)]).toEqual([
      "/m/a",
      "/m/b",
      "/m/c /m/b /m/a",
    ]);
    expect(await restore(tree, ids.slice(1), one)).toBe("trash.missing");
    expect(await tree.outcome(fsTrash.remove, { body: { ids: ids.slice(1) } }, one)).toBe("404 trash.missing");
    expect((await tree.call(fsTrash.empty, {}, one)).data).toEqual({ success: 1 });
    expect([await pathsIn(tree, one), await pathsIn(tree)]).toEqual(["", "/m/c /m/b"]);
    expect(await restore(tree, ids.slice(1))).toBe("/m/b /m/c");
  });

  test("does so below its base path only, and with the rights of that moment", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/in/a", "/m/in/b", "/m/out/c");
    const key = await makeKey(tree.house, { basic_path: "/m" });
    const who = withKey(key);
    const ids = await discard(tree, ["/m/in/a", "/m/in/b", "/m/out/c"], who);
    const change = async (fields: object) =>
      await tree.house.request(`/api/admin/api-keys/${key.id}`, {
        method: "PUT",
        headers: tree.admin,
        body: JSON.stringify(fields),
      });
    await change({ basic_path: "/m/in" });
    expect(await pathsIn(tree, who)).toBe("/m/in/b /m/in/a");
    expect(await restore(tree, ids.slice(2), who)).toBe("trash.missing");
    expect(await restore(tree, ids.slice(0, 1), who)).toBe("/m/in/a");
    await change({ permissions: 1 << 8 });
    const denied = { restore: "403 auth.forbidden", remove: "403 auth.forbidden", empty: "403 auth.forbidden" };
    expect({
      restore: await tree.outcome(fsTrash.restore, { body: { ids } }, who),
      remove: await tree.outcome(fsTrash.remove, { body: { ids } }, who),
      empty: await tree.outcome(fsTrash.empty, {}, who),
    }).toEqual(denied);
    expect(await pathsIn(tree)).toBe("/m/out/c /m/in/b");
  });

  test("neither restores nor removes what is in a storage that it does not see any more", async () => {
    await using tree = await openTreeHouse();
    await tree.second();
    await tree.put("/n/a");
    const who = await tree.holder();
    const ids = await discard(tree, ["/n/a"], who);
    const { data } = await ask(tree.house, mounts.list, {});
    const id = data.find(({ mount_path }) => mount_path === "/n")?.id ?? "";
    await ask(tree.house, mounts.update, { params: { id }, body: { is_active: false } });
    expect(await pathsIn(tree, who)).toBe("");
    expect(await tree.outcome(fsTrash.remove, { body: { ids } }, who)).toBe("404 trash.missing");
    expect(await restore(tree, ids, who)).toBe("trash.missing");
    await ask(tree.house, mounts.update, { params: { id }, body: { is_active: true } });
    expect(await restore(tree, ids, who)).toBe("/n/a");
  });

  test("gets pages, whose ends nobody can make up", async () => {
    await using tree = await openTreeHouse();
    const paths = ["a", "b", "c", "d", "e"].map((name) => `/m/${name}`);
    await tree.put(...paths);
    await discard(tree, paths);
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: Record<string, string> = { limit: "2", ...(cursor !== "" && { cursor }) };
      const { data }: { data: { items: TrashItem[]; next_cursor: string | null } } = await tree.call(fsTrash.list, {
        query: query as never,
      });
      seen.push(...data.items.map(({ path }) => path));
      cursor = data.next_cursor;
    }
    expect(seen).toEqual(paths.toReversed());
    for (const nonsense of ["x", "1.x", "1", `${"9".repeat(20)}.${crypto.randomUUID()}`])
      expect(await tree.outcome(fsTrash.list, { query: { cursor: nonsense } as never })).toBe("400 cursor.invalid");
  });
});

describe("restoring", () => {
  test("finds another mount of the storage where its own is gone, and none where there is none", async () => {
    await using tree = await openTreeHouse();
    await tree.second();
    await tree.put("/n/d/a", "/n/b");
    const ids = await discard(tree, ["/n/d/a", "/n/b"]);
    const { data } = await ask(tree.house, mounts.list, {});
    const second = data.find(({ mount_path }) => mount_path === "/n");
    await ask(tree.house, mounts.remove, { params: { id: second?.id ?? "" } });
    expect(await restore(tree, ids)).toBe("mount.none");
    const again = { name: "Again", storage_type: "S3", storage_config_id: second?.storage_config_id ?? "" } as const;
    await ask(tree.house, mounts.create, { body: { ...again, mount_path: "/again" } });
    expect(await restore(tree, ids)).toBe("/again/d/a /again/b");
  });

  test("twice at once brings it back once", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a");
    const ids = await discard(tree, ["/m/a"]);
    const said = await Promise.all([restore(tree, ids), restore(tree, ids), restore(tree, ids)]);
    expect(said.sort()).toEqual(["/m/a", "trash.missing", "trash.missing"]);
    expect(await tree.names("/m")).toBe("a");
  });

  test("and deleting for ever at once leaves one of both", async () => {
    await using tree = await openTreeHouse();
    for (let round = 0; round < 5; round++) {
      await tree.put("/m/a");
      const ids = await discard(tree, ["/m/a"]);
      const [restored, removed] = await Promise.all([
        restore(tree, ids),
        tree.outcome(fsTrash.remove, { body: { ids } }),
      ]);
      const names = await tree.names("/m");
      expect(["/m/a", "trash.missing"]).toContain(restored);
      expect({ restored, names }).toEqual({ restored, names: restored === "/m/a" ? "a" : "" });
      expect(["200", "404 trash.missing"]).toContain(removed);
      await tree.call(api.batchRemove, { body: { paths: ["/m/a"], forever: true } });
    }
    expect(await pathsIn(tree)).toBe("");
  });

  test("where a file is now in place of a folder above says so, and it stays in the trash", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/d/a");
    const ids = await discard(tree, ["/m/d/a"]);
    await discard(tree, ["/m/d/"]);
    await tree.put("/m/d");
    expect(await restore(tree, ids)).toBe("path.conflict");
    expect((await pathsIn(tree)).split(" ")).toContain("/m/d/a");
  });

  test("what somebody has removed from the trash behind our back is missing, and no longer shown", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a");
    const ids = await discard(tree, ["/m/a"]);
    await Bun.file(tree.onDisk(`${TRASH}${ids[0]}`)).delete();
    expect(await restore(tree, ids)).toBe("trash.missing");
    expect(await pathsIn(tree)).toBe("");
  });
});

test("a storage with something in its trash stays, and goes when that has gone", async () => {
  await using tree = await openTreeHouse();
  await tree.second();
  await tree.put("/n/a");
  await discard(tree, ["/n/a"]);
  const { data } = await ask(tree.house, mounts.list, {});
  const { id = "", storage_config_id = "" } = data.find(({ mount_path }) => mount_path === "/n") ?? {};
  await ask(tree.house, mounts.remove, { params: { id } });
  const refused = await ask(tree.house, storage.remove, { params: { id: storage_config_id } });
  expect([refused.error, refused.message]).toEqual(["storage.inUse", expect.stringContaining("trash: 1")]);
  expect((await tree.call(fsTrash.empty, {})).data).toEqual({ success: 1 });
  expect((await ask(tree.house, storage.remove, { params: { id: storage_config_id } })).status).toBe(200);
});

test("what does not fit into the trash stays, and can be deleted for ever", async () => {
  await using tree = await openTreeHouse();
  const name = "n".repeat(250);
  const path = `/m/d/${name}/${name}/${name}/${name}`;
  await tree.put(path);
  const remove = (forever: boolean) => tree.call(api.batchRemove, { body: { paths: ["/m/d/"], forever } });
  expect(await remove(false)).toMatchObject({ status: 409, error: "trash.unfit" });
  expect([await tree.text(path), await pathsIn(tree)]).toEqual([path, ""]);
  expect((await remove(true)).data).toMatchObject({ success: 1, trashed: [] });
  expect(await tree.names("/m")).toBe("");
});

test("deleting the version that somebody means does not put another one into the trash", async () => {
  await using tree = await openTreeHouse();
  await tree.put("/m/a");
  const { send } = davCalls(tree.house);
  expect((await send("DELETE", "/m/a", { headers: { "if-match": '"other"' } })).status).toBe(412);
  expect([await tree.names("/m"), await pathsIn(tree)]).toEqual(["a", ""]);
});
