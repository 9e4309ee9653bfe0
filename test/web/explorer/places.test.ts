import { describe, expect, test } from "bun:test";
import { foldersTo, pathToAncestor } from "../../../web/features/explorer/bar/ancestors.ts";
import { windowOf } from "../../../web/features/explorer/folder/row-window.ts";
import { layOut, within } from "../../../web/features/explorer/gallery/masonry.ts";
import { addressOf, folderAt } from "../../../web/features/explorer/model/address.ts";
import { createPreferences, usual } from "../../../web/features/explorer/model/preferences.ts";
import { createUndo } from "../../../web/features/explorer/model/undo.ts";
import { gather } from "../../../web/features/explorer/upload/gather.ts";
import { noteOrigin } from "../../../web/lib/file-origin.ts";
import { createKeyValue } from "../../../web/lib/storage.ts";
import { fitting, moved, transformOf, turned, zoomed } from "../../../web/ui/lightbox/pose.ts";

describe("addresses", () => {
  test.each(["/", "/drive", "/drive/a b", "/drive/100%", "/drive/#?+&", "/drive/文档/🎉"])(
    "%s is found again",
    (folder) => {
      expect(folderAt(new URL(addressOf(folder), "http://x").pathname)).toBe(folder);
    },
  );

  test("name a file with any letters", () => {
    const url = new URL(addressOf("/drive", "a&b=#?.txt"), "http://x");
    expect(url.searchParams.get("preview")).toBe("a&b=#?.txt");
  });

  test.each(["/mount-explorer/%", "/mount-explorer/a/%2e%2e/b", "/mount-explorer/%00"])(
    "%s names no folder",
    (address) => {
      expect(folderAt(address)).toBeUndefined();
    },
  );
});

test("whoever comes back up finds the folder that was left", () => {
  expect(pathToAncestor("/drive", "/drive/a/b")).toBe("/drive/a/");
  expect(pathToAncestor("/", "/drive")).toBe("/drive/");
  expect(pathToAncestor("/drive", "/drive")).toBeUndefined();
  expect(pathToAncestor("/drive", "/driveway")).toBeUndefined();
  expect(pathToAncestor("/drive/a", "/drive")).toBeUndefined();
});

describe("a window on many rows", () => {
  test("draws what is seen and a little beyond", () => {
    const { from, to } = windowOf({ top: 400_000, height: 400 }, 40, 100_000);
    expect([from, to]).toEqual([9992, 10_018]);
  });

  test("ends with the rows", () => {
    expect(windowOf({ top: 0, height: 400 }, 40, 3)).toEqual({ from: 0, to: 3 });
    expect(windowOf({ top: 4000, height: 400 }, 40, 3)).toEqual({ from: 3, to: 3 });
  });
});

describe("the gallery", () => {
  const settings = { columns: 2, across: 10, down: 20 };
  test("puts each picture where most room is", () => {
    const { tiles, height } = layOut([1, 0.5, 0.5, undefined], 210, settings);
    expect(tiles.map(({ left, top }) => [left, top])).toEqual([
      [0, 0],
      [110, 0],
      [110, 70],
      [0, 120],
    ]);
    expect(height).toBe(215);
  });

  test("draws only what is near the window", () => {
    const { tiles } = layOut(
      Array.from({ length: 1000 }, () => 1),
      210,
      settings,
    );
    expect(within(tiles, 1200, 1300).map(({ index }) => index)).toEqual([20, 21]);
  });
});

describe("the pose of a picture", () => {
  test("never leaves its bounds, and snaps to the whole picture", () => {
    expect(zoomed(fitting, 100).scale).toBe(8);
    expect(zoomed(fitting, 0.01).scale).toBe(0.65);
    expect(zoomed({ ...fitting, scale: 2, x: 50, y: 9 }, 0.51)).toEqual(fitting);
  });

  test("keeps under the finger what was there", () => {
    const { x, y } = zoomed(fitting, 2, { x: 100, y: -50 });
    expect([x, y]).toEqual([-100, 50]);
  });

  test("moves as far as the picture reaches", () => {
    const room = { width: 100, height: 100 };
    expect(moved({ ...fitting, scale: 2 }, { x: 80, y: -10 }, room)).toEqual({ ...fitting, scale: 2, x: 50, y: -10 });
    expect(moved(fitting, { x: 80, y: 80 }, room)).toEqual(fitting);
  });

  test("a turned one is made to fit", () => {
    expect(transformOf(turned(fitting), 0.5)).toBe("translate(0px, 0px) scale(0.5) rotate(90deg) scaleX(1)");
  });
});

describe("choices", () => {
  test("are remembered, and nonsense is not", () => {
    const storage = createKeyValue(() => localStorage);
    createPreferences(storage).change({ view: "gallery", sort: { field: "size", down: true }, details: true });
    expect(createPreferences(storage).get()).toEqual({
      ...usual,
      view: "gallery",
      sort: { field: "size", down: true },
      details: true,
    });
    for (const nonsense of [
      "{",
      "[]",
      "null",
      '{"view":"x","sort":{"field":"y"},"gallery":{"columns":9,"across":-1},"mode":7,"details":1}',
    ]) {
      localStorage.setItem("explorer", nonsense);
      expect(createPreferences(storage).get()).toEqual(usual);
    }
  });
});

describe("taking back", () => {
  const step = [{ from: "/a", to: "/b" }];
  test("turns the last step round, once", () => {
    const undo = createUndo();
    undo.note(step);
    undo.note([]);
    expect(undo.take()).toEqual([{ from: "/b", to: "/a" }]);
    expect(undo.take()).toEqual([]);
  });

  test("a step that was taken back by its own button is not taken back again", () => {
    const undo = createUndo();
    undo.note(step);
    expect(undo.take(step)).toHaveLength(1);
    expect(undo.take(step)).toEqual([]);
  });
});

test("files of a dropped folder go into folders of the same names", () => {
  const lone = new File(["x"], "lone.txt");
  const deep = noteOrigin(new File(["x"], "deep.txt"), "/album/2026/deep.txt");
  const bad = new File(["x"], "a\\b");
  const { byFolder, misnamed } = gather([lone, deep, bad], "/drive");
  expect([...byFolder].map(([folder, files]) => [folder, files.map(({ name }) => name)])).toEqual([
    ["/drive", ["lone.txt"]],
    ["/drive/album/2026", ["deep.txt"]],
  ]);
  expect(misnamed).toEqual(["a\\b"]);
});

test("the way to a folder begins where somebody may look, and ends with it", () => {
  expect(foldersTo("/drive", "/drive/b/c")).toEqual(["/drive", "/drive/b", "/drive/b/c"]);
  expect(foldersTo("/drive", "/drive")).toEqual(["/drive"]);
  expect(foldersTo("/", "/drive/b")).toEqual(["/", "/drive", "/drive/b"]);
});
