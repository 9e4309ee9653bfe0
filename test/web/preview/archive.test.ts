import { describe, expect, test } from "bun:test";
import { Readable } from "node:stream";
import { createGzip, createZstdCompress, gzipSync, zstdCompressSync } from "node:zlib";
import { MAX_ARCHIVE_ENTRIES, MAX_EXTRACTED, MAX_LISTED_PACKED, MAX_LISTED_PLAIN } from "#contract/viewer-limits";
import { TooLarge } from "../../../web/preview/archive/collect.ts";
import { listUnindexed, takeFromUnindexed, type Unindexed } from "../../../web/preview/archive/tar.ts";
import { tar } from "../../support/files/archives.ts";

const packed = {
  tar: (bytes: Uint8Array) => bytes,
  "tar.gz": (bytes: Uint8Array) => gzipSync(bytes),
  "tar.zst": (bytes: Uint8Array) => zstdCompressSync(bytes),
  gz: (bytes: Uint8Array) => gzipSync(bytes),
} satisfies Record<Unindexed, (bytes: Uint8Array) => Uint8Array>;

/** Bytes as they come over the network, and how many were asked for. */
function served(bytes: Uint8Array, piece = 64 * 1024) {
  const read = { bytes: 0, ended: false };
  const open = async (signal: AbortSignal) => {
    signal.addEventListener("abort", () => {
      read.ended = true;
    });
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull(controller) {
          const next = new Uint8Array(bytes.subarray(read.bytes, read.bytes + piece));
          read.bytes += next.length;
          if (next.length > 0) controller.enqueue(next);
          else controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  };
  return { open, read };
}

const task = (packing: Unindexed, index?: number) => ({
  ...{ address: "", packing, stem: "notes.txt" },
  ...(index !== undefined && { take: { index } }),
});

async function list(packing: Unindexed, bytes: Uint8Array) {
  const { open, read } = served(bytes);
  const { entries, cut } = await listUnindexed(task(packing), packing, open);
  const names = entries.map(({ rawName }) => new TextDecoder().decode(rawName));
  return { entries, cut, names, read };
}

const take = async (packing: Unindexed, bytes: Uint8Array, index: number) =>
  await (await takeFromUnindexed(task(packing, index), packing, served(bytes).open)).text();

const files = tar([
  { name: "docs/", type: "5" },
  { name: "docs/读我.txt", content: "Hello from the archive." },
  { name: "docs/link", type: "2" },
  { name: "big.bin", content: "x".repeat(200_000) },
]);

describe.each(["tar", "tar.gz", "tar.zst"] as const)("a .%s", (packing) => {
  const bytes = packed[packing](files);

  test("is listed in its order", async () => {
    const { entries, cut, names, read } = await list(packing, bytes);
    expect(names).toEqual(["docs/", "docs/读我.txt", "docs/link", "big.bin"]);
    expect(entries.map(({ isFolder, isLink, size }) => [isFolder, isLink, size])).toEqual([
      [true, false, 0],
      [false, false, 23],
      [false, true, 0],
      [false, false, 200_000],
    ]);
    expect(cut).toBeUndefined();
    expect(read.ended).toBe(true);
  });

  test("hands out single files", async () => {
    expect(await take(packing, bytes, 1)).toBe("Hello from the archive.");
    expect(await take(packing, bytes, 3)).toHaveLength(200_000);
    for (const index of [0, 2, 4]) await expect(take(packing, bytes, index)).rejects.toThrow();
  });

  test("that ends too soon is listed as far as it goes", async () => {
    const { names, cut } = await list(packing, packed[packing](files.subarray(0, 4000)));
    expect(names).toEqual(["docs/", "docs/读我.txt", "docs/link", "big.bin"]);
    expect(cut).toBe("unread");
    await expect(take(packing, packed[packing](files.subarray(0, 4000)), 3)).rejects.toThrow();
  });

  test("that is none is said to be none", async () => {
    await expect(list(packing, Buffer.from("this is none".repeat(100)))).rejects.toThrow();
    await expect(list(packing, packed[packing](Buffer.from("this is none".repeat(100))))).rejects.toThrow();
  });
});

test("a file that is packed alone is one of an archive of one", async () => {
  const bytes = gzipSync("Hello");
  const { names, entries } = await list("gz", bytes);
  expect(names).toEqual(["notes.txt"]);
  expect(entries[0]?.size).toBeUndefined();
  expect(await take("gz", bytes, 0)).toBe("Hello");
  await expect(list("gz", Buffer.from("this is none"))).rejects.toThrow();
});

describe("what was made to harm", () => {
  /** A tar of one file of zeros, of which a thousandth or less is left. */
  async function bomb(packing: "tar.gz" | "tar.zst", size: number): Promise<Buffer> {
    const packer = packing === "tar.gz" ? createGzip({ level: 1 }) : createZstdCompress();
    const zeros = Buffer.alloc(16 * 1024 * 1024);
    const parts = function* () {
      yield tar([{ name: "bomb.bin", size }]).subarray(0, 512);
      for (let left = size; left > 0; left -= zeros.length) yield zeros;
    };
    return Buffer.concat(await Array.fromAsync(Readable.from(parts()).pipe(packer)));
  }

  test.each(["tar.gz", "tar.zst"] as const)(
    "a few bytes of a .%s that are 2 GB are not read to their end",
    async (packing) => {
      const bytes = await bomb(packing, 2 * MAX_LISTED_PLAIN);
      const { names, cut, read } = await list(packing, bytes);
      expect(names).toEqual(["bomb.bin"]);
      expect(cut).toBe("long");
      expect(read.bytes).toBeLessThan(bytes.length);
      await expect(takeFromUnindexed(task(packing, 0), packing, served(bytes).open)).rejects.toThrow(TooLarge);
    },
  );

  test("of one that never ends no more is read than is allowed", async () => {
    const noise = crypto.getRandomValues(new Uint8Array(65_536));
    const head = tar([{ name: "endless.bin", size: 8_000_000_000 }]).subarray(0, 512);
    let sent = 0;
    const open = async () =>
      new ReadableStream<Uint8Array<ArrayBuffer>>(
        {
          pull(controller) {
            controller.enqueue(sent === 0 ? new Uint8Array(head) : noise);
            sent += noise.length;
          },
        },
        { highWaterMark: 0 },
      );
    const { entries, cut } = await listUnindexed(task("tar"), "tar", open);
    expect([entries.length, cut]).toEqual([1, "long"]);
    expect(sent).toBeLessThan(MAX_LISTED_PACKED + 1_000_000);
  });

  test("more files than are shown", async () => {
    const one = tar([{ name: "a", content: "" }]).subarray(0, 512);
    const many = Buffer.concat(Array.from({ length: MAX_ARCHIVE_ENTRIES + 10 }, () => one));
    const { entries, cut } = await list("tar.gz", gzipSync(many));
    expect([entries.length, cut]).toEqual([MAX_ARCHIVE_ENTRIES, "many"]);
    expect(many.length).toBeLessThan(MAX_LISTED_PLAIN);
  });

  test("a file that is packed alone and unpacks to more than is taken out", async () => {
    const bytes = await bomb("tar.gz", MAX_EXTRACTED);
    expect((await list("gz", bytes)).names).toEqual(["notes.txt"]);
    await expect(takeFromUnindexed(task("gz", 0), "gz", served(bytes).open)).rejects.toThrow(TooLarge);
  });
});
