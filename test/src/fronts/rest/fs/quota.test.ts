import { describe, expect, test } from "bun:test";
import { fsCopies } from "#contract/fs/copies";
import { fs as api } from "#contract/fs/fs";
import { fsTrash } from "#contract/fs/trash";
import { fsUploads } from "#contract/fs/uploads";
import { settings } from "#contract/settings";
import { storage } from "#contract/storage";
import type { View } from "../../../../../src/vfs/view.ts";
import { END, FORM_TYPE, field, filePart } from "../../../../support/clients/form-body.ts";
import { slowBody } from "../../../../support/clients/slow-body.ts";
import { builtInStorage } from "../../../../support/make-mount.ts";
import { ask, put, shareFile } from "../../../../support/share-file.ts";
import { openTreeHouse, type TreeCalls } from "../../../../support/tree/tree-house.ts";

/** What a storage may hold, whichever way something comes into it. */

/** A house whose storage takes ten bytes. */
async function openSmall() {
  const tree = await openTreeHouse();
  const id = await builtInStorage(tree.house);
  const { error } = await ask(tree.house, storage.update, { params: { id }, body: { total_storage_bytes: 10 } });
  if (error) throw new Error(error);
  return tree;
}

const form = async ({ house, admin }: TreeCalls, name: string, content: string): Promise<string> => {
  const body = field("path", "/m") + filePart(content, `filename="${name}"`) + END;
  const response = await house.request("/api/fs/upload", {
    method: "POST",
    body,
    headers: { ...admin, "content-type": FORM_TYPE },
  });
  const { error } = (await response.json()) as { error?: string };
  return `${response.status}${error ? ` ${error}` : ""}`;
};

type Way = (tree: TreeCalls, name: string, content: string) => Promise<string>;

/** Ways to bring a file in; a copy is one of a file that is there, `/m/<bytes>`. */
const ways: Readonly<Record<string, Way>> = {
  update: ({ outcome }, name, content) => outcome(api.update, { body: { path: `/m/${name}`, content } }),
  form,
  async copy({ call }, name, content) {
    const items = [{ sourcePath: `/m/${content.length}`, targetPath: `/m/${name}` }];
    const { data } = await call(fsCopies.batchCopy, { body: { items, skipExisting: false } });
    return data.details[0]?.error ? `507 ${data.details[0].error}` : "200";
  },
  async presign(tree, name, content) {
    const body = { path: "/m", fileName: name, fileSize: content.length };
    const { data, status, error } = await tree.call(fsUploads.presign, { body });
    if (!data) return `${status} ${error}`;
    await put(tree.house, data.presignedUrl, content, data.contentType);
    return await tree.outcome(fsUploads.commit, { body: { targetPath: data.targetPath, fileId: data.fileId } });
  },
  "multipart/init": ({ outcome }, name, content) =>
    outcome(fsUploads.begin, { body: { path: "/m", fileName: name, fileSize: content.length } }),
};

for (const [name, way] of Object.entries(ways))
  describe(name, () => {
    test("takes the last byte and not one more", async () => {
      await using tree = await openSmall();
      await tree.write("/m/5", "12345");
      expect(await way(tree, "a", "12345")).toBe("200");
      expect(await ways.update?.(tree, "one", "1")).toBe("507 storage.full");
      expect(await form(tree, "one", "1")).toBe("507 storage.full");
      expect(await tree.outcome(fsUploads.presign, { body: { path: "/m", fileName: "one", fileSize: 1 } })).toBe(
        "507 storage.full",
      );
    });

    test("refuses what does not fit, and leaves nothing", async () => {
      await using tree = await openSmall();
      await tree.write("/m/6", "123456");
      expect(await way(tree, "a", "123456")).toBe("507 storage.full");
      expect(await tree.names("/m")).toBe("6");
    });

    test("writes over what makes room itself", async () => {
      await using tree = await openSmall();
      await tree.write("/m/4", "1234");
      await tree.write("/m/large", "123456");
      expect(await way(tree, "large", "9876")).toBe("200");
      expect(await tree.outcome(api.mkdir, { body: { path: "/m/folder" } })).toBe("200");
    });
  });

