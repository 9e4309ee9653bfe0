import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fs } from "#contract/fs/fs";
import { fsJobs } from "#contract/fs/jobs";
import { fsUploads } from "#contract/fs/uploads";
import { mounts } from "#contract/mounts";
import { FOLDER } from "#contract/providers";
import { storage as storages } from "#contract/storage";
import { davCalls } from "../../../support/clients/dav.ts";
import { s3Calls } from "../../../support/clients/s3.ts";
import { ended } from "../../../support/jobs/jobs-room.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { makeMount } from "../../../support/make-mount.ts";
import { ask, presign, shareFile } from "../../../support/share-file.ts";
import { openFolderHouse } from "../../../support/stores/folder-house.ts";
import { openTestHouse } from "../../../support/test-house.ts";
import { until } from "../../../support/until.ts";

/** A house whose folder at /m may only be read and has a file and a folder, and one at /drive that may be written. */
async function openReadOnly() {
  const opened = await openFolderHouse({ readOnly: true });
  mkdirSync(join(opened.root, "album"));
  writeFileSync(join(opened.root, "album/one.txt"), "one");
  writeFileSync(join(opened.root, "note.txt"), "note");
  return opened;
}

const contentOf = (root: string) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(root.length + 1))
    .sort();

const UNTOUCHED = ["album", "album/one.txt", "note.txt"];

