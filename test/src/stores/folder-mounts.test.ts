import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { STAGING } from "#contract/paths";
import { putText, streamed, textAt } from "../../suites/store-bodies.ts";
import { openFolderStore } from "../../support/stores/folder-store.ts";
import { mountAt, mountsHere } from "../../support/stores/mounted.ts";
import { until } from "../../support/until.ts";

const failure = (code: string) => ({ code });
const WRITES = `${STAGING}writes`;

/** A folder with a disk of a few MiB mounted in it, at `disk`. */
async function openWithDisk(size = "4m") {
  const folder = await openFolderStore();
  const disk = join(folder.root, "disk");
  mkdirSync(disk);
  const mounted = mountAt(disk, size);
  return {
    ...folder,
    disk,
    mounted,
    async [Symbol.asyncDispose]() {
      mounted[Symbol.dispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe.skipIf(!mountsHere)("a disk that is mounted within a folder", () => {
  test("is written to as the rest is, and nothing of ours stays on it", async () => {
    await using folder = await openWithDisk();
    const { store, root, disk, stores } = folder;
    await putText(store, "disk/one", "1");
    await putText(store, "disk/a/b/two", "2");
    await store.put("disk/stream", streamed(Buffer.from("3")), { type: "a/b" });
    await putText(store, "beside", "4");
    await store.copy("beside", "disk/copy");
    await store.copy("disk/copy", "back");
    await store.tree?.move("disk/a/", "disk/c/");
    await store.tree?.remove("disk/c/");
    const upload = await store.createMultipart("disk/parts", { type: "a/b" });
    const name = { key: "disk/parts", upload };
    const part = await store.putPart(name, 1, streamed(Buffer.from("parts")), { length: 5 });
    expect(readdirSync(disk)).toContain(WRITES);
    expect(readdirSync(root)).not.toContain(WRITES);
    await store.completeMultipart(name, [part]);
    expect(await textAt(store, "disk/parts")).toBe("parts");
    await stores.close();
    expect(readdirSync(root).sort()).toEqual(["back", "beside", "disk"]);
    expect(readdirSync(disk).sort()).toEqual(["copy", "one", "parts", "stream"]);
  });

  test("is no place to rename to from the rest, and cannot be renamed itself", async () => {
    await using folder = await openWithDisk();
    const { store, disk } = folder;
    await putText(store, "one", "1");
    await expect(store.tree?.move("one", "disk/one") ?? Promise.resolve()).rejects.toMatchObject(
      failure("path.conflict"),
    );
    await expect(store.tree?.move("disk/", "other/") ?? Promise.resolve()).rejects.toMatchObject(
      failure("path.conflict"),
    );
    expect([readdirSync(disk), await textAt(store, "one")]).toEqual([[], "1"]);
  });

  test("is full by itself", async () => {
    await using folder = await openWithDisk("64k");
    const { store, disk } = folder;
    const large = () => new Response("x".repeat(200_000));
    await expect(store.put("disk/large", large(), { type: "a/b", length: 200_000 })).rejects.toMatchObject(
      failure("storage.full"),
    );
    await store.put("large", large(), { type: "a/b", length: 200_000 });
    writeFileSync(join(disk, "whole"), "x".repeat(40_000));
    await expect(store.put("disk/more", streamed(Buffer.alloc(60_000)), { type: "a/b" })).rejects.toMatchObject(
      failure("storage.full"),
    );
    await expect(store.copy("large", "disk/copy")).rejects.toMatchObject(failure("storage.full"));
    expect(readdirSync(disk)).toEqual(["whole"]);
    expect(readFileSync(join(disk, "whole"), "utf8")).toHaveLength(40_000);
  });

  test("that turned read-only is read as before, and refuses what would change it", async () => {
    await using folder = await openWithDisk();
    const { store, disk } = folder;
    await putText(store, "disk/one", "1");
    Bun.spawnSync(["mount", "-o", "remount,ro", disk]);
    for (const act of [
      () => putText(store, "disk/two", "2"),
      () => store.remove(["disk/one"]),
      async () => await store.tree?.move("disk/one", "disk/two"),
    ])
      await expect(act()).rejects.toMatchObject(failure("storage.denied"));
    expect(await textAt(store, "disk/one")).toBe("1");
    expect((await store.list({ prefix: "disk/", limit: 10 })).objects.map(({ key }) => key)).toEqual(["disk/one"]);
    await putText(store, "beside", "3");
  });

  test("has what a killed process left on it removed at the next start", async () => {
    await using folder = await openWithDisk();
    const { disk, reopen } = folder;
    mkdirSync(join(disk, WRITES, "incoming", "a-removed-folder"), { recursive: true });
    writeFileSync(join(disk, WRITES, "incoming", "half"), "half");
    writeFileSync(join(disk, "whole"), "whole");
    const store = await reopen();
    expect((await store.list({ prefix: "", limit: 10 })).objects.map(({ key }) => key)).toEqual(["disk/whole"]);
    await until(
      () => existsSync(join(disk, WRITES)),
      (there) => !there,
    );
    expect(readdirSync(disk)).toEqual(["whole"]);
  });

  test("that is mounted later is written to, and the folder below it when it is gone", async () => {
    await using folder = await openFolderStore();
    const { store, root } = folder;
    mkdirSync(join(root, "disk"));
    await putText(store, "disk/below", "1");
    {
      using _mounted = mountAt(join(root, "disk"), "4m");
      expect(await store.head("disk/below")).toBeUndefined();
      await putText(store, "disk/on", "2");
      expect(readdirSync(join(root, "disk"))).toEqual(["on"]);
    }
    expect(await textAt(store, "disk/below")).toBe("1");
    await putText(store, "disk/more", "3");
    expect(readdirSync(join(root, "disk")).sort()).toEqual(["below", "more"]);
  });
});

test("whoever removes where files wait breaks no other write", async () => {
  await using folder = await openFolderStore();
  const { store, root } = folder;
  const upload = await store.createMultipart("parts", { type: "a/b" });
  const { promise: goOn, resolve: letGo } = Promise.withResolvers<void>();
  const body = new Response(
    new ReadableStream({
      async pull(controller) {
        await goOn;
        controller.enqueue(Buffer.from("late"));
        controller.close();
      },
    }),
  );
  const writing = store.put("late", body, { type: "a/b" });
  await until(
    () => existsSync(join(root, WRITES, "incoming")) && readdirSync(join(root, WRITES, "incoming")).length,
    (count) => count === 1,
  );
  // As `rsync --delete` does.
  Bun.spawnSync(["rm", "-rf", join(root, WRITES)]);
  letGo();
  await expect(writing).rejects.toMatchObject(failure("path.conflict"));
  await putText(store, "next", "x");
  expect(await textAt(store, "next")).toBe("x");
  await expect(
    store.putPart({ key: "parts", upload }, 1, streamed(Buffer.from("x")), { length: 1 }),
  ).rejects.toMatchObject(failure("upload.missing"));
  await store.abortMultipart({ key: "parts", upload });
  expect(readdirSync(root)).toEqual(["next"]);
});
