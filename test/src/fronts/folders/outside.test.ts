import { describe, expect, test } from "bun:test";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fs as api } from "#contract/fs/fs";
import { mounts } from "#contract/mounts";
import { ask } from "../../../support/share-file.ts";
import { openFolderHouse } from "../../../support/stores/folder-house.ts";
import { until } from "../../../support/until.ts";

/** What other programs change in a folder of the machine is seen without anybody listing it again, and without a walk. */

/** The inodes that this process watches (proc(5), fdinfo). */
function watchedInodes(): ReadonlySet<number> {
  const infos = readdirSync("/proc/self/fd").map((file) => {
    try {
      return readFileSync(`/proc/self/fdinfo/${file}`, "utf8");
    } catch {
      return "";
    }
  });
  return new Set(
    [...infos.join("").matchAll(/^inotify .*ino:([0-9a-f]+)/gm)].map(([, ino]) => parseInt(ino ?? "", 16)),
  );
}

const isWatched = (path: string): boolean => watchedInodes().has(statSync(path).ino);

async function open(options: Parameters<typeof openFolderHouse>[0] = {}) {
  const opened = await openFolderHouse(options);
  const { house, storage, call, names, root } = opened;
  const { search } = house.house.vfs;
  // From now on nothing is found but by lists.
  await search.build(storage.id);
  const place = readdirSync("/proc/self/fd").length > 0 && options.readOnly ? "/photos" : "/m";
  return {
    ...opened,
    search,
    path: (name: string) => join(root, name),
    at: (path: string) => `${place}${path}`,
    show: (path = "") => names(`${place}${path}`),
    find: async (q: string) => (await call(api.search, { query: { q } })).data.results.map(({ path }) => path).sort(),
  };
}

const is = (wanted: string) => (found: readonly string[]) => found.join(" ") === wanted;

describe("what another program does in a folder that was listed", () => {
  test("is found by a search: files that come, get another name and go", async () => {
    await using room = await open();
    await room.show();
    writeFileSync(room.path("holiday.txt"), "1");
    await until(() => room.find("holiday"), is("/m/holiday.txt"));
    renameSync(room.path("holiday.txt"), room.path("vacation.txt"));
    await until(() => room.find("vacation"), is("/m/vacation.txt"));
    expect(await room.find("holiday")).toEqual([]);
    const place = { storage: room.storage.id, key: "" };
    writeFileSync(room.path("vacation.txt"), "12345");
    await until(
      () => room.search.folder(place),
      (folder) => folder?.size === 5,
    );
    rmSync(room.path("vacation.txt"));
    await until(
      () => room.search.folder(place),
      (folder) => folder?.size === 0,
    );
  });

  test("is found in folders that came with it, however deep", async () => {
    await using room = await open();
    await room.show();
    mkdirSync(room.path("a/b/c"), { recursive: true });
    await until(
      () => room.find("deeper"),
      (found) => {
        writeFileSync(room.path("a/b/c/deeper.txt"), "1");
        return is("/m/a/b/c/deeper.txt")(found);
      },
    );
    rmSync(room.path("a"), { recursive: true });
    await until(
      () => room.search.folder({ storage: room.storage.id, key: "a/" }),
      (folder) => folder === undefined,
    );
  });

  test("is left to the next walk where more folders come than are looked into", async () => {
    await using room = await open();
    expect((await room.search.status(room.storage.id)).built_at).not.toBeNull();
    await room.show();
    for (let index = 0; index < 150; index += 1)
      mkdirSync(join(room.root, "many", `folder ${index}`), { recursive: true });
    await until(
      () => room.search.status(room.storage.id),
      ({ built_at }) => built_at === null,
    );
  });

  test("is found where the folder is another one by now", async () => {
    await using room = await open();
    mkdirSync(room.path("p/q"), { recursive: true });
    await room.show("/p/q");
    renameSync(room.path("p"), room.path("other"));
    mkdirSync(room.path("p/q"), { recursive: true });
    await room.show("/p/q");
    writeFileSync(room.path("p/q/second.txt"), "1");
    await until(() => room.find("second"), is("/m/p/q/second.txt"));
  });

  test("is found in a folder that may only be read", async () => {
    await using room = await open({ readOnly: true });
    const all = await ask(room.house, mounts.list, {});
    const path = all.data.find(({ storage_config_id }) => storage_config_id === room.storage.id)?.mount_path ?? "";
    await room.names(path);
    writeFileSync(room.path("read only.txt"), "1");
    await until(() => room.find("only"), is(`${path}/read only.txt`));
  });

  test("is told to whoever follows", async () => {
    await using room = await open();
    const told: string[] = [];
    const end = room.house.house.vfs.followOutside(({ key }) => void told.push(key));
    mkdirSync(room.path("inner"));
    await room.show("/inner");
    writeFileSync(room.path("inner/x"), "1");
    await until(
      () => told,
      (keys) => keys.includes("inner/"),
    );
    end();
    told.length = 0;
    await room.show("/inner");
    writeFileSync(room.path("inner/followed"), "1");
    await until(() => room.find("followed"), is("/m/inner/followed"));
    expect(told).toEqual([]);
  });
});

