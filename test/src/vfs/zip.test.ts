import { describe, expect, spyOn, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "#contract/failures";
import { nameOf } from "#contract/paths";
import type { Caller } from "../../../src/access/principal.ts";
import type { OpenFile, Walked } from "../../../src/vfs/read.ts";
import type { View } from "../../../src/vfs/view.ts";
import { openZip, type Zip } from "../../../src/vfs/zip.ts";
import { createTopNames, safePath } from "../../../src/vfs/zip-names.ts";
import { namesIn, readZip, textsIn } from "../../support/files/read-zip.ts";
import { filesOf } from "../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";
import { oddNames, treeFile, treeFolder } from "../../support/tree/files.ts";
import { until } from "../../support/until.ts";

const admin: Caller = { kind: "admin", sessionId: null };
const MiB = 1024 * 1024;

const viewOf = ({ house }: TestHouse): Promise<View> => house.vfs.as(admin, "mount");

/** What happens while an archive is made. */
interface Interposed {
  /** Called when the walk meets an object. */
  readonly met?: (walked: Walked) => void;
  /** Takes the place of reading a file. */
  readonly read?: (path: string, read: OpenFile["read"]) => ReturnType<OpenFile["read"]>;
}

/** The tree, with something between it and the archive. */
async function interposed(house: TestHouse, { met, read }: Interposed): Promise<Pick<View, "at">> {
  const view = await viewOf(house);
  const reading = <File extends Pick<OpenFile, "read">>(path: string, file: File): File =>
    read ? { ...file, read: () => read(path, file.read) } : file;
  return {
    at(path) {
      const node = view.at(path);
      return {
        ...node,
        open: async () => reading(path, await node.open()),
        async *walk() {
          for await (const walked of node.walk()) {
            met?.(walked);
            yield reading(walked.path, walked);
          }
        },
      };
    },
  };
}

const open = async (house: TestHouse, paths: readonly string[], between: Interposed = {}) =>
  openZip({
    view: await interposed(house, between),
    paths,
    clock: house.clock.now,
    recheck: async () => undefined,
    signal: new AbortController().signal,
  });

/** All of an archive; throws what it was broken by. */
async function bytesOf(zip: Zip): Promise<Uint8Array> {
  let why: unknown;
  try {
    return await new Response(
      zip.stream({
        broken(error) {
          why = error;
        },
        keep: async () => undefined,
        ended: () => undefined,
        sent: () => undefined,
        stopping: new AbortController().signal,
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

test("an archive that nobody waits for any more is not looked through to its end", async () => {
  await using house = await openTestHouse();
  const paths = Array.from({ length: 80 }, (_, index) => `/drive/${index}`);
  for (const path of paths) await treeFile(house, path, "a");
  const view = await viewOf(house);
  const gone = new AbortController();
  let looks = 0;
  const counted: Pick<View, "at"> = {
    at(path) {
      looks += 1;
      if (looks === 5) gone.abort();
      return view.at(path);
    },
  };
  await openZip({
    view: counted,
    paths,
    clock: house.clock.now,
    recheck: async () => undefined,
    signal: gone.signal,
  });
  expect(looks).toBeLessThan(40);
});

describe("the names in an archive", () => {
  test.each([
    ["one name", () => "a.txt"],
    ["names that are cut alike", (index: number) => `${"x".repeat(250)}${100 + (index % 150)}`],
  ])("of %s take work for each, not for each pair", (_, nameOf) => {
    const names = createTopNames();
    const looks = spyOn(String.prototype, "normalize");
    try {
      const taken = Array.from({ length: 300 }, (_, index) => names.take(nameOf(index), "file"));
      expect(new Set(taken).size).toBe(300);
      expect(looks.mock.calls.length).toBeLessThan(300 * 8);
    } finally {
      looks.mockRestore();
    }
  });

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
    const { head } = await (await viewOf(house)).at("/drive/odd/with spaces.txt").open();
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
    const zip = await open(house, ["/drive/d", "/drive/not-included.txt"], {
      met({ below }) {
        if (below === "b.txt") rmSync(fileOf(house, "b.txt"));
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
    const zip = await open(house, ["/drive/d"], {
      async read(path, read) {
        if (path.endsWith("/b.txt")) throw new Failure("storage.unreachable");
        return await read();
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
    ["nobody wants it any more, in the middle of a file", 1, "cancel"],
    ["nobody wants it any more, before its first byte", 0, "cancel"],
    ["it is ended for others, in the middle of a file", 1, "end"],
    ["it is ended for others, before its first byte", 0, "end"],
  ])("stops reading when %s", async (_, given, how) => {
    await using house = await openTestHouse();
    for (const name of ["a", "b"]) await treeFile(house, `/drive/d/${name}.bin`, new Uint8Array(2 * MiB));
    const cancelled = Promise.withResolvers<void>();
    const opened: string[] = [];
    const broken: unknown[] = [];
    const ends: string[] = [];
    const stopping = new AbortController();
    const zip = await open(house, ["/drive/d"], {
      async read(path) {
        opened.push(nameOf(path));
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
    const reader = zip
      .stream({
        broken: (error) => void broken.push(error),
        keep: async () => undefined,
        ended: () => void ends.push("ended"),
        sent: () => undefined,
        stopping: stopping.signal,
      })
      .getReader();
    if (given > 0) await reader.read();
    const waiting = reader.read().catch(() => undefined);
    await until(
      () => opened.length,
      (count) => count > 0,
    );
    if (how === "cancel") await reader.cancel();
    else stopping.abort();
    await Promise.all([cancelled.promise, waiting]);
    expect([opened, broken.map(String), ends]).toEqual([
      ["a.bin"],
      how === "cancel" ? [] : ["Failure: server.busy"],
      ["ended"],
    ]);
  });
});
