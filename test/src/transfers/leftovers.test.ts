import { expect, test } from "bun:test";
import { clearEach } from "../../../src/transfers/leftovers.ts";

/** As many leftovers as wanted, of which some cannot be cleared away. */
function dust(count: number, stuck: readonly number[] = []) {
  const left = new Set(Array.from({ length: count }, (_, index) => `${index}`));
  return {
    left,
    next: async (limit: number) => [...left].slice(0, limit).map((id) => ({ id })),
    clear: async ({ id }: { id: string }) => {
      if (stuck.includes(Number(id))) throw new Error(`${id} is stuck`);
      left.delete(id);
    },
  };
}

test.each([0, 1, 19, 20, 21, 100])("all of %d are cleared away", async (count) => {
  const { left, next, clear } = dust(count);
  expect(await clearEach(next, clear)).toBe(count);
  expect(left.size).toBe(0);
});

test("what cannot be cleared away keeps none of the others, and is told in the end", async () => {
  const stuck = [...Array.from({ length: 30 }, (_, index) => index), 77];
  const { left, next, clear } = dust(100, stuck);
  await expect(clearEach(next, clear)).rejects.toThrow("0 is stuck");
  expect([...left].map(Number)).toEqual(stuck);
});
