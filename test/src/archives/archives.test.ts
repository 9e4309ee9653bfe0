import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, gzipSync, zstdCompressSync } from "node:zlib";
import { Failure } from "#contract/failures";
import { MAX_UNPACKED_ENTRIES, MIN_UNPACKED_BYTES } from "#contract/limits";
import type { ArchiveEntry, ArchiveSource } from "../../../src/archives/archive.ts";
import { entryPath } from "../../../src/archives/names.ts";
import { openArchive } from "../../../src/archives/open.ts";
import { type MadeEntry, pax, tar, zip } from "../../support/files/archives.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** What is read of archives that are right, and what becomes of those that are not. */

/** An archive in memory or on the disk; pieces are small, so that everything in it is cut somewhere. */
function source(name: string, content: Uint8Array | Blob, piece = 61): ArchiveSource & { readonly asked: number[] } {
  const blob = content instanceof Blob ? content : new Blob([content as Uint8Array<ArrayBuffer>]);
  const asked: number[] = [];
  return {
    asked,
    name,
    size: blob.size,
    async *read(range) {
      const part = range ? blob.slice(range.start, range.end + 1) : blob;
      asked.push(part.size);
      for await (const chunk of part.stream())
        for (let at = 0; at < chunk.byteLength; at += piece) yield chunk.subarray(at, at + piece);
    },
  };
}

const codeOf = (error: unknown): string => (error instanceof Failure ? error.code : `not a failure: ${error}`);

async function textOf({ kind, problem, bytes }: ArchiveEntry): Promise<string> {
  if (kind !== "file") return kind;
  if (problem) return problem;
  try {
    return Buffer.concat(await Array.fromAsync(bytes())).toString();
  } catch (error) {
    return codeOf(error);
  }
}

/** The entries as `name: text`, or the code of what stopped it behind them. */
async function contentOf(name: string, content: Uint8Array | Blob, piece?: number): Promise<string[]> {
  const found: string[] = [];
  try {
    const archive = await openArchive(source(name, content, piece));
    for await (const entry of archive.entries()) found.push(`${entry.name}: ${await textOf(entry)}`);
  } catch (error) {
    found.push(codeOf(error));
  }
  return found;
}

const two: readonly MadeEntry[] = [
  { name: "d/" },
  { name: "d/a.txt", content: "a".repeat(1000) },
  { name: "空 b", content: "b", stored: true },
];
const twoFound = ["d/: folder", `d/a.txt: ${"a".repeat(1000)}`, "空 b: b"];
const twoInTar = tar([
  { name: "d/", type: "5" },
  { name: "d/a.txt", content: "a".repeat(1000) },
  { name: "空 b", content: "b" },
]);

