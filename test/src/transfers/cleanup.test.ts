import { expect, test } from "bun:test";
import { Failure } from "#contract/failures";
import { clearEach } from "../../../src/transfers/cleanup.ts";

/** As many leftovers as wanted, of which some cannot be cleared away. */
function dust(count: number, stuck: readonly number[] = []) {
  const left = new Set(Array.from({ length: count }, (_, index) => `${index}`));
  return {
    left,
    next: async (limit: number) => [...left].slice(0, limit).map((id) => ({ id, storage: "a" })),
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

test.each(["storage.unreachable", "storage.busy"] as const)(
  "a storage that is %s is asked once in a sweep",
  async (code) => {
    const left = Array.from({ length: 60 }, (_, index) => ({
      id: `${index}`,
      storage: index % 3 === 0 ? "well" : "ill",
    }));
    const gone = new Set<string>();
    const asked: string[] = [];
    const next = async (limit: number, without: readonly string[]) =>
      left.filter(({ id, storage }) => !gone.has(id) && !without.includes(storage)).slice(0, limit);
    const clear = async ({ id, storage }: { id: string; storage: string }) => {
      asked.push(storage);
      if (storage === "ill") throw new Failure(code);
      gone.add(id);
    };
    const silent = new Set<string>();
    await expect(clearEach(next, clear, silent)).rejects.toThrow(code);
    expect([gone.size, asked.filter((storage) => storage === "ill").length]).toEqual([20, 1]);
    expect(await clearEach(next, clear, silent)).toBe(0);
    expect([...silent]).toEqual(["ill"]);
  },
);
