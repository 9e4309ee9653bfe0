import { describe, expect, test } from "bun:test";
import { type Answer, type Conflict, intoItself, settle } from "../../../web/features/explorer/model/conflicts.ts";

const coming = ["a.txt", "b.txt", "c.txt"].map((name) => ({ name, isDirectory: false }));

async function settled(taken: string[], ...answers: Answer[]) {
  const asked: Conflict[] = [];
  const ask = async (conflict: Conflict) => {
    asked.push(conflict);
    return answers[asked.length - 1];
  };
  return {
    outcome: await settle({ folder: "/drive", coming, taken: new Map(taken.map((name) => [name, {}])), ask }),
    asked,
  };
}
const one = (choice: "replace" | "both" | "skip") => ({ choice, forAll: false });
const all = (choice: "replace" | "both" | "skip") => ({ choice, forAll: true });

describe("names that are taken", () => {
  test("nobody is asked where none is", async () => {
    const { outcome, asked } = await settled(["z.txt"]);
    expect(asked).toEqual([]);
    expect(outcome?.placed.map(({ name, replaces }) => [name, replaces])).toEqual([
      ["a.txt", false],
      ["b.txt", false],
      ["c.txt", false],
    ]);
  });

  test("each is asked about, with how many come after it", async () => {
    const { outcome, asked } = await settled(["a.txt", "b.txt", "c.txt"], one("replace"), one("both"), one("skip"));
    expect(asked.map(({ name, more }) => [name, more])).toEqual([
      ["a.txt", 2],
      ["b.txt", 1],
      ["c.txt", 0],
    ]);
    expect(outcome?.placed.map(({ name, replaces }) => [name, replaces])).toEqual([
      ["a.txt", true],
      ["b (1).txt", false],
    ]);
    expect(outcome?.skipped).toBe(1);
  });

  test("an answer for all is asked for once", async () => {
    const { outcome, asked } = await settled(["a.txt", "b.txt", "b (1).txt"], all("both"));
    expect(asked).toHaveLength(1);
    expect(outcome?.placed.map(({ name }) => name)).toEqual(["a (1).txt", "b (2).txt", "c.txt"]);
  });

  test("calling it off leaves everything", async () => {
    expect((await settled(["b.txt"], undefined)).outcome).toBeUndefined();
  });

  test("two that come with one name do not meet each other", async () => {
    const twins = [coming[0], coming[0]].flatMap((item) => item ?? []);
    const outcome = await settle({ folder: "/", coming: twins, taken: new Map(), ask: async () => one("both") });
    expect(outcome?.placed.map(({ name }) => name)).toEqual(["a.txt", "a (1).txt"]);
  });
});

test("a folder cannot go into itself or below", () => {
  const folder = { path: "/drive/a/", isDirectory: true };
  expect(intoItself([folder], "/drive/a")).toBe(true);
  expect(intoItself([folder], "/drive/a/b")).toBe(true);
  expect(intoItself([folder], "/drive/ab")).toBe(false);
  expect(intoItself([{ path: "/drive/a" }], "/drive/a/b")).toBe(false);
});
