import { afterEach, expect, jest, test } from "bun:test";
import { PART_SIZE } from "#contract/limits";
import { createPartBuffers } from "../../../src/stores/s3/part-buffers.ts";

afterEach(() => void jest.useRealTimers());

const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

type Bytes = Uint8Array<ArrayBuffer>;
const filled = async (buffer: Bytes) => buffer;

/** Works that hold their buffers until they are told. */
function holders(count: number, buffers = createPartBuffers(2, 1000)) {
  const held: Bytes[] = [];
  const gates = Array.from({ length: count }, () => Promise.withResolvers<void>());
  const works = gates.map(({ promise }) =>
    buffers.use(PART_SIZE, filled, async (buffer) => {
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

test("a sender that is slow to fill its buffer gives up its place, and a slow storage does not", async () => {
  jest.useFakeTimers();
  const buffers = createPartBuffers(2, 1000);
  const sender = Promise.withResolvers<void>();
  const slow = buffers.use(
    PART_SIZE,
    async (buffer) => {
      await sender.promise;
      return buffer;
    },
    async (bytes) => bytes.byteLength,
  );
  const { held, works, end } = holders(4, buffers);
  await settle();
  expect(held.length).toBe(1);
  jest.advanceTimersByTime(1000);
  await settle();
  expect([held.length, new Set(held).size]).toEqual([2, 2]);
  jest.advanceTimersByTime(10_000);
  await settle();
  expect(held.length).toBe(2);
  sender.resolve();
  expect(await slow).toBe(PART_SIZE);
  await settle();
  // The slow one had no place to pass on.
  expect(held.length).toBe(2);
  for (let index = 0; index < works.length; index++) end(index);
  await Promise.all(works);
});

test("a work that fails gives its buffer and its place back", async () => {
  const buffers = createPartBuffers(1, 1000);
  const broken = () => Promise.reject(new Error("broken"));
  const size = async (buffer: Bytes) => buffer.byteLength;
  await expect(buffers.use(PART_SIZE, filled, broken)).rejects.toThrow("broken");
  await expect(buffers.use(PART_SIZE, broken, size)).rejects.toThrow("broken");
  expect(await buffers.use(PART_SIZE, filled, size)).toBe(PART_SIZE);
  expect(await buffers.use(2 * PART_SIZE, filled, size)).toBe(2 * PART_SIZE);
});
