import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "../../../src/database/database.ts";
import type { ObjectStore } from "../../../src/stores/store.ts";
import { storeSuite } from "../../suites/store.ts";
import { bytesIn, bytesOf, MiB, putText, same, stalled, streamed, textAt, whole } from "../../suites/store-bodies.ts";
import { openDiskStore } from "../../support/disk-store.ts";

storeSuite("disk", openDiskStore);

const everything = { prefix: "", limit: 1000 };
const failure = (code: string) => ({ code });

/** A request as it comes over HTTP, its length declared. */
const framed = (text: string): Request =>
  new Request("http://satchel.test/", {
    method: "PUT",
    body: text,
    headers: { "content-length": String(Buffer.byteLength(text)) },
  });

const refused: [string, string][] = [
  ["..", "a folder above"],
  ["../a", "a file above"],
  ["a/../../b", "a way out in the middle"],
  ["a/..", "a way up at the end"],
  [".", "the folder itself"],
  ["a/./b", "a dot in the middle"],
  ["/a", "an absolute path"],
  ["/etc/passwd", "another one"],
  ["", "nothing"],
  ["/", "a slash"],
  ["a//b", "an empty segment"],
  ["a\u0000.txt", "NUL"],
  ["a\\..\\b", "backslashes"],
  ["a\nb", "a line feed"],
  ["x".repeat(256), "a segment of 256 bytes"],
  ["文".repeat(86), "a segment of 258 bytes in 86 characters"],
  [`${"x/".repeat(512)}y`, "a key of 1,025 bytes"],
  ["a\ud800", "half a character"],
];

describe("keys that cannot be", () => {
  test.each(refused.map(([key, why]) => [why, key]))("%s is refused by every verb", async (_, key) => {
    await using disk = await openDiskStore();
    const { store } = disk;
    await putText(store, "from", "x");
    const tries = [
      () => putText(store, key, "x"),
      () => store.put(key, streamed(Buffer.from("x")), { type: "a/b" }),
      () => store.get(key),
      () => store.head(key),
      () => store.remove([key]),
      () => store.copy("from", key),
      () => store.copy(key, "to"),
      () => store.createMultipart(key, { type: "a/b" }),
    ];
    for (const attempt of tries) await expect(attempt()).rejects.toMatchObject(failure("path.invalid"));
    expect(await readdir(disk.drive)).toEqual(["from"]);
    expect(await readdir(disk.outside)).toEqual(["objects"]);
    expect(await readdir(disk.incoming)).toEqual([]);
    expect(await readdir(disk.multipart)).toEqual([]);
  });

  test("a file cannot be where a folder's key is", async () => {
    await using disk = await openDiskStore();
    const { store } = disk;
    await putText(store, "from", "x");
    await expect(store.copy("from", "to/")).rejects.toMatchObject(failure("path.invalid"));
    await expect(store.createMultipart("to/", { type: "a/b" })).rejects.toMatchObject(failure("path.invalid"));
  });

  test.each(["..", "../", "a/../", "./", "//", "../drive/", "a\u0000/"])(
    "nothing is listed below %p",
    async (prefix) => {
      await using disk = await openDiskStore();
      await putText(disk.store, "a/b", "x");
      for (const delimiter of [undefined, "/"] as const) {
        expect(await disk.store.list({ prefix, delimiter, limit: 10 })).toMatchObject({ objects: [], folders: [] });
      }
    },
  );

  test.each([
    ["a key below a file", "file/below", "file"],
    ["a key far below a file", "file/be/low", "file"],
    ["a file in place of a folder", "folder", "folder/file"],
    ["an empty folder in place of a file", "file/", "file"],
  ])("%s is a conflict, and what is there stays", async (_, key, kept) => {
    await using disk = await openDiskStore();
    const { store } = disk;
    const before = await putText(store, kept, "kept");
    await putText(store, "from", "x");
    await expect(putText(store, key, "x")).rejects.toMatchObject(failure("path.conflict"));
    if (!key.endsWith("/")) {
      await expect(store.copy("from", key)).rejects.toMatchObject(failure("path.conflict"));
      const upload = await store.createMultipart(key, { type: "a/b" });
      const part = await store.putPart(upload, 1, whole("x"), { length: 1 });
      await expect(store.completeMultipart(upload, [part])).rejects.toMatchObject(failure("path.conflict"));
      expect(await store.listParts(upload)).toEqual([part]);
    }
    expect(await store.head(kept)).toEqual(before);
    expect(await textAt(store, kept)).toBe("kept");
    expect(await readdir(disk.incoming)).toEqual([]);
  });
});

