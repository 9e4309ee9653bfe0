import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { noFolders } from "../../../src/lib/named-folders.ts";
import { responseOf } from "../../../src/lib/open-file.ts";
import { createReach } from "../../../src/stores/folder/reach.ts";
import type { ObjectStore } from "../../../src/stores/store.ts";
import { streamed } from "../../suites/store-bodies.ts";
import { openFolderStore } from "../../support/stores/folder-store.ts";

/** A folder with `dir/file`, `dir/empty/` and `beside`, and another outside with the same names. */
async function openWithLink() {
  const folder = await openFolderStore();
  const { root, outside } = folder;
  const secret = join(outside, "secret");
  for (const place of [join(root, "dir"), secret]) {
    mkdirSync(join(place, "empty"), { recursive: true });
    writeFileSync(join(place, "file"), place === secret ? "not yours" : "ours");
  }
  writeFileSync(join(root, "beside"), "beside");
  return {
    ...folder,
    secret,
    /** Puts a link to the folder outside in the place of `dir`, as another process may do between any two steps. */
    swap: async () => {
      renameSync(join(root, "dir"), join(root, "aside"));
      symlinkSync(secret, join(root, "dir"));
    },
  };
}

type Swap = () => Promise<void>;
type Act = (store: ObjectStore, beforeCommit: Swap) => Promise<unknown>;

const type = "a/b";
const complete: Act = async (store, beforeCommit) => {
  const name = { key: "dir/parts", upload: await store.createMultipart("dir/parts", { type }) };
  const part = await store.putPart(name, 1, streamed(Buffer.from("x")), { length: 1 });
  return await store.completeMultipart(name, [part], { beforeCommit });
};

/** Every verb that has looked at the folder when the link takes its place, right before its effect. */
const acts: Readonly<Record<string, Act>> = {
  "writes a file": (store, beforeCommit) => store.put("dir/new", streamed(Buffer.from("x")), { type, beforeCommit }),
  "replaces a file": (store, beforeCommit) => store.put("dir/file", streamed(Buffer.from("x")), { type, beforeCommit }),
  "writes a file in a new folder": (store, beforeCommit) =>
    store.put("dir/a/b/new", streamed(Buffer.from("x")), { type, beforeCommit }),
  "makes a folder": (store, beforeCommit) =>
    store.put("dir/folder/", new Response(""), { type, length: 0, beforeCommit }),
  "makes a file of parts": complete,
  "copies to it": (store, beforeCommit) => store.copy("beside", "dir/copy", { beforeCommit }),
  "moves a file to it": async (store, beforeCommit) => store.tree?.move("beside", "dir/moved", { beforeCommit }),
  "moves a file from it": async (store, beforeCommit) => store.tree?.move("dir/file", "moved", { beforeCommit }),
  "moves a folder from it": async (store, beforeCommit) => store.tree?.move("dir/empty/", "moved/", { beforeCommit }),
  "removes a file": (store, beforeCommit) => store.remove(["dir/file"], { beforeCommit }),
  "removes a folder": async (store, beforeCommit) => store.tree?.remove("dir/empty/", beforeCommit),
  "removes an empty folder": async (store, beforeCommit) => store.tree?.removeEmpty("dir/empty/", beforeCommit),
};

describe("a link that takes the place of a folder", () => {
  test.each(Object.entries(acts))("leads nowhere for what %s", async (_, act) => {
    await using folder = await openWithLink();
    const { store, secret, swap } = folder;
    let swaps = 0;
    const beforeCommit = async () => {
      swaps += 1;
      await swap();
    };
    await act(store, beforeCommit).catch(() => undefined);
    expect(swaps).toBe(1);
    expect(readdirSync(secret).sort()).toEqual(["empty", "file"]);
    expect(readFileSync(join(secret, "file"), "utf8")).toBe("not yours");
  });

  test("leads nowhere for a file that was found and is read now", async () => {
    await using folder = await openWithLink();
    const { store, swap } = folder;
    const found = await store.get("dir/file");
    await swap();
    await expect(responseOf(found?.body).text()).rejects.toThrow();
  });

  test("leads nowhere on any way that files are reached", async () => {
    await using folder = await openWithLink();
    const { root, secret, swap } = folder;
    await swap();
    const reach = createReach(root, noFolders.modes);
    const [dir, file] = [join(root, "dir"), join(root, "dir/file")];
    const used: unknown[] = [];
    const use = (path: unknown) => used.push(path);
    for (const ask of [
      () => reach.folder(dir, use),
      () => reach.entry(file, use),
      () => reach.file(file, use),
      () => reach.makeFolders(join(dir, "new")),
    ])
      expect(ask).toThrow();
    // The link itself has a name, which is looked at without following it.
    expect(reach.entry(dir, () => "its name")).toBe("its name");
    expect(() => reach.file(dir, use)).toThrow();
    expect(used).toEqual([]);
    expect(readdirSync(secret).sort()).toEqual(["empty", "file"]);
  });
});
