import { describe, expect, test } from "bun:test";
import { type Permission, permissions } from "#contract/permissions";
import type { CommandContext } from "../../../web/features/explorer/commands/command-context.ts";
import { commands } from "../../../web/features/explorer/commands/commands.ts";
import { commandFor, shortcutName } from "../../../web/features/explorer/commands/keys.ts";
import type { Entry } from "../../../web/features/explorer/model/entry.ts";

const file: Entry = { name: "a.txt", path: "/drive/a.txt", isDirectory: false, type: 0, typeName: "text", size: 1 };
const folder: Entry = { name: "b", path: "/drive/b/", isDirectory: true, type: 1, typeName: "folder" };
const mount: Entry = { ...folder, name: "drive", path: "/drive/", isVirtual: true, mount_id: "m" };

const context = (held: readonly Permission[], part: Partial<CommandContext> = {}): CommandContext => ({
  folder: "/drive",
  base: "/",
  virtual: false,
  known: true,
  chosen: [],
  count: 3,
  touch: false,
  view: "list",
  may: (right) => held.includes(right),
  signedIn: true,
  mayDownload: true,
  byLink: false,
  clip: { verb: "copy", entries: [file], from: "/" },
  undoable: "mount_rename",
  ...part,
});
const offered = (now: CommandContext) =>
  commands
    .filter(({ allowed, about }) => allowed(now) && about === (now.chosen.length > 0 ? "selection" : "folder"))
    .map(({ id }) => id)
    .sort();
const always = ["choose", "selectAll", "shortcuts", "up"];

describe("what is offered with one right alone", () => {
  test.each<[Permission, string[], string[]]>([
    ["mount_view", [...always, "refresh", "search"], ["basket", "details", "download", "link", "preview", "share"]],
    ["mount_upload", [...always, "newFolder", "upload", "uploadFolder"], ["details", "preview"]],
    ["mount_copy", [...always, "paste"], ["copy", "copyTo", "details", "preview"]],
    ["mount_rename", [...always, "undo"], ["cut", "details", "moveTo", "preview", "rename"]],
    ["mount_delete", always, ["details", "preview", "remove"]],
    ["text", always, ["details", "preview"]],
  ])("%s", (right, inFolder, ofFile) => {
    expect(offered(context([right]))).toEqual(inFolder.toSorted());
    expect(offered(context([right], { chosen: [file] }))).toEqual(ofFile.toSorted());
  });
});

test("nothing is offered to whoever may nothing, not even the list of keys", () => {
  expect(offered(context([], { signedIn: false, clip: undefined, undoable: undefined }))).toEqual([
    "choose",
    "selectAll",
    "up",
  ]);
  expect(offered(context([], { byLink: true, clip: undefined }))).toContain("shortcuts");
});

test("keys are named as they are labelled: by words, on Apple's keyboards by signs", () => {
  const { userAgent } = navigator;
  const namesOn = (system: string) => {
    Object.defineProperty(navigator, "userAgent", { value: system, configurable: true });
    try {
      return [
        { key: "Enter" },
        { key: "Backspace" },
        { key: " ", mod: true },
        { key: "a", mod: true, shift: true },
      ].map(shortcutName);
    } finally {
      Object.defineProperty(navigator, "userAgent", { value: userAgent, configurable: true });
    }
  };
  const words = ["Enter", "Backspace", "Ctrl+Space", "Ctrl+Shift+A"];
  expect(namesOn("Mozilla/5.0 (Windows NT 10.0; Win64; x64)")).toEqual(words);
  expect(namesOn("Mozilla/5.0 (X11; Linux x86_64)")).toEqual(words);
  expect(namesOn("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)")).toEqual(["↵", "⌫", "⌘Space", "⌘⇧A"]);
});

test("the trash is offered to who is signed in and may delete what is seen", () => {
  const sees = (held: readonly Permission[], part: Partial<CommandContext> = {}) =>
    offered(context(held, part)).includes("trash");
  expect(sees(["mount_view", "mount_delete"])).toBe(true);
  expect([sees(["mount_delete"]), sees(["mount_view", "mount_upload"])]).toEqual([false, false]);
  expect(sees(["mount_view", "mount_delete"], { signedIn: false })).toBe(false);
});

test("a new text is offered to who may write and read it, and on no page of a link", () => {
  const makes = (held: readonly Permission[], part: Partial<CommandContext> = {}) =>
    offered(context(held, part)).includes("newFile");
  expect(makes(["mount_view", "mount_upload"])).toBe(true);
  expect([makes(["mount_upload"]), makes(["mount_view"])]).toEqual([false, false]);
  expect(makes(["mount_view", "mount_upload"], { byLink: true })).toBe(false);
});

