import { describe, expect, test } from "bun:test";
import { createUndo } from "../../../web/features/explorer/model/undo.ts";

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
