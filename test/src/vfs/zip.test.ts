import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "#contract/failures";
import type { Caller } from "../../../src/access/principal.ts";
import { type ZipEntry, zipOf } from "../../../src/lib/zip-format.ts";
import type { View } from "../../../src/vfs/view.ts";
import { openZip, type Zip } from "../../../src/vfs/zip.ts";
import { createTopNames, safePath } from "../../../src/vfs/zip-names.ts";
import { namesIn, readZip, textsIn } from "../../support/read-zip.ts";
import { filesOf } from "../../support/share-file.ts";
import { openTestHouse, type TestHouse, temporaryFolder } from "../../support/test-house.ts";
import { oddNames, treeFile, treeFolder } from "../../support/tree-file.ts";
import { until } from "../../support/until.ts";

const admin: Caller = { kind: "admin", sessionId: null };
const MiB = 1024 * 1024;

const viewOf = ({ house }: TestHouse): View => house.vfs.as(admin, "mount");

const open = (house: TestHouse, paths: readonly string[], view: Partial<View> = {}) =>
  openZip({ view: { ...viewOf(house), ...view }, paths, now: house.clock.now() });

/** All of an archive; throws what it was broken by. */
async function bytesOf(zip: Zip): Promise<Uint8Array> {
  let why: unknown;
  try {
    return await new Response(
      zip.stream((error) => {
        why = error;
      }),
    ).bytes();
  } catch (error) {
    throw why ?? error;
  }
}

const zipped = async (house: TestHouse, ...paths: string[]) => await bytesOf(await open(house, paths));

/** Where a file of the tree lies on the disk. */
const fileOf = (house: TestHouse, name: string): string =>
  join(house.objects, filesOf(house).find((file) => file.endsWith(name)) ?? "");

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

describe("the names in an archive", () => {
  test("are each taken once", () => {
    const names = createTopNames();
    const long = "长".repeat(85);
    const taken = ["a.tar.gz", "a.tar.gz", "A.TAR.GZ", ".env", ".env", long, long].map((name) =>
      names.take(name, "file"),
    );
    expect(taken.slice(0, 5)).toEqual(["a.tar.gz", "a.tar (2).gz", "A.TAR (3).GZ", ".env", ".env (2)"]);
    expect(taken[6]).toBe(`${"长".repeat(83)} (2)`);
    expect([names.take("v1.2", "folder"), names.take("v1.2", "folder")]).toEqual(["v1.2", "v1.2 (2)"]);
  });

  test.each([
    ["a", "../../etc/passwd", "a/%2E%2E/%2E%2E/etc/passwd"],
    ["a", "b//c", "a/b/%2F/c"],
    ["", "/c", "%2F/c"],
    ["a", "b\\..\\c\n", "a/b%5C..%5Cc%0A"],
    ["..", ".", "%2E%2E/%2E"],
    ["a", "", "a"],
  ])("lead nowhere else: %s and %s", (top, below, path) => expect(safePath(top, below)).toBe(path));
});

