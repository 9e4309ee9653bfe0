import { describe, expect, test } from "bun:test";
import { Failure } from "#contract/failures";
import { ALL_PERMISSIONS } from "#contract/permissions";
import type { Caller } from "../../../src/access/principal.ts";
import { type Layout, layoutOf, outermost } from "../../../src/vfs/layout.ts";
import type { ShownMountRow } from "../../../src/vfs/mounts-table.ts";

const mount = (path: string, storage = path): ShownMountRow => ({ id: path, path, storage }) as ShownMountRow;

const admin: Caller = { kind: "admin", sessionId: null };
const key = (basePath: string) => ({ kind: "key", basePath, permissions: ALL_PERMISSIONS }) as Caller;

const tree = [mount("/m"), mount("/m/x/y"), mount("/m/x"), mount("/team/caf\u00e9"), mount("/mm")];

const of = (caller: Caller = admin): Layout => layoutOf(caller, tree);

const codeOf = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
};

describe("where a path leads", () => {
  test.each([
    ["/", undefined, "", true],
    ["/m", "/m", "", false],
    ["/m/", "/m", "", true],
    ["//m///a//", "/m", "a", true],
    ["/m/a/b.txt", "/m", "a/b.txt", false],
    ["/m/x/a", "/m/x", "a", false],
    ["/m/x/y", "/m/x/y", "", false],
    ["/m/xy", "/m", "xy", false],
    ["/mm/a", "/mm", "a", false],
    ["/mmm/a", undefined, "", false],
    ["/team", undefined, "", false],
    ["/team/cafe\u0301/e\u0301", "/team/caf\u00e9", "e\u0301", false],
    ["/M/a", undefined, "", false],
  ])("%j", (path, at, below, folder) => {
    const location = of().location(path);
    expect([location.mount?.path, location.key, location.folder]).toEqual([at, below, folder]);
  });

  test.each(["", "m", "./m", "/m/..", "/m/.", "/m/a\\b", "/m/a\u0000", "/m/a\n", "/m/\udc00", `/${"a".repeat(2000)}`])(
    "%j is none",
    (path) => expect(codeOf(() => of().location(path))).toBe("path.invalid"),
  );
});

describe("what a folder shows because it leads to mounts", () => {
  test.each([
    ["/", "m mm team"],
    ["/team", "caf\u00e9"],
    ["/m", "x"],
    ["/m/x", "y"],
    ["/m/x/y", ""],
    ["/none", ""],
  ])("%s: %s", (path, names) => {
    const layout = of();
    const children = layout.children(layout.location(path));
    expect([...children.keys()].sort().join(" ")).toBe(names);
    expect(layout.leadsOn(layout.location(path))).toBe(names !== "");
  });

  test.each([
    ["/", "/m/x/z", "m"],
    ["/m", "/m/x/z", "x"],
    ["/m/x", "/m/x/z", "z"],
    ["/m/x/z", "/m/x/z", undefined],
    ["/m/x/z/a", "/m/x/z", undefined],
    ["/m/x/zz", "/m/x/z", "path.forbidden"],
    ["/mm", "/m/x/z", "path.forbidden"],
    ["/none", "/m/x/z", "path.forbidden"],
    ["/team/cafe\u0301", "/team/caf\u00e9/in", "in"],
    ["/", "/", undefined],
  ])("%s leads a key of %s on to %p", (path, base, name) => {
    const layout = of(key(base));
    expect(codeOf(() => layout.branch(layout.location(path)))).toBe(name);
  });
});

describe("the parts of storages that a folder consists of", () => {
  const spans = (path: string, caller?: Caller) => {
    const layout = of(caller);
    return layout
      .spans(layout.location(path))
      .map(({ mount: { path }, folder, except }) => [path, folder, ...except].join("|"));
  };
  test.each([
    ["/", ["/m||x/|x/y/", "/m/x||y/", "/m/x/y|", "/mm|", "/team/caf\u00e9|"]],
    ["/m", ["/m||x/|x/y/", "/m/x||y/", "/m/x/y|"]],
    ["/m/a", ["/m|a/"]],
    ["/m/x", ["/m/x||y/", "/m/x/y|"]],
    ["/team", ["/team/caf\u00e9|"]],
    ["/none", []],
  ])("%s", (path, wanted) => expect(spans(path)).toEqual(wanted));

  test("none that a key may not act on", () => {
    expect(spans("/m/x", key("/m/x"))).toEqual(["/m/x||y/", "/m/x/y|"]);
    expect(spans("/m/x/y", key("/m/x/y/in"))).toEqual(["/m/x/y|"]);
  });
});

describe("of parts of storages those that no other one holds", () => {
  const span = (storage: string, folder: string, ...except: string[]) => ({
    mount: mount("/m", storage),
    folder,
    except,
  });
  const words = (spans: ReturnType<typeof span>[]) =>
    outermost(spans).map(({ mount: { storage }, folder, except }) => [storage, folder, ...except].join("|"));

  test.each([
    ["a folder in one that is searched", [span("s", "a/"), span("s", "a/b/"), span("s", "a/b/c/")], ["s|a/"]],
    ["in whatever order they come", [span("s", "a/b/"), span("s", "c/"), span("s", "a/")], ["s|c/", "s|a/"]],
    ["a name that begins alike", [span("s", "a/"), span("s", "a b/"), span("s", "ab/")], ["s|a/", "s|a b/", "s|ab/"]],
    ["another storage", [span("s", ""), span("t", ""), span("t", "a/")], ["s|", "t|"]],
    ["the same folder twice", [span("s", "a/", "x/"), span("s", "a/"), span("s", "a/")], ["s|a/"]],
    ["what another one leaves out", [span("s", "", "a/"), span("s", "a/"), span("s", "a/b/")], ["s||a/", "s|a/"]],
    ["nothing", [], []],
  ])("%s", (_, spans, wanted) => expect(words(spans)).toEqual(wanted));

  test("hold all that the others hold", () => {
    const folders = ["", "a/", "a/b/", "a/b/c/", "a b/", "b/", "b/a/", "\u00e9/", "e\u0301/"];
    const all = ["s", "t"].flatMap((storage) =>
      folders.flatMap((folder) => (folder === "" ? [span(storage, folder, "a/b/")] : [span(storage, folder)])),
    );
    for (let left = 0; left < all.length; left++) {
      const spans = all.filter((_, index) => index % (left + 1) !== left);
      const kept = outermost(spans);
      for (const one of spans) {
        const isKept = kept.some(
          ({ mount: { storage }, folder, except }) =>
            storage === one.mount.storage &&
            one.folder.startsWith(folder) &&
            (except.length === 0 || folder === one.folder),
        );
        expect([one.mount.storage, one.folder, isKept]).toEqual([one.mount.storage, one.folder, true]);
      }
    }
  });
});