describe("watches", () => {
  test("are those of the folders that were listed last", async () => {
    await using room = await open();
    const folders = Array.from({ length: 210 }, (_, index) => `f${index}`);
    for (const folder of folders) mkdirSync(room.path(folder));
    for (const folder of folders) await room.show(`/${folder}`);
    const all = folders.filter((folder) => isWatched(room.path(folder)));
    expect(all).toEqual(folders.slice(-200));
    await room.show("/f10");
    await room.show("/f0");
    expect(isWatched(room.path("f10"))).toBe(true);
    expect(isWatched(room.path("f11"))).toBe(false);
  });

  test("end with the mount, and with the house", async () => {
    const root = await (async () => {
      await using room = await open();
      const { data } = await ask(room.house, mounts.list, {});
      const id = data.find(({ mount_path }) => mount_path === "/m")?.id ?? "";
      mkdirSync(room.path("inner"));
      await room.show();
      await room.show("/inner");
      expect([isWatched(room.root), isWatched(room.path("inner"))]).toEqual([true, true]);
      await ask(room.house, mounts.update, { params: { id }, body: { is_active: false } });
      await until(
        () => [room.root, room.path("inner")].filter(isWatched),
        (left) => left.length === 0,
      );
      await ask(room.house, mounts.update, { params: { id }, body: { is_active: true } });
      await room.show();
      expect(isWatched(room.root)).toBe(true);
      await ask(room.house, mounts.remove, { params: { id } });
      await until(
        () => isWatched(room.root),
        (watched) => !watched,
      );
      await ask(room.house, mounts.create, {
        body: { name: "P", storage_type: "S3", mount_path: "/m", storage_config_id: room.storage.id } as never,
      });
      await room.show();
      return { ino: statSync(room.root).ino, before: isWatched(room.root) };
    })();
    expect(root.before).toBe(true);
    expect(watchedInodes().has(root.ino)).toBe(false);
  });

  test("do not follow a link that took the place of a folder", async () => {
    await using room = await open();
    mkdirSync(room.path("inner"));
    const elsewhere = join(room.root, "..", "elsewhere");
    mkdirSync(elsewhere);
    rmSync(room.path("inner"), { recursive: true });
    symlinkSync(elsewhere, room.path("inner"));
    expect(await room.show("/inner")).toBe("path.missing");
    expect(isWatched(elsewhere)).toBe(false);
  });

  test("do not take what is half-written here for a change", async () => {
    await using room = await open();
    const told: string[] = [];
    room.house.house.vfs.followOutside(({ key }) => void told.push(key));
    mkdirSync(room.path("inner"));
    await room.show();
    // Nobody knew it.
    await until(
      () => told,
      (keys) => keys.includes("inner/"),
    );
    told.length = 0;
    // It waits at the root before it comes into its folder, so that a change there would be told first.
    await room.write("/m/inner/x", "1");
    await until(
      () => told,
      (keys) => keys.includes("inner/"),
    );
    expect(told).not.toContain("");
    expect(isWatched(room.root)).toBe(true);
  });
});