describe("an archive of the tree", () => {
  test("holds files and folders under their last names, empty folders too", async () => {
    await using house = await openTestHouse();
    for (const path of ["/drive/a/one.txt", "/drive/a/b/two.txt", "/drive/c/b/three.txt", "/drive/four.txt"])
      await treeFile(house, path, path);
    for (const path of ["/drive/a/empty", "/drive/nothing"]) await treeFolder(house, path);
    const archive = await zipped(house, "/drive/a/", "/drive/four.txt", "/drive/c/b", "/drive/a/b", "/drive/nothing");
    expect(textsIn(archive)).toEqual({
      "a/b/two.txt": "/drive/a/b/two.txt",
      "a/empty/": "",
      "a/one.txt": "/drive/a/one.txt",
      "four.txt": "/drive/four.txt",
      "b/three.txt": "/drive/c/b/three.txt",
      "b (2)/two.txt": "/drive/a/b/two.txt",
      "nothing/": "",
    });
  });

  test("of the same path twice has it once, and of the whole tree everything", async () => {
    await using house = await openTestHouse();
    await treeFile(house, "/drive/a.txt");
    expect(namesIn(await zipped(house, "/drive/a.txt", "/drive//a.txt"))).toEqual(["a.txt"]);
    expect(namesIn(await zipped(house, "/drive/a.txt", "/"))).toEqual(["drive/a.txt"]);
  });

  test("keeps odd names and the times of files", async () => {
    await using house = await openTestHouse();
    for (const name of oddNames) await treeFile(house, `/drive/odd/${name}`, name);
    const archive = await zipped(house, "/drive/odd");
    expect(textsIn(archive)).toEqual(Object.fromEntries(oddNames.map((name) => [`odd/${name}`, name])));
    const { head } = await viewOf(house).file("read", "/drive/odd/with spaces.txt");
    const modified = readZip(archive).find(({ name }) => name === "odd/with spaces.txt")?.modified;
    expect(modified).toBe(Math.floor(head.modified / 1000));
  });

  test("has small and large files as they are", async () => {
    await using house = await openTestHouse();
    const sizes = [0, 1, MiB, MiB + 1, 3 * MiB + 17];
    for (const size of sizes)
      await treeFile(house, `/drive/sizes/${size}`, crypto.getRandomValues(new Uint8Array(Math.min(size, 65536))));
    const large = new Uint8Array(3 * MiB + 17).map((_, index) => index % 251);
    await treeFile(house, "/drive/sizes/large", large);
    const entries = readZip(await zipped(house, "/drive/sizes"));
    expect(entries.find(({ name }) => name === "sizes/large")?.content).toEqual(large);
    expect(entries.length).toBe(sizes.length + 1);
  });

  test("is refused before it begins when a part of it is not there or not to be had", async () => {
    await using house = await openTestHouse();
    await treeFile(house, "/drive/a.txt");
    for (const [path, code] of [
      ["/drive/b.txt", "path.missing"],
      ["/nowhere", "mount.none"],
      ["/drive/../x", "path.invalid"],
    ] as const)
      await expect(open(house, ["/drive/a.txt", path])).rejects.toEqual(new Failure(code));
  });

  test("names what has vanished since it was listed", async () => {
    await using house = await openTestHouse();
    for (const name of ["a", "b", "c"]) await treeFile(house, `/drive/d/${name}.txt`, name);
    await treeFile(house, "/drive/not-included.txt", "mine");
    const view = viewOf(house);
    const zip = await open(house, ["/drive/d", "/drive/not-included.txt"], {
      async *walk(path, options) {
        for await (const walked of view.walk(path, options)) {
          if (walked.below === "b.txt") rmSync(fileOf(house, "b.txt"));
          yield walked;
        }
      },
    });
    const texts = textsIn(await bytesOf(zip));
    expect(Object.keys(texts)).toEqual(["d/a.txt", "d/c.txt", "not-included.txt", "not-included (2).txt"]);
    expect(texts["not-included (2).txt"]).toContain("\n/drive/d/b.txt\n");
  });

  test("has the new version of what has changed since it was listed", async () => {
    await using house = await openTestHouse();
    await treeFile(house, "/drive/a.txt", "old");
    const zip = await open(house, ["/drive/a.txt"]);
    await treeFile(house, "/drive/a.txt", "new and longer");
    expect(textsIn(await bytesOf(zip))).toEqual({ "a.txt": "new and longer" });
  });

  test("breaks when a storage is in trouble, in place of ending early", async () => {
    await using house = await openTestHouse();
    for (const name of ["a", "b"]) await treeFile(house, `/drive/d/${name}.txt`, name);
    const view = viewOf(house);
    const zip = await open(house, ["/drive/d"], {
      async read(found, range) {
        if (found.entry.name === "b.txt") throw new Failure("storage.unreachable");
        return await view.read(found, range);
      },
    });
    await expect(bytesOf(zip)).rejects.toThrow("storage.unreachable");
  });

  test("breaks when a file turns out shorter than it is said to be", async () => {
    await using house = await openTestHouse();
    await treeFile(house, "/drive/a.bin", new Uint8Array(2 * MiB));
    const zip = await open(house, ["/drive/a.bin"], {
      read: async () => new Response(new Uint8Array(2 * MiB - 1)).body ?? undefined,
    });
    await expect(bytesOf(zip)).rejects.toThrow("not as many bytes");
  });

  test.each([
    ["in the middle of a file", 1],
    ["before its first byte", 0],
  ])("stops reading when nobody wants it any more, %s", async (_, given) => {
    await using house = await openTestHouse();
    for (const name of ["a", "b"]) await treeFile(house, `/drive/d/${name}.bin`, new Uint8Array(2 * MiB));
    const cancelled = Promise.withResolvers<void>();
    const opened: string[] = [];
    const broken: unknown[] = [];
    const zip = await open(house, ["/drive/d"], {
      async read({ entry }) {
        opened.push(entry.name);
        let pulls = 0;
        return new ReadableStream<Uint8Array>(
          {
            async pull(controller) {
              pulls += 1;
              if (pulls <= given) return controller.enqueue(new Uint8Array(MiB));
              await cancelled.promise;
            },
            cancel: () => cancelled.resolve(),
          },
          { highWaterMark: 0 },
        );
      },
    });
    const reader = zip.stream((error) => void broken.push(error)).getReader();
    if (given > 0) await reader.read();
    const waiting = reader.read();
    await until(
      () => opened.length,
      (count) => count > 0,
    );
    await reader.cancel();
    await Promise.all([cancelled.promise, waiting]);
    expect([opened, broken]).toEqual([["a.bin"], []]);
  });
});