describe("an archive is read", () => {
  test.each([
    ["a.zip", zip(two)],
    ["a.zip", Buffer.concat([Buffer.from("#!/bin/sh\n"), zip(two)])],
    ["a.zip", Buffer.concat([zip(two), Buffer.from("stray bytes")])],
    ["A.TAR", twoInTar],
    ["a.tar.gz", gzipSync(twoInTar)],
    ["a.tgz", Buffer.concat([gzipSync(twoInTar.subarray(0, 700)), gzipSync(twoInTar.subarray(700))])],
    ["a.tar.zst", zstdCompressSync(twoInTar)],
  ])("%s", async (name, content) => {
    expect(await contentOf(name, content)).toEqual(twoFound);
    expect(await contentOf(name, content, 1 << 20)).toEqual(twoFound);
  });

  test("a single file of gzip is called after its archive", async () => {
    expect(await contentOf("notes.txt.gz", gzipSync("text"))).toEqual(["notes.txt: text"]);
  });

  test("of a tar what is not asked for is passed over, half read or not", async () => {
    const archive = await openArchive(
      source("a.tar", tar(["1", "2", "3"].map((name) => ({ name, content: name.repeat(3000) })))),
    );
    const names: string[] = [];
    for await (const entry of archive.entries()) {
      names.push(entry.name);
      if (entry.index === 1) for await (const _ of entry.bytes()) break;
    }
    expect(names).toEqual(["1", "2", "3"]);
  });

  test("long names and attributes of tar are what they say", async () => {
    const long = `${"long/".repeat(40)}name`;
    const made = tar([
      { name: "././@LongLink", type: "L", content: `${long}\0` },
      { name: "short", content: "gnu" },
      pax({ path: `${long}é`, mtime: "1.5" }),
      { name: "short", content: "pax" },
      { name: "label", type: "V" },
      { name: "hole", type: "S", content: "x" },
      pax({ "GNU.sparse.major": "1" }),
      { name: "sparse", content: "x" },
      { name: "device", type: "3" },
      { name: "hard", type: "1", size: 99 },
      { name: "last", content: "last" },
    ]);
    expect(await contentOf("a.tar", made)).toEqual([
      `${long}: gnu`,
      `${long}é: pax`,
      "hole: archive.method",
      "sparse: archive.method",
      "device: link",
      "hard: link",
      "last: last",
    ]);
  });

  test("names without UTF-8 are read as their country writes them, or as the archive says beside them", async () => {
    const gbk = Buffer.from("cef7b0e0d1c0d3ceBCC7".toLowerCase(), "hex");
    const [chinese] = await contentOf(
      "a.zip",
      zip([
        { name: gbk, content: "1" },
        { name: Buffer.from("cec4bcfebcd0b5c4c4dac8dd", "hex"), content: "2" },
      ]),
    );
    expect(chinese).toBe("西班牙游记: 1");
    const japanese = Buffer.from("83658358836782cc8374834083438b8b96be", "hex");
    expect((await contentOf("a.zip", zip([{ name: japanese, content: "1" }])))[0]).toStartWith("テスト");
    const utf8 = Buffer.from("été");
    const field = Buffer.concat([Buffer.from([0x75, 0x70, 5 + utf8.byteLength, 0, 1]), Buffer.alloc(4), utf8]);
    field.writeUInt32LE(crc32(gbk), 5);
    expect(await contentOf("a.zip", zip([{ name: gbk, content: "1", extra: field }]))).toEqual(["été: 1"]);
  });

  test("archives that programs make", async () => {
    using folder = temporaryFolder();
    const root = join(folder.path, "in");
    mkdirSync(join(root, "d"), { recursive: true });
    writeFileSync(join(root, "d", "a.txt"), "a".repeat(1000));
    writeFileSync(join(root, "文.txt"), "b");
    symlinkSync("/etc/passwd", join(root, "link"));
    writeFileSync(join(root, "hole"), "");
    truncateSync(join(root, "hole"), 100_000);
    const python = `import zipfile,sys
with zipfile.ZipFile(sys.argv[1],"w",zipfile.ZIP_DEFLATED) as z:
  z.write("d","d/"); z.write("d/a.txt"); z.write("文.txt")
  with z.open(zipfile.ZipInfo("big"),"w",force_zip64=True) as f: f.write(b"64")`;
    const made: readonly (readonly [name: string, ...command: string[]])[] = [
      ["z.zip", "zip", "-qry", "OUT", "."],
      ["bzip.zip", "zip", "-qry", "-Z", "bzip2", "OUT", "d/a.txt"],
      ["locked.zip", "zip", "-qry", "-P", "secret", "OUT", "d/a.txt"],
      ["p.zip", "python3", "-c", python, "OUT"],
      ["g.tar.gz", "tar", "-czf", "OUT", "."],
      ["s.tar", "tar", "-cSf", "OUT", "--format=gnu", "hole", "d/a.txt"],
      ["x.tar.zst", "tar", "--zstd", "--format=pax", "-cf", "OUT", "d", "文.txt"],
      ["old.tar", "tar", "--format=v7", "-cf", "OUT", "d"],
    ];
    const seen = Object.fromEntries(
      await Promise.all(
        made.map(async ([name, ...command]) => {
          const out = join(folder.path, name);
          const { exitCode, stderr } = Bun.spawnSync(
            command.map((word) => (word === "OUT" ? out : word)),
            { cwd: root },
          );
          if (exitCode !== 0) throw new Error(`${name}: ${stderr}`);
          const lines = await contentOf(name, Bun.file(out));
          return [
            name,
            lines.map((line) => line.replace("a".repeat(1000), "A").replace("\0".repeat(100_000), "0")).sort(),
          ];
        }),
      ),
    );
    expect(seen).toEqual({
      "z.zip": ["d/: folder", "d/a.txt: A", "hole: 0", "link: link", "文.txt: b"],
      "bzip.zip": ["d/a.txt: archive.method"],
      "locked.zip": ["d/a.txt: archive.encrypted"],
      "p.zip": ["big: 64", "d/: folder", "d/a.txt: A", "文.txt: b"],
      "g.tar.gz": ["./: folder", "./d/: folder", "./d/a.txt: A", "./hole: 0", "./link: link", "./文.txt: b"],
      "s.tar": ["d/a.txt: A", "hole: archive.method"],
      "x.tar.zst": ["d/: folder", "d/a.txt: A", "文.txt: b"],
      "old.tar": ["d/: folder", "d/a.txt: A"],
    });
  });
});

