import { describe, expect, test } from "bun:test";
import { createTypeAhead, step } from "../../../web/features/explorer/model/key-steps.ts";

const list = { columns: 1, rows: 3 };
const grid = { columns: 4, rows: 2 };

describe("keys lead", () => {
  test.each([
    ["down a list", 2, "ArrowDown", list, 3],
    ["not below its end", 9, "ArrowDown", list, 9],
    ["into it from nowhere", -1, "ArrowDown", list, 0],
    ["to its end from nowhere", -1, "End", list, 9],
    ["a window on", 1, "PageDown", list, 4],
    ["to the end where there is less", 8, "PageDown", list, 9],
    ["nowhere sideways", 4, "ArrowRight", list, 4],
    ["down a grid", 1, "ArrowDown", grid, 5],
    ["to a shorter last row", 7, "ArrowDown", grid, 9],
    ["not out of the last row", 8, "ArrowDown", grid, 8],
    ["up a grid", 5, "ArrowUp", grid, 1],
    ["not above it", 2, "ArrowUp", grid, 2],
    ["along a grid and on to the next row", 3, "ArrowRight", grid, 4],
    ["to its beginning", 7, "Home", grid, 0],
  ] as const)("%s", (_, from, key, layout, to) => {
    expect(step(from, key, 10, layout)).toBe(to);
  });

  test("nowhere in an empty folder", () => {
    expect(step(-1, "ArrowDown", 0, list)).toBeUndefined();
  });
});

describe("typing a name", () => {
  const names = ["apple", "banana", "blueberry", "Cherry"];
  test("finds it by its first letters, in any case", () => {
    let now = 0;
    const { find } = createTypeAhead(() => now);
    expect(find("b", names, -1)).toBe(1);
    expect(find("l", names, 1)).toBe(2);
    now += 5000;
    expect(find("c", names, 2)).toBe(3);
  });

  test("the same letter again leads on, and round", () => {
    const { find } = createTypeAhead(() => 0);
    expect([find("b", names, -1), find("b", names, 1), find("b", names, 2)]).toEqual([1, 2, 1]);
  });

  test("says when there is none", () => {
    expect(createTypeAhead(() => 0).find("x", names, 0)).toBe(-1);
  });

  test("ends with another key, after which a space is no part of a name", () => {
    const { find, goesOn, end } = createTypeAhead(() => 0);
    find("n", ["note"], -1);
    expect(goesOn()).toBe(true);
    end();
    expect(goesOn()).toBe(false);
  });
});
