import { expect, test } from "bun:test";
import { typeOfName } from "../../src/lib/mime.ts";
import type { ListRequest, ObjectStore } from "../../src/stores/store.ts";
import type { OpenedStore, OpenStore, StoreTraits } from "./store.ts";
import { putText } from "./store-bodies.ts";

/** In the order of their bytes, which is neither that of UTF-16 nor that of a file system. */
const keys = [
  "A",
  "a b",
  "a.",
  "a.b/x",
  "a/",
  "a0/b/c",
  "b.txt",
  "b/a.txt",
  "b/a/1",
  "b/a/2",
  "b/b",
  "z/deep/er/still",
  "é",
  "文件/一",
  "\uff5e wide",
  "😀/x",
];

async function filled(open: OpenStore): Promise<OpenedStore> {
  const opened = await open();
  // Not in their order, so that no order of creation passes for it.
  for (const key of [...keys].reverse()) await putText(opened.store, key, key.endsWith("/") ? "" : key);
  return opened;
}

const entriesOf = async (store: ObjectStore, request: ListRequest): Promise<string[]> => {
  const { objects, folders } = await store.list(request);
  return [...objects.map(({ key }) => key), ...folders.map((folder) => `[${folder}]`)];
};

/** Everything that a request asks for, page by page. */
async function paged(store: ObjectStore, request: ListRequest) {
  const objects: string[] = [];
  const folders: string[] = [];
  let after = request.after;
  // No list here has so many pages: one that never ends fails instead of hanging.
  for (let page = 0; page < 50; page++) {
    const answer = await store.list({ ...request, after });
    expect(answer.objects.length + answer.folders.length).toBeLessThanOrEqual(request.limit);
    objects.push(...answer.objects.map(({ key }) => key));
    folders.push(...answer.folders);
    if (answer.next === undefined) return { objects, folders };
    expect(answer.objects.length + answer.folders.length).toBe(request.limit);
    after = answer.next;
  }
  throw new Error("The list has no end.");
}

/** Lists: prefixes, folders, pages and their order. */
export function listTests(open: OpenStore, { listsTypes }: StoreTraits): void {
  test("everything, in the order of UTF-8 bytes", async () => {
    await using opened = await filled(open);
    const page = await opened.store.list({ prefix: "", limit: 1000 });
    expect(page.objects.map(({ key }) => key)).toEqual(keys);
    expect(page).toMatchObject({ folders: [], next: undefined });
  });

  test("each entry of a list is what head says", async () => {
    await using opened = await filled(open);
    const { objects } = await opened.store.list({ prefix: "b", limit: 1000 });
    expect(objects.length).toBeGreaterThan(2);
    for (const object of objects) {
      const head = await opened.store.head(object.key);
      expect(object).toEqual({ ...object, ...head, ...(!listsTypes && { type: typeOfName(object.key) }) });
    }
  });

  test.each([
    ["b/a", ["b/a.txt", "b/a/1", "b/a/2"]],
    ["b/a/", ["b/a/1", "b/a/2"]],
    ["b/a/1", ["b/a/1"]],
    ["b/a/11", []],
    ["b.txtual", []],
    ["a0/b/", ["a0/b/c"]],
    ["a0/", ["a0/b/c"]],
    ["z/deep/er/s", ["z/deep/er/still"]],
    ["文", ["文件/一"]],
    ["nothing", []],
    ["nothing/at/all", []],
    ["b/b/", []],
    ["/", []],
    ["b//", []],
  ])("the prefix %p", async (prefix, expected) => {
    await using opened = await filled(open);
    expect(await entriesOf(opened.store, { prefix, limit: 1000 })).toEqual(expected);
  });

  test.each([
    [
      "",
      ["A", "a b", "a.", "b.txt", "é", "\uff5e wide", "[a.b/]", "[a/]", "[a0/]", "[b/]", "[z/]", "[文件/]", "[😀/]"],
    ],
    ["b", ["b.txt", "[b/]"]],
    ["b/", ["b/a.txt", "b/b", "[b/a/]"]],
    ["b/a", ["b/a.txt", "[b/a/]"]],
    ["b/a/", ["b/a/1", "b/a/2"]],
    ["z/", ["[z/deep/]"]],
    ["a/", ["a/"]],
    ["nothing", []],
  ])("folders below the prefix %p", async (prefix, expected) => {
    await using opened = await filled(open);
    const entries = await entriesOf(opened.store, { prefix, delimiter: "/", limit: 1000 });
    expect(entries).toEqual(expected);
  });

  test.each([
    ["", undefined],
    ["", "/"],
    ["b", undefined],
    ["b/", "/"],
  ] as const)("pages of any size together are the list below %p, delimiter %p", async (prefix, delimiter) => {
    await using opened = await filled(open);
    const { objects, folders } = await opened.store.list({ prefix, delimiter, limit: 1000 });
    const all = { objects: objects.map(({ key }) => key), folders };
    for (const limit of [1, 2, 3, 5, 1000])
      expect(await paged(opened.store, { prefix, delimiter, limit })).toEqual(all);
  });

  test("folders and objects of one page are the next ones of both together", async () => {
    await using opened = await filled(open);
    const first = await opened.store.list({ prefix: "", delimiter: "/", limit: 4 });
    expect(first.objects.map(({ key }) => key)).toEqual(["A", "a b", "a."]);
    expect(first.folders).toEqual(["a.b/"]);
    expect(first.next).toBe("a.b/");
    const second = await opened.store.list({ prefix: "", delimiter: "/", limit: 2, after: first.next });
    expect(second).toMatchObject({ objects: [], folders: ["a/", "a0/"], next: "a0/" });
  });

  test("a list goes on after any key, whether it is there or not", async () => {
    await using opened = await filled(open);
    for (const after of [...keys, "", "a/x", "b/a/", "b/a/11", "b/c", "zz", "😀😀"]) {
      const rest = keys.filter((key) => Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0);
      expect(await entriesOf(opened.store, { prefix: "", after, limit: 1000 })).toEqual(rest);
    }
  });

  test("a page that ends where the list ends has no next one", async () => {
    await using opened = await filled(open);
    const page = await opened.store.list({ prefix: "", limit: keys.length });
    expect(page.objects.length).toBe(keys.length);
    expect(page.next).toBeUndefined();
  });

  test("an empty store has an empty list", async () => {
    await using opened = await open();
    const empty = { objects: [], folders: [], next: undefined };
    expect(await opened.store.list({ prefix: "", limit: 10 })).toEqual(empty);
    expect(await opened.store.list({ prefix: "", delimiter: "/", limit: 10 })).toEqual(empty);
  });
}
