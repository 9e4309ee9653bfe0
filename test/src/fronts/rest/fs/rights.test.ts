import { describe, expect, test } from "bun:test";
import { fsCopies } from "#contract/fs/copies";
import { fs } from "#contract/fs/fs";
import { mounts } from "#contract/mounts";
import { type Permission, permissions } from "#contract/permissions";
import { makeKey } from "../../../../support/make-key.ts";
import { makeMount } from "../../../../support/make-mount.ts";
import { ask } from "../../../../support/share-file.ts";
import { acts } from "../../../../support/tree/acts.ts";
import { openTreeHouse, type TreeCalls, type Who } from "../../../../support/tree/tree-house.ts";

/** Who may do what to the tree, and where. */

const FILE = "/m/in/deep/a.txt";

/** What each act comes to, the deleting one last. */
async function outcomes(tree: TreeCalls, path: string, who: Who): Promise<Record<string, string>> {
  const said: Record<string, string> = {};
  for (const [name, act] of Object.entries(acts)) said[name] = await act.run(tree, path, who);
  return said;
}

const expected = (one: (right: Permission, also?: Permission, credential?: true) => string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(acts).map(([name, { right, also, credential }]) => [name, one(right, also, credential)]),
  );

describe("rights", () => {
  test.each(permissions)("of a key that may %s and nothing else", async (right) => {
    await using tree = await openTreeHouse();
    await tree.put(FILE);
    const who = await tree.holder("/", right);
    expect(await outcomes(tree, FILE, who)).toEqual(
      expected((needed, also) => (needed === right && also === undefined ? "ok" : "auth.forbidden")),
    );
  });

  test("of a key that may copy and upload: it may end what it has carried", async () => {
    await using tree = await openTreeHouse();
    await tree.put(FILE);
    const who = await tree.holder("/", "mount_view", "mount_copy", "mount_upload");
    expect(await acts["copy commit"]?.run(tree, FILE, who)).toBe("ok");
  });

  test("of whoever has none", async () => {
    await using tree = await openTreeHouse();
    await tree.put(FILE);
    expect(await outcomes(tree, FILE, {})).toEqual(expected(() => "auth.required"));
    await makeKey(tree.house, { is_guest: true, permissions: ["mount_view"] });
    expect(await outcomes(tree, FILE, {})).toEqual(
      expected((needed, _also, credential) => (needed === "mount_view" && !credential ? "ok" : "auth.required")),
    );
  });
});