describe("room", () => {
  test("is free again when something goes, from the explorer or shared before", async () => {
    await using tree = await openSmall();
    const { slug } = await shareFile(tree.house, { filename: "shared", content: "1234567890" });
    expect(await ways.update?.(tree, "a", "1")).toBe("507 storage.full");
    await tree.call(api.batchRemove, { body: { paths: ["/m/shares/"] } });
    // What waits in the trash still takes its room.
    expect(await ways.update?.(tree, "a", "1")).toBe("507 storage.full");
    await tree.call(fsTrash.empty, {});
    expect(await ways.update?.(tree, "a", "1234567890")).toBe("200");
    expect((await tree.house.request(`/api/file-view/${slug}`)).status).toBe(410);
    await tree.call(api.batchRemove, { body: { paths: ["/m/a"], forever: true } });
    expect((await shareFile(tree.house, { content: "1234567890" })).size).toBe(10);
  });

  test("that an upload reserves is free again when it is given up", async () => {
    await using tree = await openSmall();
    const begun = await tree.call(fsUploads.begin, { body: { path: "/m", fileName: "a", fileSize: 10 } });
    expect(await ways.update?.(tree, "b", "1")).toBe("507 storage.full");
    await tree.call(fsUploads.abort, { body: { path: "/m/a", uploadId: begun.data.uploadId } });
    expect(await ways.update?.(tree, "b", "1")).toBe("200");
  });

  test("is not taken twice by renames, and what others wrote there counts", async () => {
    await using tree = await openSmall();
    await tree.write("/m/d/a", "1234567890");
    expect(await tree.outcome(api.rename, { body: { oldPath: "/m/d/", newPath: "/m/e/" } })).toBe("200");
    expect(await ways.update?.(tree, "b", "1")).toBe("507 storage.full");
    await tree.call(api.batchRemove, { body: { paths: ["/m/e/"], forever: true } });
    tree.behindOurBack("other", "1234567");
    await tree.list("/m", undefined, { refresh: "1" });
    // A listing is answered before it is in the index.
    await tree.house.house.vfs.search.settled();
    expect([await ways.update?.(tree, "b", "1234"), await ways.update?.(tree, "b", "123")]).toEqual([
      "507 storage.full",
      "200",
    ]);
  });

  test("of two that reserve the last bytes at once one gets them", async () => {
    await using tree = await openSmall();
    const fields = (fileName: string) =>
      tree.outcome(fsUploads.presign, { body: { path: "/m", fileName, fileSize: 6 } });
    expect((await Promise.all([fields("a"), fields("b"), fields("c")])).sort()).toEqual([
      "200",
      "507 storage.full",
      "507 storage.full",
    ]);
  });

  /** Without the entry point, so that they are sure to come at once. */
  const atOnce: Readonly<Record<string, (view: View, path: string) => Promise<unknown>>> = {
    "of a known length": async (view, path) => view.at(path).put({ body: new Response("1234"), length: 4 }),
    "of a length that nobody knows": (view, path) =>
      view.at(path).put({ body: new Response("1234"), length: undefined }),
    copied: async (view, path) => view.at("/m/4").copy(view.at(path), { overwrite: true }),
  };
  test.each(Object.entries(atOnce))("of those that come at once, %s, one gets the last bytes", async (_, write) => {
    await using tree = await openSmall();
    await tree.write("/m/4", "1234");
    const view = await tree.house.house.vfs.as({ kind: "admin", sessionId: null }, "mount");
    const said = await Promise.allSettled(["/m/a", "/m/b", "/m/c"].map((path) => write(view, path)));
    expect(said.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
  });

  test("of forms that come at once one gets the last bytes", async () => {
    await using tree = await openSmall();
    const said = await Promise.all(["a", "b", "c"].map((name) => form(tree, name, "123456")));
    expect(said.sort()).toEqual(["200", "507 storage.full", "507 storage.full"]);
  });

  test("of PUTs whose length nobody declared one gets the last bytes", async () => {
    await using tree = await openSmall();
    const begun = ["a", "b", "c"].map((fileName) => tree.call(fsUploads.presign, { body: { path: "/m", fileName } }));
    const puts = (await Promise.all(begun)).map(({ data }) =>
      put(tree.house, data.presignedUrl, "123456", data.contentType),
    );
    expect((await Promise.all(puts)).map(({ status }) => status).sort()).toEqual([200, 507, 507]);
  });

  test("is taken by a body that nobody knows the length of as it comes", async () => {
    await using tree = await openSmall();
    const view = await tree.house.house.vfs.as({ kind: "admin", sessionId: null }, "mount");
    const { body, begun, finish } = slowBody("12345", "67");
    const writing = view.at("/m/slow").put({ body: new Response(body), length: undefined });
    await begun;
    expect([await ways.update?.(tree, "a", "123456"), await ways.update?.(tree, "a", "123")]).toEqual([
      "507 storage.full",
      "200",
    ]);
    finish();
    expect((await writing).entry.size).toBe(7);
    expect(await ways.update?.(tree, "b", "1")).toBe("507 storage.full");
  });

  test("is counted for a file that replaces a shared one as it is now", async () => {
    await using tree = await openSmall();
    await shareFile(tree.house, { filename: "shared", content: "1234567890" });
    await tree.write("/m/shares/shared", "1");
    expect(await ways.update?.(tree, "a", "123456789")).toBe("200");
  });

  test("no file is larger than the largest upload, whichever way it comes", async () => {
    await using tree = await openTreeHouse();
    await ask(tree.house, settings.update, { params: { group: "1" }, body: { max_upload_size: 1 } });
    const content = "x".repeat(1024 * 1024 + 1);
    tree.behindOurBack(String(content.length), content);
    for (const [name, way] of Object.entries(ways)) {
      const said = await way(tree, "a", content);
      expect([name, said.replace(/^\d+ /, "")]).toEqual([name, "file.tooLarge"]);
    }
    expect(await tree.names("/m", undefined, { refresh: "1" })).toBe(String(content.length));
  });
});
