import { expect, test } from "bun:test";
import { gather } from "../../../web/features/explorer/upload/gather.ts";
import { noteOrigin } from "../../../web/lib/file-origin.ts";

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
