import { describe, expect, test } from "bun:test";
import { fsCopies as api } from "#contract/fs/copies";
import { fs } from "#contract/fs/fs";
import { settings } from "#contract/settings";
import { ask } from "../../../../support/share-file.ts";
import { carry, copy } from "../../../../support/tree/copies.ts";
import { openTreeHouse, type TreeCalls } from "../../../../support/tree/tree-house.ts";

/** Copies that get names of their own: those of what stays where it is, and those over files where the settings promise that none is replaced. */

/** Has copies over files get names of their own. */
const promiseSuffix = (tree: TreeCalls) =>
  ask(tree.house, settings.update, { params: { group: "1" }, body: { file_naming_strategy: "random_suffix" } });

describe("a copy to where its source is", () => {
  test("what is copied to where it is gets a name of its own", async () => {
    await using tree = await openTreeHouse();
    await tree.write("/m/a.txt", "kept");
    await tree.write("/m/d.e/f", "in it");
    for (const [from, to] of [
      ["/m/a.txt", "/m/a.txt"],
      ["/m/a.txt", "/m/"],
      ["/m/d.e/", "/m/d.e/"],
    ] as const)
      expect((await copy(tree, from, to)).data).toMatchObject({ success: 1, failed: 0 });
    expect(await tree.names("/m")).toBe("d.e(1)/ d.e/ a(1).txt a(2).txt a.txt");
    expect([await tree.text("/m/a(2).txt"), await tree.text("/m/d.e(1)/f")]).toEqual(["kept", "in it"]);
  });

  test("a name of its own is no longer than names may be", async () => {
    await using tree = await openTreeHouse();
    const [file, folder] = [`${"x".repeat(251)}.txt`, "文".repeat(85)];
    await tree.write(`/m/${file}`, "kept");
    await tree.write(`/m/${folder}/f`, "in it");
    for (const path of [`/m/${file}`, `/m/${folder}/`])
      expect((await copy(tree, path, path)).data).toMatchObject({ success: 1, failed: 0 });
    expect(await tree.text(`/m/${"x".repeat(248)}(1).txt`)).toBe("kept");
    expect(await tree.text(`/m/${"文".repeat(84)}(1)/f`)).toBe("in it");
  });
});

describe("where file_naming_strategy promises a suffix", () => {
  test("a copy over a file gets a name of its own, also below a folder; what is to be skipped is", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt", "/m/d/1", "/m/d/2");
    for (const [path, text] of [
      ["/m/b.txt", "old"],
      ["/m/e/1", "kept"],
    ] as const)
      await tree.write(path, text);
    expect(await promiseSuffix(tree)).toMatchObject({ status: 200 });
    expect((await copy(tree, "/m/a.txt", "/m/b.txt")).data).toMatchObject({ success: 0, skipped: 1 });
    expect((await copy(tree, "/m/a.txt", "/m/b.txt", false)).data).toMatchObject({ success: 1, failed: 0 });
    expect((await copy(tree, "/m/d/", "/m/e/", false)).data).toMatchObject({ success: 2, failed: 0 });
    expect(await tree.text("/m/b.txt")).toBe("old");
    const [suffixed = "", ...others] = (await tree.names("/m")).split(" ").filter((name) => name.startsWith("b-"));
    expect([others, await tree.text(`/m/${suffixed}`)]).toEqual([[], "/m/a.txt"]);
    expect(suffixed).toMatch(/^b-[0-9A-Za-z]{6}\.txt$/);
    expect([await tree.text("/m/e/1"), await tree.text("/m/e/2")]).toEqual(["kept", "/m/d/2"]);
    expect(await tree.names("/m/e")).toMatch(/^1 1-[0-9A-Za-z]{6} 2$/);
    expect((await copy(tree, "/m/a.txt", "/m/c.txt", false)).data).toMatchObject({ success: 1 });
    expect(await tree.text("/m/c.txt")).toBe("/m/a.txt");
  });

  test("a file that the caller copies to another storage says under which name it is to be committed", async () => {
    await using tree = await openTreeHouse();
    const { mount } = await tree.second();
    await tree.put("/m/a.txt", "/m/d/1");
    for (const path of ["/n/a.txt", "/n/d/1"]) await tree.write(path, "kept");
    await promiseSuffix(tree);
    const [file] = (await copy(tree, "/m/a.txt", "/n/a.txt", false)).data.crossStorageResults ?? [];
    expect(file).toMatchObject({ renamed: true, originalTarget: "/n/a.txt" });
    expect(file?.target).toMatch(/^\/n\/a-[0-9A-Za-z]{6}\.txt$/);
    expect(file?.target).toEndWith(`/${file?.fileName}`);
    expect(await carry(tree, file ?? {})).toEqual([200, 200]);
    const body = { targetMountId: mount.id, files: [{ targetPath: file?.target ?? "" }] };
    expect((await tree.call(api.batchCopyCommit, { body })).status).toBe(200);
    expect([await tree.text("/n/a.txt"), await tree.text(file?.target ?? "")]).toEqual(["kept", "/m/a.txt"]);
    const [folder] = (await copy(tree, "/m/d/", "/n/d/", false)).data.crossStorageResults ?? [];
    expect(folder?.items?.[0]?.fileName).toMatch(/^1-[0-9A-Za-z]{6}$/);
    expect(folder).toMatchObject({ renamed: false, target: "/n/d/" });
  });

  test("an upload still replaces the file", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt");
    await promiseSuffix(tree);
    await tree.call(fs.update, { body: { path: "/m/a.txt", content: "new" } });
    expect([await tree.names("/m"), await tree.text("/m/a.txt")]).toEqual(["a.txt", "new"]);
  });
});
