import { describe, expect, test } from "bun:test";
import { inOrder } from "../../../src/lib/turns.ts";

async function* many(...items: (number | Error)[]): AsyncGenerator<number> {
  for (const item of items) {
    if (item instanceof Error) throw item;
    yield item;
  }
}

/** What came before the end, and what was thrown there. */
async function read(results: AsyncIterable<number>): Promise<[number[], string | undefined]> {
  const all: number[] = [];
  try {
    for await (const result of results) all.push(result);
    return [all, undefined];
  } catch (error) {
    return [all, error instanceof Error ? error.message : "?"];
  }
}

/** Work that takes the longer the smaller the number is, and fails at multiples of ten. */
async function work(item: number): Promise<number> {
  for (let turns = 0; turns < 10 - item; turns++) await Promise.resolve();
  if (item % 10 === 0) throw new Error(`failed at ${item}`);
  return item;
}

describe("work in order", () => {
  test.each([1, 2, 4, 100])("answers in the order of what comes in, %p at once", async (width) => {
    expect(await read(inOrder(many(1, 2, 3, 4, 5, 6, 7, 8, 9), width, work))).toEqual([
      [1, 2, 3, 4, 5, 6, 7, 8, 9],
      undefined,
    ]);
  });

  test.each([1, 2, 4, 100])("answers what was begun before no more came, %p at once", async (width) => {
    expect(await read(inOrder(many(1, 2, 3, new Error("no more")), width, work))).toEqual([[1, 2, 3], "no more"]);
  });

  test.each([1, 2, 4, 100])(
    "answers what came before one that fails, and nothing behind it, %p at once",
    async (width) => {
      expect(await read(inOrder(many(1, 2, 10, 3, new Error("no more")), width, work))).toEqual([
        [1, 2],
        "failed at 10",
      ]);
    },
  );

  test("whoever stops reading waits for those under way, and no more is begun", async () => {
    const ended: number[] = [];
    const begun: number[] = [];
    const slowly = async (item: number) => {
      begun.push(item);
      await new Promise(setImmediate);
      ended.push(item);
      return item;
    };
    for await (const _ of inOrder(many(1, 2, 3, 4, 5), 2, slowly)) break;
    expect(ended).toEqual(begun);
    expect(begun).toEqual([1, 2]);
  });
});
