import { afterEach, expect, jest, test } from "bun:test";
import { PART_SIZE } from "#contract/limits";
import { createPartBuffers } from "../../../src/stores/s3/body-reader.ts";

afterEach(() => void jest.useRealTimers());

const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

/** Works that hold their buffers until they are told. */
function holders(count: number, buffers = createPartBuffers(2, 1000)) {
  const held: Uint8Array[] = [];
  const gates = Array.from({ length: count }, () => Promise.withResolvers<void>());
  const works = gates.map(({ promise }) =>
    buffers.use(PART_SIZE, async (buffer) => {
      held.push(buffer);
      await promise;
    }),
  );
  return { held, works, end: (index: number) => gates[index]?.resolve() };
}

test("a few buffers go round, in the order in which they were asked for", async () => {
  const { held, works, end } = holders(5);
  await settle();
  expect(held.length).toBe(2);
  end(1);
  await settle();
  expect(held.length).toBe(3);
  for (const index of [0, 2, 3, 4]) end(index);
  await Promise.all(works);
  expect([held.length, new Set(held).size]).toEqual([5, 2]);
});

test("who has waited long enough gets one of its own, and the number goes back after that", async () => {
  jest.useFakeTimers();
  const { held, works, end } = holders(4);
  await settle();
  jest.advanceTimersByTime(1000);
  await settle();
  expect([held.length, new Set(held).size]).toEqual([4, 4]);
  const later = works.length;
  for (let index = 0; index < later; index++) end(index);
  await Promise.all(works);
});

test("a work that fails gives its buffer back", async () => {
  const buffers = createPartBuffers(1, 1000);
  await expect(buffers.use(PART_SIZE, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await buffers.use(PART_SIZE, async (buffer) => buffer.byteLength)).toBe(PART_SIZE);
  expect(await buffers.use(2 * PART_SIZE, async (buffer) => buffer.byteLength)).toBe(2 * PART_SIZE);
});
