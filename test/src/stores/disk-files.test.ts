import { describe, expect, test } from "bun:test";
import { mkdir, readdir, rename, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "../../../src/database/sql.ts";
import type { MultipartName, ObjectStore } from "../../../src/stores/store.ts";
import { bytesIn, bytesOf, MiB, putText, same, stalled, streamed, textAt, whole } from "../../suites/store-bodies.ts";
import { openDiskStore } from "../../support/stores/disk-store.ts";

/** What the built-in store makes of the files that it finds: put there by a person, or left by a process that was killed. */

const everything = { prefix: "", limit: 1000 };
const failure = (code: string) => ({ code });

/** Begins an upload in parts. */
const begin = async (store: ObjectStore, partSize: number): Promise<MultipartName> => {
  const upload = await store.createMultipart("big", { type: "image/png", partSize });
  return { key: "big", upload };
};

/** A request as it comes over HTTP, its length declared. */
const framed = (text: string): Request =>
  new Request("http://satchel.test/", {
    method: "PUT",
    body: text,
    headers: { "content-length": String(Buffer.byteLength(text)) },
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
    const upload = await begin(disk.store, MiB);
    const first = await disk.store.putPart(upload, 1, whole(bytes.slice(0, MiB)), { length: MiB });
    const again = await disk.store.putPart(upload, 1, whole(bytes.slice(0, MiB)), { length: MiB });
    expect(again.etag).not.toBe(first.etag);
    await writeFile(join(disk.incoming, "left"), "half");
    await mkdir(join(disk.multipart, "left"));
    await writeFile(join(disk.multipart, "left/object"), "half");
    const store = await disk.reopen();
    expect(await readdir(disk.incoming)).toEqual([]);
    expect(await readdir(disk.multipart)).toEqual([upload.upload]);
    expect(await store.listParts(upload)).toEqual([again]);
    const second = await store.putPart(upload, 2, whole(bytes.slice(MiB)), { length: 5 });
    await store.completeMultipart(upload, [again, second]);
    expect(same(await bytesIn(await store.get("big")), bytes)).toBe(true);
    expect(await readdir(disk.multipart)).toEqual([]);
  });

  /** An upload in parts whose file came to its key right before kill -9, as the next start finds it. */
  const published = async (disk: Awaited<ReturnType<typeof openDiskStore>>) => {
    const upload = await begin(disk.store, 10);
    const part = await disk.store.putPart(upload, 1, whole("0123456789"), { length: 10 });
    const asked = Promise.withResolvers<void>();
    const beforeCommit = () => {
      asked.resolve();
      return new Promise<void>(() => undefined);
    };
    void disk.store.completeMultipart(upload, [part], { beforeCommit });
    await asked.promise;
    await rename(join(disk.multipart, upload.upload, "object"), join(disk.drive, "big"));
    return { store: await disk.reopen(), upload, part };
  };

  test("a completed upload that was published before the process ended can be completed again", async () => {
    await using disk = await openDiskStore();
    const { store, upload, part } = await published(disk);
    expect(await store.completeMultipart(upload, [part])).toMatchObject({ key: "big", size: 10 });
    expect(await textAt(store, "big")).toBe("0123456789");
    expect(await readdir(disk.multipart)).toEqual([]);
  });

  test("a completed upload is not what somebody else has written in its place since", async () => {
    await using disk = await openDiskStore();
    const { store, upload, part } = await published(disk);
    await putText(store, "big", "9876543210");
    expect(await store.completeMultipart(upload, [part]).catch((error) => error)).toMatchObject(
      failure("upload.missing"),
    );
    expect(await textAt(store, "big")).toBe("9876543210");
  });

  test("a completion that failed does not lose the parts that it left out", async () => {
    await using disk = await openDiskStore();
    const { store } = disk;
    await putText(store, "big/blocks", "x");
    const upload = await begin(store, 4);
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
    await disk.store.put("deep/b", streamed(Buffer.from("x")), { type: "a/b" });
    await disk.store.put("deep/c", framed("x"), { type: "a/b", length: 1 });
  } finally {
    process.umask(before);
  }
  for (const name of ["deep", "deep/a", "deep/b", "deep/c"]) {
    expect((await stat(join(disk.drive, name))).mode & 0o077).toBe(0);
  }
});

test("free says how much room there is", async () => {
  await using disk = await openDiskStore();
  expect(await disk.store.free()).toBeGreaterThan(MiB);
});