describe("links that lead elsewhere", () => {
  const withLinks = async () => {
    const disk = await openDiskStore();
    await mkdir(join(disk.outside, "secret/sub"), { recursive: true });
    await writeFile(join(disk.outside, "secret/file"), "secret");
    await writeFile(join(disk.outside, "secret/sub/deep"), "secret");
    await symlink(join(disk.outside, "secret"), join(disk.drive, "link"));
    await symlink(join(disk.outside, "secret/file"), join(disk.drive, "file-link"));
    await symlink("loop", join(disk.drive, "loop"));
    await putText(disk.store, "here", "x");
    return disk;
  };

  test("a folder that is a link opens nothing, for no verb", async () => {
    await using disk = await withLinks();
    const { store } = disk;
    const invalid = failure("path.invalid");
    for (const key of ["link/file", "link/sub/deep"]) {
      await expect(store.get(key)).rejects.toMatchObject(invalid);
      await expect(store.head(key)).rejects.toMatchObject(invalid);
      await expect(store.remove([key])).rejects.toMatchObject(invalid);
      await expect(store.copy(key, "copy")).rejects.toMatchObject(invalid);
    }
    for (const key of ["link/file", "link/sub", "link/new", "link/sub/new", "link/new/er/file", "link/new/"]) {
      await expect(putText(store, key, "x")).rejects.toMatchObject(invalid);
      await expect(store.copy("here", key)).rejects.toMatchObject(invalid);
    }
    expect((await readdir(join(disk.outside, "secret"))).sort()).toEqual(["file", "sub"]);
    expect(await readdir(join(disk.outside, "secret/sub"))).toEqual(["deep"]);
    expect(await readFile(join(disk.outside, "secret/file"), "utf8")).toBe("secret");
  });

  test("a list shows neither links nor what is behind them", async () => {
    await using disk = await withLinks();
    for (const delimiter of [undefined, "/"] as const) {
      const root = await disk.store.list({ prefix: "", delimiter, limit: 100 });
      expect(root).toMatchObject({ objects: [{ key: "here" }], folders: [] });
      for (const prefix of ["link", "link/", "link/s", "link/sub/", "loop/"]) {
        const behind = await disk.store.list({ prefix, delimiter, limit: 100 });
        expect(behind).toEqual({ objects: [], folders: [], next: undefined });
      }
    }
  });

  test("a file that is a link is not there, and is replaced, not followed", async () => {
    await using disk = await withLinks();
    const { store } = disk;
    expect(await store.get("file-link")).toBeUndefined();
    expect(await store.head("file-link")).toBeUndefined();
    await store.remove(["file-link"]);
    expect(existsSync(join(disk.outside, "secret/file"))).toBe(true);
    await putText(store, "file-link", "mine");
    expect(await textAt(store, "file-link")).toBe("mine");
    expect(await readFile(join(disk.outside, "secret/file"), "utf8")).toBe("secret");
  });

  test("a link that leads in circles is no bug", async () => {
    await using disk = await withLinks();
    expect(await disk.store.head("loop")).toBeUndefined();
    for (const attempt of [() => disk.store.head("loop/a"), () => putText(disk.store, "loop/a/b", "x")]) {
      await expect(attempt()).rejects.toMatchObject(failure("path.invalid"));
    }
  });
});

