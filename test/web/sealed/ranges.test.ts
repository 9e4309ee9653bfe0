import { describe, expect, test } from "bun:test";
import { newIdentity } from "../../../web/sealed/locks.ts";
import { openHeader, readOpened, type SealedSource } from "../../../web/sealed/open.ts";
import { type Plain, sealAgain, sealFile } from "../../../web/sealed/seal.ts";
import { bytesFrom, numbersFrom, opened, sealedBytes, sourceOf } from "../../support/files/sealed.ts";

const CHUNK = 64 * 1024;
const SEALED_CHUNK = CHUNK + 16;
const identity = await newIdentity();

/** The ends of chunks and of runs of chunks. */
const sizes = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 5 * CHUNK + 7, 32 * CHUNK, 33 * CHUNK + 1, 100 * CHUNK];

describe.each(sizes)("a file of %d bytes", (size) => {
  const plain = new Blob([bytesFrom(size, size)]);

  test("comes back, and its sealed size was known before", async () => {
    const bytes = await sealedBytes(plain, { identity });
    expect((await sealFile(plain, { identity })).size).toBe(bytes.length);
    expect(Bun.hash(await opened(sourceOf(bytes), { identity }))).toBe(Bun.hash(await plain.bytes()));
  });

  test("is sealed to the same bytes in ranges of any size and order", async () => {
    const sealed = await sealFile(plain, { identity });
    const whole = await (await sealed.slice(0, sealed.size)).bytes();
    const next = numbersFrom(size + 1);
    for (let round = 0; round < 12; round++) {
      const from = next(sealed.size + 1);
      const to = from + next(sealed.size - from + 40);
      const part = await (await sealed.slice(from, to)).bytes();
      expect(Buffer.compare(part, whole.subarray(from, to))).toBe(0);
    }
  });

  test("is opened in ranges of any size and order", async () => {
    const source = sourceOf(await sealedBytes(plain, { identity }));
    const opening = await openHeader(source, { identity });
    expect(opening.size).toBe(size);
    const content = await plain.bytes();
    const next = numbersFrom(size + 2);
    for (let round = 0; round < 12; round++) {
      const from = next(size + 1);
      const to = from + next(size - from + 40);
      const part = await new Response(readOpened(source, opening, from, to)).bytes();
      expect(Buffer.compare(part, content.subarray(from, to))).toBe(0);
    }
  });
});

test("ranges as an upload asks for them make a file that opens, and a reload changes nothing", async () => {
  const plain = new Blob([bytesFrom(1, 300 * 1024)]);
  const before = await sealFile(plain, { identity });
  const after = sealAgain(plain, structuredClone(before.state));
  const part = 80_000;
  const parts = [];
  for (let from = 0; from < before.size; from += part) {
    parts.push(await (from % (2 * part) === 0 ? before : after).slice(from, from + part));
  }
  const bytes = await new Blob(parts).bytes();
  expect(Bun.hash(await opened(sourceOf(bytes), { identity }))).toBe(Bun.hash(await plain.bytes()));
});

test("a file that has become shorter is not sealed to its end", async () => {
  const plain: Plain = { size: 2 * CHUNK, slice: () => new Blob(["short"]) };
  const sealed = await sealFile(plain, { identity });
  await expect(sealed.slice(0, sealed.size)).rejects.toThrow("The file has changed.");
});

test("nothing is read of a file before its bytes are asked for, and then only a few MiB beyond those", async () => {
  const size = 3 * 1024 * 1024 * 1024;
  const asked: number[] = [];
  const plain: Plain = {
    size,
    slice(from, to) {
      asked.push(to - from);
      return new Blob([new Uint8Array(to - from)]);
    },
  };
  const sealed = await sealFile(plain, { identity });
  expect(asked).toEqual([]);
  await sealed.slice(2_000_000_000, 2_000_000_001);
  expect(asked).toEqual([CHUNK]);
  await sealed.slice(0, 8 * 1024 * 1024);
  expect(Math.max(...asked)).toBeLessThanOrEqual(4 * 1024 * 1024);
});

test("a reader takes a few MiB ahead, and stops where nobody reads on", async () => {
  const plain = new Blob([new Uint8Array(40 * 1024 * 1024)]);
  const bytes = await sealedBytes(plain, { identity });
  let read = 0;
  const signals: AbortSignal[] = [];
  const source: SealedSource = {
    size: bytes.length,
    async read(from, to, signal) {
      read += to - from;
      if (signal) signals.push(signal);
      return bytes.subarray(from, to);
    },
  };
  const opening = await openHeader(source, { identity });
  expect(read).toBeLessThan(2 * SEALED_CHUNK);
  const reader = readOpened(source, opening, 0, opening.size).getReader();
  const first = await reader.read();
  expect(first.value?.length).toBeLessThanOrEqual(512 * 1024);
  expect(read).toBeLessThan(10 * 1024 * 1024);
  await reader.cancel();
  expect(signals.every((signal) => signal.aborted)).toBe(true);
});

test("a content that has changed is not sealed again under the same key", async () => {
  let content = new Uint8Array(200_000).fill(1);
  const plain = { size: content.length, slice: (from: number, to: number) => new Blob([content.slice(from, to)]) };
  const sealed = await sealFile(plain, { identity: await newIdentity() });
  const first = await (await sealed.slice(0, 150_000)).bytes();
  expect(await (await sealed.slice(0, 150_000)).bytes()).toEqual(first);
  content = content.with(100_000, 2);
  expect((await sealed.slice(0, 60_000)).size).toBe(60_000);
  await expect(sealed.slice(0, sealed.size)).rejects.toThrow("The file has changed.");
});
