import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type ZipEntry, zipOf } from "../../../src/lib/zip-format.ts";
import { namesIn, readZip } from "../../support/files/read-zip.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

async function* listed(...entries: ZipEntry[]): AsyncGenerator<ZipEntry> {
  yield* entries;
}

const inPieces = (size: number, ...pieces: string[]) => ({
  size,
  pieces: (async function* () {
    for (const piece of pieces) yield new TextEncoder().encode(piece);
  })(),
});

const archiveOf = async (...entries: ZipEntry[]) => Buffer.concat(await Array.fromAsync(zipOf(listed(...entries))));

const at = (text: string) => Date.parse(text);

describe("the format", () => {
  test("tells names in UTF-8, times, and what is a folder", async () => {
    const modified = at("2026-05-06T07:08:09Z");
    const archive = await archiveOf(
      { name: "长/🔑.txt", modified, content: Buffer.from("whole") },
      { name: "长/empty/", modified, content: new Uint8Array() },
      { name: "pieces.bin", modified, content: inPieces(8, "in ", "piec", "es"[0] ?? "") },
      { name: "none.bin", modified, content: inPieces(0) },
    );
    const entries = readZip(archive).map(({ content, ...entry }) => ({
      ...entry,
      text: Buffer.from(content).toString(),
    }));
    expect(entries).toEqual([
      { name: "长/🔑.txt", modified: modified / 1000, mode: 0o100644, text: "whole" },
      { name: "长/empty/", modified: modified / 1000, mode: 0o040755, text: "" },
      { name: "pieces.bin", modified: modified / 1000, mode: 0o100644, text: "in piece" },
      { name: "none.bin", modified: modified / 1000, mode: 0o100644, text: "" },
    ]);
  });

  test.each(["1969-12-31T00:00:00Z", "1979-01-01T00:00:00Z", "2107-12-31T00:00:00Z", "9999-01-01T00:00:00Z"])(
    "takes a file of %s",
    async (time) => {
      expect(namesIn(await archiveOf({ name: "a", modified: at(time), content: Buffer.from("a") }))).toEqual(["a"]);
    },
  );

  test("has as many entries as there are", async () => {
    const modified = at("2026-01-01T00:00:00Z");
    const content = Buffer.from("x");
    const many = async function* (): AsyncGenerator<ZipEntry> {
      for (let index = 0; index < 66_000; index++) yield { name: `${index}`, modified, content };
    };
    const names = namesIn(Buffer.concat(await Array.fromAsync(zipOf(many()))));
    expect([names.length, names.at(-1)]).toEqual([66_000, "65999"]);
  });

  /** Entries without bytes, whose records in the directory have 55 bytes and 945 letters. */
  const listOf = async function* (count: number): AsyncGenerator<ZipEntry> {
    for (let index = 0; index < count; index++)
      yield { name: `${index}`.padStart(945, "-"), modified: 0, content: Buffer.alloc(0) };
  };

  test("asks before it keeps more of the directory", async () => {
    const kept: number[] = [];
    const keep = async (bytes: number) => void kept.push(bytes);
    for await (const _ of zipOf(listOf(1000), keep));
    expect(kept).toEqual(Array(15).fill(66_000));
    const busy = zipOf(listOf(1000), () => Promise.reject(new Error("busy")));
    await expect(Array.fromAsync(busy)).rejects.toThrow("busy");
  });

  test("has no more entries than fit into 64 MiB of directory", async () => {
    for await (const _ of zipOf(listOf(67_000)));
    const pass = async () => {
      for await (const _ of zipOf(listOf(68_000)));
    };
    await expect(pass()).rejects.toThrow("too many files");
  });

  test.each([
    ["too few", 9],
    ["too many", 7],
  ])("does not end well with %s bytes", async (_, size) => {
    const content = inPieces(size, "12345678");
    await expect(archiveOf({ name: "a", modified: 0, content })).rejects.toThrow("not as many bytes");
  });

  test.skipIf(!Bun.which("python3"))("is read by Python", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "a.zip");
    const modified = at("2026-05-06T07:08:10Z");
    const content = () => inPieces(6, "in pi", "e");
    await Bun.write(file, await archiveOf({ name: "长/🔑.txt", modified, content: content() }));
    const script =
      "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), z.infolist()[0].date_time)";
    const child = Bun.spawn(["python3", "-c", script, file], { stdout: "pipe" });
    expect(await new Response(child.stdout).text()).toBe("None (2026, 5, 6, 7, 8, 10)\n");
  });
});