describe("unpacking", () => {
  const offers = (name: string, part: Partial<CommandContext> = {}) =>
    offered(context(["mount_view", "mount_upload"], { chosen: [{ ...file, name }], ...part })).includes("unpack");

  test.each(["a.zip", "A.ZIP", "a.tar", "a.tar.gz", "a.tgz", "a.tar.zst", "notes.txt.gz"])("%s", (name) => {
    expect(offers(name)).toBe(true);
  });

  test("is no offer for other files, several, visitors, or without the rights for it", () => {
    for (const name of ["a.txt", "a.7z", "a.tar.xz", ".zip", "zip"]) expect(offers(name)).toBe(false);
    const archive = { ...file, name: "a.zip" };
    expect(offers("a.zip", { chosen: [archive, archive] })).toBe(false);
    expect(offers("a.zip", { signedIn: false })).toBe(false);
    for (const right of ["mount_view", "mount_upload"] as const)
      expect(offered(context([right], { chosen: [archive] }))).not.toContain("unpack");
  });
});

describe("where things stand", () => {
  test("a place that only leads to mounts takes nothing and gives nothing away", () => {
    const inFolder = offered(context(permissions, { virtual: true, folder: "/" }));
    expect(inFolder).not.toContain("upload");
    expect(inFolder).not.toContain("paste");
    expect(inFolder).not.toContain("up");
    expect(offered(context(permissions, { virtual: true, chosen: [mount] }))).toEqual(["details", "open", "openInTab"]);
  });

  test("several are renamed at once, and not linked directly", () => {
    const both = offered(context(permissions, { chosen: [file, folder] }));
    expect(both).toEqual([
      "basket",
      "copy",
      "copyTo",
      "cut",
      "details",
      "download",
      "moveTo",
      "remove",
      "rename",
      "share",
    ]);
  });

  test("a visitor shares one file, and nothing that takes a link of its own", () => {
    const visitor = { signedIn: false };
    expect(offered(context(permissions, { chosen: [file], ...visitor }))).toContain("share");
    for (const chosen of [[folder], [file, folder]])
      expect(offered(context(permissions, { chosen, ...visitor }))).not.toContain("share");
  });

  test("in the tree of a link there is only what its rights name", () => {
    const byLink = { folder: "/", byLink: true, signedIn: false, clip: undefined, undoable: undefined } as const;
    const looks = ["mount_view"] as const;
    expect(offered(context(looks, byLink))).toEqual(["choose", "downloadAll", "refresh", "selectAll", "shortcuts"]);
    expect(offered(context(looks, { ...byLink, chosen: [file] }))).toEqual(["details", "download", "preview"]);
    const closed = { ...byLink, mayDownload: false };
    expect(offered(context(looks, closed))).not.toContain("downloadAll");
    expect(offered(context(looks, { ...closed, chosen: [file] }))).toEqual(["details", "preview"]);
    const uploads = offered(context(["mount_view", "mount_upload"], byLink));
    expect(uploads).toEqual(expect.arrayContaining(["newFolder", "upload", "uploadFolder"]));
  });

  test("what was cut needs another right than what was copied", () => {
    const clip = { verb: "move", entries: [file], from: "/" } as const;
    expect(offered(context(["mount_copy"], { clip }))).not.toContain("paste");
    expect(offered(context(["mount_rename"], { clip }))).toContain("paste");
  });
});

describe("keys", () => {
  const press = (key: string, held: Partial<Record<"ctrlKey" | "metaKey" | "shiftKey" | "altKey", true>> = {}) => ({
    ...{ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false },
    ...held,
  });
  const now = context(permissions, { chosen: [file] });
  test.each([
    ["Enter", {}, "preview"],
    [" ", {}, "preview"],
    ["F2", {}, "rename"],
    ["Delete", {}, "remove"],
    ["c", { ctrlKey: true }, "copy"],
    ["C", { metaKey: true }, "copy"],
    ["x", { ctrlKey: true }, "cut"],
    ["v", { ctrlKey: true }, "paste"],
    ["z", { ctrlKey: true }, "undo"],
    ["a", { ctrlKey: true }, "selectAll"],
    ["k", { ctrlKey: true }, "search"],
    ["/", { shiftKey: true }, "search"],
    ["Backspace", {}, "up"],
    ["c", {}, undefined],
    ["Delete", { altKey: true }, undefined],
  ] as const)("%s %j is %s", (key, held, id) => {
    expect(commandFor(commands, press(key, held), now)?.id).toBe(id);
  });

  test("what is not allowed has no key either", () => {
    expect(commandFor(commands, press("Delete"), context(["mount_view"], { chosen: [file] }))).toBeUndefined();
  });

  test("every command has a name of its own", () => {
    expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length);
  });
});
