import { describe, expect, test } from "bun:test";
import { fs as api } from "#contract/fs/fs";
import { mounts } from "#contract/mounts";
import { storage as storages } from "#contract/storage";
import { makeMount } from "../../../../support/make-mount.ts";
import { ask } from "../../../../support/share-file.ts";
import { openTreeHouse, type TreeCalls } from "../../../../support/tree/tree-house.ts";

/** Mounts that a caller does not see, within one that it does. */

const hide = {
  "that is switched off": async (tree: TreeCalls) => {
    const { mount } = await tree.second({ mount_path: "/m/team" });
    await tree.put("/m/team/inner");
    await ask(tree.house, mounts.update, { params: { id: mount.id }, body: { is_active: false } });
  },
  "of a storage that keys may not use": async (tree: TreeCalls) => {
    const { storage } = await tree.second({ mount_path: "/m/team" });
    await tree.put("/m/team/inner");
    await ask(tree.house, storages.update, { params: { id: storage.id }, body: { is_public: false } });
  },
};

describe.each(Object.entries(hide))("a mount %s", (_, hidden) => {
  test("hides what lies behind it, and nothing is written there in its place", async () => {
    await using tree = await openTreeHouse();
    tree.behindOurBack("team/shadowed");
    await hidden(tree);
    const who = await tree.holder();
    expect(await tree.names("/m", who)).toBe("");
    expect(await tree.names("/m/team", who)).toBe("mount.none");
    expect(await tree.text("/m/team/shadowed", who)).toBe("mount.none");
    const write = { path: "/m/team/two", content: "x" };
    expect(await tree.outcome(api.update, { body: write }, who)).toBe("404 mount.none");
    expect(await tree.outcome(api.mkdir, { body: { path: "/m/team/" } }, who)).toBe("404 mount.none");
    const { data } = await tree.call(api.batchRemove, { body: { paths: ["/m/team"] } }, who);
    expect(data.failed).toMatchObject([{ error: "path.mount" }]);
    expect(tree.readOnDisk("team/shadowed")).toBe("team/shadowed");
  });

  test("is in no search of those who do not see it, nor is what it hides", async () => {
    await using tree = await openTreeHouse();
    await hidden(tree);
    tree.behindOurBack("team/shadowed inner");
    await tree.house.house.vfs.search.settled();
    const { data } = await tree.call(api.search, { query: { q: "inner" } }, await tree.holder());
    expect(data.results).toEqual([]);
  });

  test("keeps what leads to a mount within it", async () => {
    await using tree = await openTreeHouse();
    await hidden(tree);
    await makeMount(tree.house, { name: "Deep", mount_path: "/m/team/deep" });
    const who = await tree.holder();
    expect([await tree.names("/m", who), await tree.names("/m/team", who)]).toEqual(["team/", "deep/"]);
  });
});