describe("base paths", () => {
  const rows: readonly (readonly [string, "ok" | "path.forbidden" | "mount.none"])[] = [
    ["/", "ok"],
    ["/m", "ok"],
    ["/m/in", "ok"],
    ["/m/in/deep", "ok"],
    ["/m/in/deep/a.txt", "path.forbidden"],
    ["/m/in/dee", "path.forbidden"],
    ["/m/in/deeper", "path.forbidden"],
    ["/m/none", "path.forbidden"],
    ["/n", "path.forbidden"],
    ["/none", "path.forbidden"],
    ["/m/in/deep/below", "path.forbidden"],
  ];

  test.each(rows)("%s: %s", async (base, said) => {
    await using tree = await openTreeHouse();
    await tree.second();
    await tree.put(FILE, "/m/in/deeper/x", "/n/in/deep/a.txt");
    const who = await tree.holder(base);
    const met = await outcomes(tree, FILE, who);
    const wanted: Record<string, string> = expected(() => said);
    // Folders that lead to what a key may act on can be listed, and searched for what is there.
    if (base.startsWith("/m/in/deep/")) Object.assign(wanted, { list: "ok", search: "ok" });
    // What is the base path itself may be touched, what is beside it not.
    if (base === FILE) for (const name of onTheFileItself) wanted[name] = "ok";
    expect(met).toEqual(wanted);
  });

  /** Acts that touch nothing but the file. */
  const onTheFileItself = [
    ...["get", "download", "zip", "file-link", "create-share", "update", "commit", "multipart/parts"],
    ...["multipart/complete", "multipart/abort", "copy commit", "count-shares", "batch-remove"],
  ];

  test("neither end of a copy or a rename may lie outside, and nothing moves", async () => {
    await using tree = await openTreeHouse();
    await tree.second();
    await tree.put("/m/in/a", "/m/out/b", "/n/c");
    const who = await tree.holder("/m/in");
    const ways = [
      ["/m/in/a", "/m/out/a"],
      ["/m/out/b", "/m/in/b"],
      ["/m/in/a", "/n/a"],
      ["/n/c", "/m/in/c"],
      ["/m", "/m/in/m"],
      ["/m/in/a", "/m"],
      ["/m/in/a", "/m/inside"],
    ] as const;
    for (const [from, to] of ways) {
      const items = [{ sourcePath: from, targetPath: to }];
      const copied = await tree.call(fsCopies.batchCopy, { body: { items } }, who);
      expect(copied.data).toMatchObject({ success: 0, failed: 1, details: [{ error: "path.forbidden" }] });
      const renamed = await tree.outcome(fs.rename, { body: { oldPath: from, newPath: to } }, who);
      expect(renamed).toBe("403 path.forbidden");
    }
    expect([await tree.names("/m"), await tree.names("/m/in"), await tree.names("/n")]).toEqual(["in/ out/", "a", "c"]);
  });

  test("ancestors show the one branch, and nothing tells of what is beside it", async () => {
    await using tree = await openTreeHouse();
    await tree.second({ name: "Hidden mount", mount_path: "/hidden" });
    await tree.put("/m/in/deep/mine.txt", "/m/hidden.txt", "/m/in/hidden.txt", "/m/in/hidden folder/hidden.txt");
    await tree.put("/hidden/hidden.txt");
    const who = await tree.holder("/m/in/deep");
    expect([await tree.names("/", who), await tree.names("/m", who), await tree.names("/m/in", who)]).toEqual([
      ...["m/", "in/", "deep/"],
    ]);
    expect(await tree.names("/m/in/deep", who)).toBe("mine.txt");
    for (const path of ["/hidden", "/m/hidden.txt", "/m/in/hidden folder", "/m/in/hidden.txt", "/none"])
      expect([path, await tree.names(path, who)]).toEqual([path, "path.forbidden"]);
    const hiddenMount = (await tree.list("/hidden")).data.mount_id;
    const asked = [
      ...["/", "/m", "/m/in", "/m/in/deep", "/hidden", "/none"].flatMap((path) => [
        { q: "hidden", scope: "directory" as const, path },
        { q: "hidden", scope: "mount" as const, path },
      ]),
      { q: "hidden" },
      { q: "hidden", scope: "mount" as const, mount_id: hiddenMount },
      { q: "mine", scope: "mount" as const, mount_id: (await tree.list("/m")).data.mount_id },
    ];
    for (const query of asked) {
      const { data } = await tree.call(fs.search, { query }, who);
      expect((data?.results ?? []).map(({ path }) => path)).toEqual(query.q === "mine" ? ["/m/in/deep/mine.txt"] : []);
      expect(data?.total ?? 0).toBe(query.q === "mine" ? 1 : 0);
    }
    const copied = await tree.call(
      fsCopies.batchCopy,
      { body: { items: [{ sourcePath: "/m/in/deep/mine.txt", targetPath: "/hidden/mine.txt" }] } },
      who,
    );
    expect(copied.data).toMatchObject({ crossStorage: false, success: 0, failed: 1 });
  });

  test("keys see no mount that is inactive or whose storage is not for them", async () => {
    await using tree = await openTreeHouse();
    await makeMount(tree.house, { name: "Off", mount_path: "/off", is_active: false });
    await tree.second({ mount_path: "/private" }, { is_public: false });
    await tree.put("/private/found.txt", "/m/found.txt");
    const who = await tree.holder("/");
    expect([await tree.names("/"), await tree.names("/", who)]).toEqual(["m/ private/", "m/"]);
    for (const path of ["/private/found.txt", "/off/found.txt"]) {
      const said = await outcomes(tree, path, who);
      expect(Object.entries(said).filter(([, one]) => one === "ok")).toEqual(
        // Neither is anything found nor is there an upload that one could have.
        [["search", "ok"], ...["parts", "complete", "abort"].map((name) => [`multipart/${name}`, "ok"])] as never,
      );
    }
    const found = await tree.call(fs.search, { query: { q: "found" } }, who);
    expect(found.data.results.map(({ path }) => path)).toEqual(["/m/found.txt"]);
    expect(await tree.text("/private/found.txt")).toBe("/private/found.txt");
  });

  test("a base path is the folder whose letters are written apart, and everything goes into that one", async () => {
    await using tree = await openTreeHouse();
    const [apart, composed] = ["cafe\u0301", "caf\u00e9"];
    tree.behindOurBack(`${apart}/o\u0308l/a.txt`, "a");
    for (const base of [`/m/${composed}`, `/m/${apart}`]) {
      const who = await tree.holder(base);
      expect(await tree.names("/m", who)).toBe(`${composed}/`);
      expect(await tree.names(`/m/${composed}`, who)).toBe("o\u0308l/");
      // One folder in one form and one in the other.
      expect(await tree.text(`/m/${apart}/\u00f6l/a.txt`, who)).toMatch(/^(a|update)$/);
      for (const name of Object.keys(acts).filter((name) => !["batch-remove", "commit"].includes(name)))
        expect([name, await acts[name]?.run(tree, `/m/${composed}/\u00f6l/a.txt`, who)]).toEqual([name, "ok"]);
      const found = await tree.call(fs.search, { query: { q: "a.txt" } }, who);
      expect(found.data.results.map(({ s3_key }) => s3_key)).toContain(`${apart}/o\u0308l/a.txt`);
    }
    expect([await tree.names("/m"), await tree.names(`/m/${apart}`)]).toEqual([`${apart}/`, "o\u0308l/"]);
  });

  test("a mount that goes takes its files out of everybody's sight", async () => {
    await using tree = await openTreeHouse();
    await tree.put(FILE);
    const { mount_id = "" } = (await tree.list("/m")).data;
    await ask(tree.house, mounts.update, { params: { id: mount_id }, body: { is_active: false } });
    expect([await tree.names("/"), await tree.names("/m"), await tree.text(FILE)]).toEqual([
      "",
      "mount.none",
      "mount.none",
    ]);
    expect((await tree.call(fs.search, { query: { q: "a.txt" } })).data.total).toBe(0);
  });
});