describe("an archive that lies is refused where it does", () => {
  const one = (says: MadeEntry["says"]) =>
    zip([
      { name: "a", content: "abc", says },
      { name: "b", content: "b" },
    ]);
  const cut = (content: Buffer, bytes: number) => content.subarray(0, content.byteLength - bytes);

  test.each<[string, string, Buffer, string[]]>([
    ["a zip with a wrong checksum", "a.zip", one({ crc: 1 }), ["a: archive.broken", "b: b"]],
    ["a zip that says more bytes", "a.zip", one({ size: 4 }), ["a: archive.broken", "b: b"]],
    ["a zip that says fewer bytes", "a.zip", one({ size: 2 }), ["a: archive.broken", "b: b"]],
    ["a zip with a password", "a.zip", one({ flags: 1 }), ["a: archive.encrypted", "b: b"]],
    ["a zip of another method", "a.zip", one({ method: 12 }), ["a: archive.method", "b: b"]],
    ["a zip with a link", "a.zip", zip([{ name: "l", content: "/etc", mode: 0o120777 }]), ["l: link"]],
    ["a zip with a device", "a.zip", zip([{ name: "l", mode: 0o060666 }]), ["l: link"]],
    ["a zip that is cut", "a.zip", cut(zip(two), 30), ["archive.broken"]],
    ["a zip whose beginning is gone", "a.zip", zip(two).subarray(40), ["archive.broken"]],
    ["a zip that counts more entries", "a.zip", zip(two, { count: 4 }), ["archive.broken"]],
    ["a zip that lies elsewhere", "a.zip", zip(two, { at: [1, 40, 50] }), ["archive.bomb"]],
    ["an empty file", "a.zip", Buffer.alloc(0), ["archive.broken"]],
    ["another file", "a.zip", Buffer.alloc(1000, "PK\x05\x06"), ["archive.broken"]],
    [
      "a tar that is cut in a file",
      "a.tar",
      cut(twoInTar, 2700),
      ["d/: folder", "d/a.txt: archive.broken", "archive.broken"],
    ],
    ["a tar without its end", "a.tar", tar([{ name: "a", content: "a" }], { cut: true }), ["a: a", "archive.broken"]],
    ["a tar with a wrong sum", "a.tar", tar([{ name: "a" }, { name: "b", sum: 1 }]), ["a: ", "archive.broken"]],
    ["a tar whose name is endless", "a.tar", tar([{ name: "x", type: "L", size: 1 << 30 }]), ["archive.broken"]],
    [
      "a tar with broken attributes",
      "a.tar",
      tar([{ name: "x", type: "x", content: "99 path=x\n" }]),
      ["archive.broken"],
    ],
    [
      "a tar of attributes for no entry",
      "a.tar",
      tar([...Array.from({ length: 600 }, () => pax({ comment: "x" })), { name: "a" }]),
      ["archive.bomb"],
    ],
    [
      "a tar of volumes without an entry",
      "a.tar",
      tar([...Array.from({ length: 600 }, () => ({ name: "v", type: "V" })), { name: "a" }]),
      ["archive.bomb"],
    ],
    [
      "a tar whose records have endless lengths",
      "a.tar",
      tar([{ ...pax({}), content: `${"0".repeat(60_000)}5 a=\n` }]),
      ["archive.broken"],
    ],
    [
      "a tar with a huge size",
      "a.tar",
      tar([{ name: "a", size: 8 ** 11 - 1 }]),
      ["a: archive.broken", "archive.broken"],
    ],
    ["gzip that is cut", "a.tgz", gzipSync(twoInTar).subarray(0, 60), ["archive.broken"]],
    ["what is no gzip", "a.tgz", Buffer.from("no gzip"), ["archive.broken"]],
    ["what is no zstd", "a.tar.zst", Buffer.from("no zstd"), ["archive.broken"]],
    ["zstd that is cut", "a.tar.zst", zstdCompressSync(twoInTar).subarray(0, 30), ["archive.broken"]],
    ["another format", "a.tar.xz", twoInTar, ["archive.format"]],
  ])("%s", async (_, name, content, found) => {
    expect(await contentOf(name, content)).toEqual(found);
  });

  test("entries that overlap are a bomb: what is stored once would be unpacked often", async () => {
    const many = Array.from({ length: 100 }, (_, index) => ({
      name: `${index}`,
      content: Buffer.alloc(index === 0 ? 1_000_000 : 0),
    }));
    expect(await contentOf("a.zip", zip(many, { at: many.map(() => 0) }))).toEqual(["archive.bomb"]);
    // Each quotes the header of the next one in its own bytes, as David Fifield's does.
    const within = zip(
      [
        { name: "a", content: zip([{ name: "b", content: "b" }]), stored: true },
        { name: "b", content: "b" },
      ],
      { at: [0, 31] },
    );
    expect(await contentOf("a.zip", within)).toEqual(["archive.bomb"]);
  });

  test("far more bytes than the archive has are a bomb, said or not, and the memory stays small", async () => {
    const says = { size: MIN_UNPACKED_BYTES + 1_000_000 };
    expect(await contentOf("a.zip", zip([{ name: "a", content: "a", says }]))).toEqual(["archive.bomb"]);
    const zeros = gzipSync(Buffer.alloc(MIN_UNPACKED_BYTES + 200_000_000));
    const before = process.memoryUsage.rss();
    let [passed, most] = [0, 0];
    const archive = await openArchive(source("a.gz", zeros, 1 << 20));
    const reading = async () => {
      for await (const entry of archive.entries())
        for await (const piece of entry.bytes()) {
          passed += piece.byteLength;
          most = Math.max(most, process.memoryUsage.rss() - before);
        }
    };
    expect(await reading().catch(codeOf)).toBe("archive.bomb");
    expect(passed).toBeLessThanOrEqual(MIN_UNPACKED_BYTES + 250 * zeros.byteLength);
    expect(most).toBeLessThan(150_000_000);
  });

  test("an archive that holds itself is unpacked once, and not what is in it", async () => {
    const inner = zip([{ name: "inner.txt", content: "x" }]);
    const [line = ""] = await contentOf("quine.zip", zip([{ name: "quine.zip", content: inner, stored: true }]));
    expect(line).toBe(`quine.zip: ${inner.toString()}`);
  });

  test("too many entries are refused before any is read", async () => {
    const many = zip(Array.from({ length: 3 }, (_, index) => ({ name: `${index}` })));
    const end = many.byteLength - 22;
    const end64 = Buffer.alloc(56 + 20);
    end64.writeUInt32LE(0x06064b50, 0);
    end64.writeBigUInt64LE(BigInt(MAX_UNPACKED_ENTRIES + 1), 32);
    end64.writeBigUInt64LE(BigInt(many.readUInt32LE(end + 12)), 40);
    end64.writeBigUInt64LE(BigInt(many.readUInt32LE(end + 16)), 48);
    end64.writeUInt32LE(0x07064b50, 56);
    end64.writeBigUInt64LE(BigInt(end), 64);
    const asked = source("a.zip", Buffer.concat([many.subarray(0, end), end64, many.subarray(end)]));
    expect(await openArchive(asked).catch(codeOf)).toBe("archive.tooMany");
    expect(asked.asked.length).toBe(2);
  });

  test("a long list lets others work while it is read", async () => {
    const whole = zip(Array.from({ length: 70_000 }, (_, index) => ({ name: `文件 ${index}.txt`, stored: true })));
    let others = 0;
    setImmediate(() => {
      others += 1;
    });
    // Nothing waits for these bytes.
    const archive = await openArchive({
      name: "a.zip",
      size: whole.byteLength,
      async *read({ start, end } = { start: 0, end: whole.byteLength - 1 }) {
        yield whole.subarray(start, end + 1);
      },
    });
    expect(others).toBe(1);
    expect(archive.amount?.files).toBe(70_000);
  });

  test("60,000 entries are listed at once, and each is read by one request", async () => {
    const entries = Array.from({ length: 60_000 }, (_, index) => ({
      name: `folder ${index % 100}/file ${index}.txt`,
      content: `${index}`,
      stored: true,
    }));
    const whole = zip(entries);
    const from = source("a.zip", whole, 1 << 20);
    const archive = await openArchive(from);
    expect(archive.amount?.files).toBe(60_000);
    let last: ArchiveEntry | undefined;
    for await (const entry of archive.entries()) last = entry;
    const before = from.asked.length;
    expect(last && (await textOf(last))).toBe("59999");
    expect(from.asked.length - before).toBe(1);
    expect(from.asked.at(-1)).toBeLessThan(200);
  });
});

describe("a name of an entry", () => {
  test.each([
    ["a/b.txt", "/a/b.txt"],
    ["./a//b/", "/a/b"],
    ["./", "/"],
    ["e\u0301", "/é"],
    ["a/..b", "/a/..b"],
    ["a:b", undefined],
    ["C:\\Windows", undefined],
    ["/etc/passwd", undefined],
    ["a/../../b", undefined],
    ["..", undefined],
    ["a\\b", undefined],
    ["a\0b", undefined],
    ["a\nb", undefined],
    [".satchel-staging-1", undefined],
    ["a/.Satchel-Staging-1/b", undefined],
    ["文".repeat(86), undefined],
    ["文".repeat(85), `/${"文".repeat(85)}`],
    ["a/".repeat(129), undefined],
    [`${"a".repeat(200)}/`.repeat(11), undefined],
  ])("%j", (name, path) => {
    expect(entryPath(name)).toBe(path);
  });
});
