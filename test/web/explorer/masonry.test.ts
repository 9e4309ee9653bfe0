import { describe, expect, test } from "bun:test";
import { layOut, within } from "../../../web/features/explorer/gallery/masonry.ts";

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
