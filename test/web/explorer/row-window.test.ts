import { describe, expect, test } from "bun:test";
import { windowOf } from "../../../web/features/explorer/folder/row-window.ts";

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