describe("files that a person put there", () => {
  const byHand = async (drive: string, key: string, text: string) => {
    await mkdir(join(drive, key, ".."), { recursive: true });
    await writeFile(join(drive, key), text);
  };

  test("have an ETag and the type of their name", async () => {
    await using disk = await openDiskStore();
    await byHand(disk.drive, "photos/cat.png", "not really");
    const head = await disk.store.head("photos/cat.png");
    expect(head).toMatchObject({ size: 10, type: "image/png" });
    expect(head?.etag).toMatch(/^[0-9a-f]{32}-1$/);
    expect(await disk.store.head("photos/cat.png")).toEqual(head);
    expect((await disk.store.list(everything)).objects).toEqual(head ? [head] : []);
    await utimes(join(disk.drive, "photos/cat.png"), 1, 1);
    expect((await disk.store.head("photos/cat.png"))?.etag).not.toBe(head?.etag);
  });

  test("in place of another make void what was known of that", async () => {
    await using disk = await openDiskStore();
    const { store, drive } = disk;
    for (const replace of [
      () => writeFile(join(drive, "a.txt"), "by hand"),
      async () => {
        await writeFile(join(drive, "other"), "by hand");
        await rename(join(drive, "other"), join(drive, "a.txt"));
      },
    ]) {
      const before = await store.put("a.txt", whole("by code"), { type: "image/png", length: 7 });
      // A clock that stands still for a write would hide it.
      await utimes(join(drive, "a.txt"), 1, 1);
      await replace();
      const after = await store.head("a.txt");
      expect(after).toMatchObject({ size: 7, type: "text/plain" });
      expect(after?.etag).not.toBe(before.etag);
      expect(await textAt(store, "a.txt")).toBe("by hand");
    }
  });

  test("with a path too long for a key, or a name that no key has, do not spoil a list", async () => {
    await using disk = await openDiskStore();
    const long = Array.from({ length: 6 }, () => "x".repeat(200)).join("/");
    await byHand(disk.drive, `${long}/file`, "x");
    await byHand(disk.drive, "back\\slash", "x");
    await byHand(disk.drive, "line\nfeed/file", "x");
    const before = await putText(disk.store, "z", "x");
    expect((await disk.store.list(everything)).objects).toEqual([before]);
  });

  test("with a name that is not UTF-8 do not spoil a list", async () => {
    await using disk = await openDiskStore();
    await writeFile(Buffer.concat([Buffer.from(`${disk.drive}/`), Buffer.from([0x61, 0xff, 0x62])]), "x");
    const before = await putText(disk.store, "z", "x");
    expect((await disk.store.list(everything)).objects).toEqual([before]);
  });
});

