import { describe, expect, test } from "bun:test";
import { files } from "#contract/files";
import { uploads } from "#contract/uploads";
import { sql } from "../../../../../../src/database/sql.ts";
import { ask, commit, filesOf, nothing, presign, put, remains, shareFile } from "../../../../../support/share-file.ts";
import { days } from "../../../../../support/test-clock.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";

/** Uploads that meet others: of the same name, of the same file, or those who end them. */

const MiB = 1024 * 1024;
const cancel = (house: TestHouse, ...ids: string[]) => ask(house, files.remove, { body: { ids } });
const text = async (house: TestHouse, slug: string) => (await house.request(`/api/file-download/${slug}`)).text();
const quota = (house: TestHouse, bytes: number) =>
  house.configure(sql`update storage_configs set total_storage_bytes = ${bytes}`);

/** A share that visitors see has its file for good. */
const unfinished = (house: TestHouse) =>
  house.db.all(sql`
    select slug from files join uploads on uploads.id = upload where pending = 0 and state <> 'ready'`);

describe("the address of an upload that is over", () => {
  test("does not reach another that got the same key", async () => {
    await using house = await openTestHouse();
    const old = await presign(house, { filename: "invoice.txt" });
    await cancel(house, old.data.file_id);
    const next = await presign(house, { filename: "invoice.txt", slug: "invoice" });
    expect(next.data.storage_path).toBe(old.data.storage_path);
    expect((await put(house, next.data.upload_url, "right")).status).toBe(200);
    expect((await put(house, old.data.upload_url, "wrong")).status).toBe(404);
    await commit(house, next.data.file_id);
    expect((await put(house, old.data.upload_url, "wrong")).status).toBe(404);
    expect(await text(house, "invoice")).toBe("right");
  });

  test("in parts does not either", async () => {
    await using house = await openTestHouse();
    const body = { filename: "big.bin", size: 6 * MiB, part_size: 5 * MiB };
    const old = await ask(house, uploads.begin, { body });
    await cancel(house, old.data.file_id);
    await ask(house, uploads.begin, { body });
    const stale = await put(
      house,
      old.data.presigned_urls[1]?.url ?? "",
      new Uint8Array(MiB),
      "application/octet-stream",
    );
    expect(stale.status).toBe(404);
    expect((await remains(house)).parts).toBe(0);
  });
});

describe("finishing", () => {
  test("twice at once, of a file whose size nobody knew, counts it once", async () => {
    await using house = await openTestHouse();
    await quota(house, 8);
    const { data } = await presign(house, { size: undefined, slug: "once" });
    await put(house, data.upload_url, "hello");
    const answers = await Promise.all(Array.from({ length: 5 }, () => commit(house, data.file_id)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await text(house, "once")).toBe("hello");
    expect(await unfinished(house)).toEqual([]);
  });

  test("too early, several times at once, keeps the upload open", async () => {
    await using house = await openTestHouse();
    const { data } = await presign(house, { slug: "early" });
    const answers = await Promise.all(Array.from({ length: 5 }, () => commit(house, data.file_id)));
    expect(answers.map(({ error }) => error)).toEqual(Array.from({ length: 5 }, () => "upload.incomplete"));
    expect((await put(house, data.upload_url, "hello")).status).toBe(200);
    expect((await commit(house, data.file_id)).status).toBe(200);
  });

  test("between bodies that come and come again never shows a share that can still change", async () => {
    await using house = await openTestHouse();
    for (let round = 0; round < 20; round++) {
      const { data } = await presign(house, { slug: `r${round}` });
      await Promise.all([
        commit(house, data.file_id),
        put(house, data.upload_url, "first"),
        commit(house, data.file_id),
        put(house, data.upload_url, "later"),
        commit(house, data.file_id),
      ]);
      expect(await unfinished(house)).toEqual([]);
      if ((await commit(house, data.file_id)).status !== 200) continue;
      const shown = await text(house, `r${round}`);
      expect((await put(house, data.upload_url, "wrong")).status).toBe(409);
      expect(await text(house, `r${round}`)).toBe(shown);
    }
  });
});

test("a sweep leaves alone what took the place of what it was after", async () => {
  await using house = await openTestHouse();
  for (let round = 0; round < 10; round++) {
    const old = await Promise.all(["x", "y", "a"].map((name) => presign(house, { filename: `${name}.txt` })));
    house.clock.advance(days(2));
    const { sweeper } = house.house.system;
    const anew = async () => {
      await cancel(house, ...old.map(({ data }) => data.file_id));
      return await shareFile(house, { filename: "a.txt", content: "newer" });
    };
    const [, , share] = await Promise.all([sweeper.sweep(), sweeper.sweep(), anew()]);
    expect(await text(house, share.slug)).toBe("newer");
    await cancel(house, share.id);
    expect(await remains(house)).toEqual(nothing);
  }
});

describe("names of files and folders", () => {
  test("a file called like a folder gets a key of its own", async () => {
    await using house = await openTestHouse();
    await shareFile(house, { filename: "a.txt", path: "reports" });
    const there = await shareFile(house, { filename: "reports" });
    expect(there.storage_path).toMatch(/^shares\/reports-\w{6}$/);
    await presign(house, { filename: "b.txt", path: "coming" });
    const coming = await shareFile(house, { filename: "coming" });
    expect(coming.storage_path).toMatch(/^shares\/coming-\w{6}$/);
  });

  test("a folder cannot be where a file is, or will be: that is said before anything is sent", async () => {
    await using house = await openTestHouse();
    await shareFile(house, { filename: "docs" });
    await presign(house, { filename: "soon" });
    for (const path of ["docs", "docs/deep", "soon"]) {
      const refused = { status: 409, error: "path.conflict" };
      expect(await presign(house, { path })).toMatchObject(refused);
      const body = { filename: "b.bin", path, size: 6 * MiB, part_size: 5 * MiB };
      expect(await ask(house, uploads.begin, { body })).toMatchObject(refused);
    }
    expect(filesOf(house)).toEqual(["drive/shares/docs"]);
  });
});

test("a storage whose quota was lowered below its use takes nothing, not even what is empty or of unknown size", async () => {
  await using house = await openTestHouse();
  await shareFile(house, { content: "123456" });
  await quota(house, 5);
  for (const size of [0, 1, undefined])
    expect(await presign(house, { size })).toMatchObject({ status: 507, error: "storage.full" });
});

test("what stays in the storage after its share still counts", async () => {
  await using house = await openTestHouse();
  await quota(house, 8);
  const { id } = await shareFile(house, { filename: "kept.txt" });
  await ask(house, files.remove, { body: { ids: [id], delete_mode: "record_only" } });
  expect(await presign(house, { size: 5 })).toMatchObject({ status: 507, error: "storage.full" });
});
