import { describe, expect, test } from "bun:test";
import { nothing, type Selection, type SelectionAct, select } from "../../../web/features/explorer/model/selection.ts";

const order = ["a", "b", "c", "d", "e"];
const after = (...acts: SelectionAct[]): Selection => acts.reduce((held, act) => select(held, act, order), nothing);
const chosen = (...acts: SelectionAct[]) => [...after(...acts).chosen].sort().join("");

describe("choosing", () => {
  test.each<[string, SelectionAct[], string]>([
    [
      "a press chooses one alone",
      [
        { do: "press", path: "a" },
        { do: "press", path: "c" },
      ],
      "c",
    ],
    [
      "the range key takes along what lies between",
      [
        { do: "press", path: "b" },
        { do: "press", path: "d", range: true },
      ],
      "bcd",
    ],
    [
      "a range goes backwards, too",
      [
        { do: "press", path: "d" },
        { do: "press", path: "b", range: true },
      ],
      "bcd",
    ],
    [
      "a second range begins where the first did",
      [
        { do: "press", path: "c" },
        { do: "press", path: "e", range: true },
        { do: "press", path: "a", range: true },
      ],
      "abc",
    ],
    [
      "the toggle key adds and takes away",
      [
        { do: "press", path: "a" },
        { do: "press", path: "c", toggle: true },
        { do: "press", path: "a", toggle: true },
      ],
      "c",
    ],
    [
      "range and toggle together add a range",
      [
        { do: "press", path: "a" },
        { do: "press", path: "c", toggle: true },
        { do: "press", path: "d", range: true, toggle: true },
      ],
      "acd",
    ],
    [
      "arrows choose what they come to",
      [
        { do: "press", path: "a" },
        { do: "go", path: "b" },
      ],
      "b",
    ],
    [
      "arrows with Shift grow",
      [
        { do: "press", path: "b" },
        { do: "go", path: "c", range: true },
        { do: "go", path: "d", range: true },
      ],
      "bcd",
    ],
    [
      "arrows with Ctrl only walk",
      [
        { do: "press", path: "b" },
        { do: "go", path: "d", keep: true },
      ],
      "b",
    ],
    ["all", [{ do: "all" }], "abcde"],
    ["none", [{ do: "all" }, { do: "none" }], ""],
  ])("%s", (_, acts, expected) => {
    expect(chosen(...acts)).toBe(expected);
  });

  test("with a finger a tap chooses until nothing is chosen any more", () => {
    const begun = after({ do: "toggle", path: "b", touch: true });
    expect(begun.touch).toBe(true);
    const more = select(begun, { do: "toggle", path: "c", touch: true }, order);
    expect([...more.chosen]).toEqual(["b", "c"]);
    expect(select(select(more, { do: "toggle", path: "b" }, order), { do: "toggle", path: "c" }, order).touch).toBe(
      false,
    );
  });

  test("what has gone is chosen no more, and what is left is the same object", () => {
    const held = after({ do: "press", path: "b" }, { do: "press", path: "d", range: true });
    const left = select(held, { do: "keep" }, ["a", "b", "c"]);
    expect([...left.chosen]).toEqual(["b", "c"]);
    expect(left.focus).toBeUndefined();
    expect(select(held, { do: "keep" }, order)).toBe(held);
  });
});
