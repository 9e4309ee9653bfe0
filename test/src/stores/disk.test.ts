import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "../../../src/database/sql.ts";
import { storeSuite } from "../../suites/store.ts";
import { putText, streamed, textAt, whole } from "../../suites/store-bodies.ts";
import { openDiskStore } from "../../support/stores/disk-store.ts";

storeSuite("disk", openDiskStore, { listsTypes: true, freshTags: true, leavesPartsOut: true, hasTree: true });

const failure = (code: string) => ({ code });

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
      const upload = { key, upload: await store.createMultipart(key, { type: "a/b" }) };
      const part = await store.putPart(upload, 1, whole("x"), { length: 1 });
      await expect(store.completeMultipart(upload, [part])).rejects.toMatchObject(failure("path.conflict"));
      expect(await store.listParts(upload)).toEqual([part]);
    }
    expect(await store.head(kept)).toEqual(before);
    expect(await textAt(store, kept)).toBe("kept");
    expect(await readdir(disk.incoming)).toEqual([]);
  });
});

describe("records that come from an archive of somebody else", () => {
  test.each(["..", "../beside", "/tmp", ".incoming", "drive/../../beside"])(
    "which name the bucket %j open no folder",
    async (name) => {
      await using disk = await openDiskStore();
      await disk.db.run(sql`update storage_configs set bucket_name = ${name}`);
      expect(await disk.reopen().catch((error) => error)).toMatchObject(failure("storage.bucket"));
      expect(await readdir(disk.outside)).toEqual(["objects"]);
    },
  );

  test.each(["../../beside", "..", "/tmp", "../drive"])(
    "which name the upload %j remove and read nothing",
    async (upload) => {
      await using disk = await openDiskStore();
      const { store } = disk;
      await putText(store, "kept", "x");
      await mkdir(join(disk.outside, "beside"));
      await writeFile(join(disk.outside, "beside/mine.txt"), "mine");
      await store.abortMultipart({ key: "a", upload });
      const next = async () => await store.nextParts?.({ key: "a", upload }, { number: 0, end: 0 });
      expect(await next().catch((error) => error)).toMatchObject(failure("upload.missing"));
      expect(await readFile(join(disk.outside, "beside/mine.txt"), "utf8")).toBe("mine");
      expect(await textAt(store, "kept")).toBe("x");
    },
  );
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