describe("a folder that may only be read", () => {
  test("refuses every change over REST and keeps what it has", async () => {
    await using opened = await openReadOnly();
    const { outcome, root, text } = opened;
    const refused = "403 storage.readOnly";
    const file = { fileName: "new.txt", contentType: "text/plain", fileSize: 3 };
    expect(await outcome(fs.update, { body: { path: "/m/note.txt", content: "x" } })).toBe(refused);
    expect(await outcome(fs.update, { body: { path: "/m/new.txt", content: "x" } })).toBe(refused);
    expect(await outcome(fs.mkdir, { body: { path: "/m/new" } })).toBe(refused);
    const renamed = { oldPath: "/m/note.txt", newPath: "/m/other.txt" };
    expect(await outcome(fs.rename, { body: renamed })).toBe(refused);
    expect(await outcome(fs.rename, { body: { oldPath: "/m/album", newPath: "/m/other" } })).toBe(refused);
    expect(await outcome(fsUploads.presign, { body: { path: "/m", ...file } })).toBe(refused);
    expect(await outcome(fsUploads.begin, { body: { path: "/m", ...file } as never })).toBe(refused);
    const { data } = await opened.call(fs.batchRemove, { body: { paths: ["/m/note.txt", "/m/album"] } });
    expect(JSON.stringify(data)).toContain("storage.readOnly");
    expect(contentOf(root)).toEqual(UNTOUCHED);
    expect(readFileSync(join(root, "note.txt"), "utf8")).toBe("note");
    expect(await text("/m/note.txt")).toBe("note");
  });

  test("refuses every change over WebDAV", async () => {
    await using opened = await openReadOnly();
    const dav = davCalls(opened.house);
    const answers = [
      await dav.send("PUT", "/m/note.txt", { body: "x" }),
      await dav.send("PUT", "/m/new.txt", { body: "x" }),
      await dav.send("MKCOL", "/m/new"),
      await dav.send("DELETE", "/m/note.txt"),
      await dav.copyOrMove("MOVE", "/m/note.txt", "/m/other.txt"),
      await dav.copyOrMove("MOVE", "/m/note.txt", "/drive/other.txt"),
      await dav.copyOrMove("COPY", "/m/note.txt", "/m/other.txt"),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
    expect(contentOf(opened.root)).toEqual(UNTOUCHED);
    expect(await dav.text("/m/note.txt")).toBe("note");
    expect((await dav.copyOrMove("COPY", "/m/note.txt", "/drive/copy.txt")).status).toBe(201);
  });

  test("refuses every change over S3", async () => {
    await using opened = await openReadOnly();
    const s3 = s3Calls(opened.house, await makeKey(opened.house));
    const { data: mounted } = await ask(opened.house, mounts.list, {});
    // A name of one letter is none of a bucket.
    const bucket = mounted.find(({ mount_path }) => mount_path === "/m")?.id ?? "";
    const copy = { "x-amz-copy-source": `/${bucket}/note.txt` };
    const answers = [
      await s3.put(`/${bucket}/note.txt`, "x"),
      await s3.put(`/${bucket}/new.txt`, "x"),
      await s3.put(`/${bucket}/folder/`, ""),
      await s3.send("PUT", `/${bucket}/copy.txt`, { headers: copy }),
      await s3.send("DELETE", `/${bucket}/note.txt`),
      await s3.send("POST", `/${bucket}/parts.bin`, { query: { uploads: "" } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
    expect(contentOf(opened.root)).toEqual(UNTOUCHED);
    expect((await s3.send("GET", `/${bucket}/note.txt`)).text).toBe("note");
  });

  test("takes no share's file, cannot be the default storage, and shares what it has", async () => {
    await using opened = await openReadOnly();
    const { house, storage, root, call } = opened;
    expect(await presign(house, { s3_config_id: storage.id } as never)).toMatchObject({
      status: 403,
      error: "storage.readOnly",
    });
    const asDefault = await ask(house, storages.setDefault, { params: { id: storage.id } });
    expect(asDefault).toMatchObject({ status: 403, error: "storage.readOnly" });
    const { data } = await call(fs.createShare, { body: { path: "/m/note.txt" } as never });
    const bytes = await house.request(`/api/file-download/${(data as { slug: string }).slug}`);
    expect(await bytes.text()).toBe("note");
    expect(contentOf(root)).toEqual(UNTOUCHED);
  });

  test("refuses what a job would do, and a job takes from it", async () => {
    await using opened = await openReadOnly();
    const { house, call, root, text } = opened;
    const tasks = [
      { kind: "delete", source: "/m/note.txt" },
      { kind: "copy", source: "/m/note.txt", target: "/m/copy.txt" },
      { kind: "move", source: "/m/album", target: "/drive/album" },
      { kind: "copy", source: "/m/album", target: "/drive/taken" },
    ];
    const { data } = await call(fsJobs.create, { body: { tasks } as never });
    const job = await ended(house.house.jobs, data?.id ?? "");
    expect(job.tasks.map(({ state }) => state === "completed")).toEqual([false, false, false, true]);
    expect(JSON.stringify(job)).toContain("storage.readOnly");
    expect(await text("/drive/taken/one.txt")).toBe("one");
    expect(contentOf(root)).toEqual(UNTOUCHED);
  });

  test("passes its test, which leaves nothing", async () => {
    await using opened = await openReadOnly();
    const { house, storage, root } = opened;
    const before = statSync(root).mtimeMs;
    const { data } = await ask(house, storages.test, { params: { id: storage.id }, body: {} });
    expect(data.success).toBe(true);
    expect([contentOf(root), statSync(root).mtimeMs]).toEqual([UNTOUCHED, before]);
  });
});

describe("a folder that others change", () => {
  test("is listed, read and found as it is now, however long its mount keeps lists", async () => {
    await using opened = await openFolderHouse();
    const { root, names, text, house } = opened;
    writeFileSync(join(root, "one.txt"), "one");
    expect(await names("/m")).toBe("one.txt");
    const first = await house.request("/api/fs/download?path=/m/one.txt", { headers: opened.admin });
    writeFileSync(join(root, "one.txt"), "one more");
    const second = await house.request("/api/fs/download?path=/m/one.txt", { headers: opened.admin });
    expect(await second.text()).toBe("one more");
    expect(second.headers.get("etag")).not.toBe(first.headers.get("etag"));
    renameSync(join(root, "one.txt"), join(root, "two.txt"));
    mkdirSync(join(root, "folder"));
    expect(await names("/m")).toBe("folder/ two.txt");
    expect(await text("/m/one.txt")).toBe("path.missing");
    rmSync(root, { recursive: true });
    expect(await names("/m")).toBe("storage.unreachable");
  });

  test("is listed as it is when it is asked for, also by whoever asks while another list is on its way", async () => {
    await using opened = await openFolderHouse();
    const { root, names } = opened;
    for (let index = 0; index < 2500; index++) writeFileSync(join(root, `file ${index}`), "x");
    const before = names("/m");
    const asked = Array.from({ length: 5 }, (_, index) => {
      writeFileSync(join(root, `later ${index}`), "x");
      return names("/m");
    });
    await before;
    for (const [index, later] of asked.entries())
      expect((await later).split("later ").length - 1).toBeGreaterThan(index);
  });

  test("is known to have another file where one was written over with its size and its time", async () => {
    await using opened = await openFolderHouse();
    const { root, house, admin } = opened;
    const path = join(root, "container.bin");
    writeFileSync(path, "before");
    utimesSync(path, 1, 1);
    const headers = async () => await house.request("/api/fs/download?path=/m/container.bin", { headers: admin });
    const first = await headers();
    writeFileSync(path, "after!");
    utimesSync(path, 1, 1);
    const second = await house.request("/api/fs/download?path=/m/container.bin", {
      headers: { ...admin, "if-none-match": first.headers.get("etag") ?? "" },
    });
    expect([second.status, await second.text()]).toEqual([200, "after!"]);
    const { data } = await opened.list("/m");
    expect(`"${data?.items[0]?.etag}"`).toBe(second.headers.get("etag") ?? "");
  });

  test("is found by search within an hour where nobody has looked, and what is gone is not", async () => {
    await using opened = await openFolderHouse();
    const { root, house, call } = opened;
    const found = async (): Promise<string[]> => {
      const { data } = await call(fs.search, { query: { q: "hidden" } as never });
      return data?.results.map(({ path }) => path) ?? [];
    };
    await house.house.vfs.sweepIndex();
    await until(async () => (await house.house.vfs.search.status(opened.storage.id)).built_at !== null, Boolean);
    mkdirSync(join(root, "deep/er"), { recursive: true });
    writeFileSync(join(root, "deep/er/hidden.txt"), "x");
    expect(await found()).toEqual([]);
    house.clock.advance(61 * 60_000);
    await house.house.vfs.sweepIndex();
    expect(await until(found, (paths) => paths.length > 0)).toEqual(["/m/deep/er/hidden.txt"]);
    rmSync(join(root, "deep"), { recursive: true });
    house.clock.advance(61 * 60_000);
    await house.house.vfs.sweepIndex();
    expect(await until(found, (paths) => paths.length === 0)).toEqual([]);
  });

  test("takes a share's file, which is there for others", async () => {
    await using opened = await openFolderHouse();
    const share = await shareFile(opened.house, { s3_config_id: opened.storage.id, content: "hello" } as never);
    const bytes = await opened.house.request(`/api/file-download/${share.slug}`);
    expect(await bytes.text()).toBe("hello");
    expect(contentOf(opened.root).filter((name) => statSync(join(opened.root, name)).isFile())).toHaveLength(1);
  });
});

describe("folders as storages", () => {
  const request = (bucket_name: string, fields: object = {}) =>
    ({ name: "Photos", provider_type: FOLDER, bucket_name, ...fields }) as never;

  test("are those that the operator named, each once, and stay what they are", async () => {
    await using opened = await openFolderHouse({ readOnly: true });
    const { house, storage } = opened;
    for (const name of ["etc", "/etc", "../etc", "photos"])
      expect((await ask(house, storages.create, { body: request(name) })).status).toBe(400);
    expect(storage).toMatchObject({ bucket_name: "photos", read_only: true });
    expect(JSON.stringify(storage)).not.toContain(opened.root);
    const { data } = await ask(house, storages.folders, {});
    expect(data).toEqual([{ id: "photos", read_only: true, used: true }]);
    for (const body of [{ bucket_name: "other" }, { provider_type: "Built-in disk" }])
      expect(await ask(house, storages.update, { params: { id: storage.id }, body })).toMatchObject({
        status: 400,
        error: "storage.fixed",
      });
  });

  test("are shown to the administrator alone", async () => {
    await using house = await openTestHouse();
    const { status } = await house.request("/api/s3-configs/folders", { headers: withKey(await makeKey(house)) });
    expect(status).toBe(403);
  });

  test("of another server answer 503 with a sentence, and other storages go on", async () => {
    await using opened = await openFolderHouse();
    const beside = { db: opened.house.db, objects: opened.house.objects };
    await using other = await openTestHouse({ beside });
    const headers = { authorization: `Bearer ${await other.signIn()}` };
    const listed = await other.request("/api/fs/list?path=/m", { headers });
    expect([listed.status, await listed.text()]).toEqual([503, expect.stringContaining("storage.notHere")]);
    expect((await other.request("/api/s3-configs", { headers })).status).toBe(200);
    expect((await shareFile(other, { content: "here" })).slug).toBeString();
  });
});

describe("a COPY of a file that another program writes into meanwhile", () => {
  /** A folder whose file is written into `times` times, each time after a copy was begun and before it is made. */
  async function openWritten() {
    const looks = { count: 0, first: Number.POSITIVE_INFINITY, times: 0 };
    let path = "";
    const opened = await openFolderHouse({
      // The store looks how much room there is right before it copies.
      volume() {
        looks.count += 1;
        if (looks.count >= looks.first && looks.times > 0) {
          looks.times -= 1;
          writeFileSync(path, "b".repeat(1000), { flag: "r+" });
          // A clock that stands still for a write would hide it.
          utimesSync(path, 1, looks.count);
        }
        return { size: 1e12, free: 1e12 };
      },
    });
    path = join(opened.root, "a.txt");
    await makeMount(opened.house, { mount_path: "/photos", storage_config_id: opened.storage.id });
    await s3Calls(opened.house, await makeKey(opened.house)).put("/photos/a.txt", "a".repeat(1000));
    const dav = davCalls(opened.house);
    return {
      ...opened,
      dav,
      /** Begins to write at the last look of a COPY. */
      async writing(times: number): Promise<void> {
        looks.count = 0;
        await dav.copyOrMove("COPY", "/m/a.txt", "/m/c.txt");
        Object.assign(looks, { first: looks.count, count: 0, times });
      },
      over: () => looks.times === 0,
    };
  }

  test("copies it again, and says of it what it is", async () => {
    await using opened = await openWritten();
    const { dav, text, over } = opened;
    const before = (await dav.send("HEAD", "/m/a.txt")).headers.get("etag");
    await opened.writing(1);
    expect((await dav.copyOrMove("COPY", "/m/a.txt", "/m/b.txt")).status).toBe(201);
    expect([over(), await text("/m/b.txt")]).toEqual([true, "b".repeat(1000)]);
    expect((await dav.send("HEAD", "/m/b.txt")).headers.get("etag")).not.toBe(before);
  });

  test("is refused when that never ends, and leaves nothing", async () => {
    await using opened = await openWritten();
    const { dav, root } = opened;
    await opened.writing(Number.POSITIVE_INFINITY);
    expect(await dav.copyOrMove("COPY", "/m/a.txt", "/m/b.txt")).toMatchObject({ status: 409, code: "path.conflict" });
    expect(
      await until(
        () => readdirSync(root).sort(),
        ({ length }) => length === 2,
      ),
    ).toEqual(["a.txt", "c.txt"]);
  });
});