describe("what is not whole", () => {
  test("stands where nobody sees it, and goes when it breaks", async () => {
    await using disk = await openDiskStore();
    const cut = stalled(Buffer.from("half"));
    const put = disk.store.put("a/b", cut.body, { type: "a/b", length: 8 });
    await Promise.race([cut.taken, put]);
    expect((await readdir(disk.incoming)).length).toBe(1);
    expect(await readdir(disk.drive)).toEqual([]);
    cut.break();
    await expect(put).rejects.toMatchObject(failure("upload.length"));
    expect(await readdir(disk.incoming)).toEqual([]);
    expect(await readdir(disk.drive)).toEqual([]);
  });

  test("is gone after the next start, but for uploads in parts, which go on", async () => {
    await using disk = await openDiskStore();
    const bytes = bytesOf(MiB + 5);
    const upload = await disk.store.createMultipart("big", { type: "image/png", partSize: MiB });
    const first = await disk.store.putPart(upload, 1, whole(bytes.slice(0, MiB)), { length: MiB });
    const again = await disk.store.putPart(upload, 1, whole(bytes.slice(0, MiB)), { length: MiB });
    expect(again.etag).not.toBe(first.etag);
    await writeFile(join(disk.incoming, "left"), "half");
    await mkdir(join(disk.multipart, "left"));
    await writeFile(join(disk.multipart, "left/object"), "half");
    const store = await disk.reopen();
    expect(await readdir(disk.incoming)).toEqual([]);
    expect(await readdir(disk.multipart)).toEqual([upload]);
    expect(await store.listParts(upload)).toEqual([again]);
    const second = await store.putPart(upload, 2, whole(bytes.slice(MiB)), { length: 5 });
    await store.completeMultipart(upload, [again, second]);
    expect(same(await bytesIn(await store.get("big")), bytes)).toBe(true);
    expect(await readdir(disk.multipart)).toEqual([]);
  });

  test("a completed upload that was published before the process ended can be completed again", async () => {
    await using disk = await openDiskStore();
    const upload = await disk.store.createMultipart("big", { type: "image/png", partSize: 10 });
    const part = await disk.store.putPart(upload, 1, whole("0123456789"), { length: 10 });
    // As kill -9 between the rename and the next statement leaves it.
    await rename(join(disk.multipart, upload, "object"), join(disk.drive, "big"));
    const store = await disk.reopen();
    expect(await store.completeMultipart(upload, [part])).toMatchObject({ key: "big", size: 10 });
    expect(await textAt(store, "big")).toBe("0123456789");
    expect(await readdir(disk.multipart)).toEqual([]);
  });

  test("a completion that failed does not lose the parts that it left out", async () => {
    await using disk = await openDiskStore();
    const { store } = disk;
    await putText(store, "big/blocks", "x");
    const upload = await store.createMultipart("big", { type: "a/b", partSize: 4 });
    const first = await store.putPart(upload, 1, whole("abcd"), { length: 4 });
    const second = await store.putPart(upload, 2, whole("efgh"), { length: 4 });
    await expect(store.completeMultipart(upload, [first])).rejects.toMatchObject(failure("path.conflict"));
    await store.remove(["big/blocks", "big/"]);
    await store.completeMultipart(upload, [first, second]);
    expect(await textAt(store, "big")).toBe("abcdefgh");
  });
});

describe("attributes", () => {
  const rows = (db: Awaited<ReturnType<typeof openDiskStore>>["db"]) =>
    db.all<{ key: string }>(sql`select key from disk_attributes order by key`);

  test("outlive the process", async () => {
    await using disk = await openDiskStore();
    const before = await disk.store.put("a.txt", whole("x"), { type: "image/png", length: 1 });
    const store = await disk.reopen();
    expect(await store.head("a.txt")).toEqual(before);
  });

  test("are kept once for each file, and go with it", async () => {
    await using disk = await openDiskStore();
    const { store, db } = disk;
    for (const text of ["1", "2", "3"]) await putText(store, "a", text);
    await putText(store, "b", "x");
    expect(await rows(db)).toEqual([{ key: "a" }, { key: "b" }]);
    await store.remove(["a", "b"]);
    expect(await rows(db)).toEqual([]);
  });

  test("are not kept of what was never published", async () => {
    await using disk = await openDiskStore();
    const { store, db } = disk;
    await putText(store, "folder/file", "x");
    const abort = new AbortController();
    abort.abort(new Error("no more"));
    // Nothing is read of it, so that it gets as far as it can.
    const late = store.put("late", framed(""), { type: "a/b", length: 0, signal: abort.signal });
    await expect(late).rejects.toThrow("no more");
    await expect(putText(store, "folder", "x")).rejects.toMatchObject(failure("path.conflict"));
    expect(await rows(db)).toEqual([{ key: "folder/file" }]);
  });
});

test("files are readable only by whoever runs the server, under the umask that it sets itself", async () => {
  await using disk = await openDiskStore();
  const before = process.umask(0o077);
  try {
    await putText(disk.store, "deep/a", "x");
    const streamedBody: Parameters<ObjectStore["put"]>[1] = streamed(Buffer.from("x"));
    await disk.store.put("deep/b", streamedBody, { type: "a/b" });
  } finally {
    process.umask(before);
  }
  for (const name of ["deep", "deep/a", "deep/b"]) {
    expect((await stat(join(disk.drive, name))).mode & 0o077).toBe(0);
  }
});

test("free says how much room there is", async () => {
  await using disk = await openDiskStore();
  expect(await disk.store.free()).toBeGreaterThan(MiB);
});
