import { describe, expect, test } from "bun:test";
import { uploads } from "#contract/uploads";
import { sql } from "../../src/database/sql.ts";
import { streamed } from "../suites/store-bodies.ts";
import { ask, commit, presign, remains } from "../support/share-file.ts";
import { openS3House, putAt, type S3House, share } from "../support/stores/s3-house.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const MiB = 1024 * 1024;

describe("an address of the storage", () => {
  const fresh = async (here: S3House, size: number) => (await presign(here.house, { filename: "a.txt", size })).data;

  test("takes as many bytes as were reserved, no more and no fewer", async () => {
    await using here = await openS3House();
    const { upload_url, contentType, file_id } = await fresh(here, 5);
    for (const body of ["hello!", "hell", ""]) {
      const refused = await putAt(upload_url, body, contentType);
      expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("SignatureDoesNotMatch")]);
    }
    const init = { method: "PUT", headers: { "content-type": contentType } };
    expect((await fetch(upload_url, { ...init, body: streamed(Buffer.from("hello")).body })).status).toBe(403);
    expect(await here.s3.keys()).toEqual([]);
    expect((await putAt(upload_url, "hello", contentType)).status).toBe(200);
    expect((await commit(here.house, file_id)).data.size).toBe(5);
  });

  test("takes a file of no bytes, and one of which nobody said how many", async () => {
    await using here = await openS3House();
    expect((await share(here, { filename: "empty.txt", content: "" })).size).toBe(0);
    const { data } = await presign(here.house, { filename: "b.txt", size: null });
    expect((await putAt(data.upload_url, "any", data.contentType)).status).toBe(200);
    expect((await commit(here.house, data.file_id)).data.size).toBe(3);
  });

  test("takes curl's file", async () => {
    await using here = await openS3House();
    const { upload_url, contentType, file_id } = await fresh(here, 5);
    const options = ["-sS", "-o", "/dev/null", "-w", "%{http_code}", "-H", `Content-Type: ${contentType}`, "-T", "-"];
    const streamedByCurl = Bun.spawn(["curl", ...options, upload_url], { stdin: Buffer.from("hello"), stdout: "pipe" });
    expect(await new Response(streamedByCurl.stdout).text()).toBe("403");
    using folder = temporaryFolder();
    const file = `${folder.path}/a.txt`;
    await Bun.write(file, "hello");
    const sent = Bun.spawn(["curl", ...options.with(-1, file), upload_url], { stdout: "pipe" });
    expect(await new Response(sent.stdout).text()).toBe("200");
    expect((await commit(here.house, file_id)).status).toBe(200);
  });

  test("for a part takes the bytes of that part", async () => {
    await using here = await openS3House();
    const body = { filename: "large.bin", size: 5 * MiB + 3, part_size: 5 * MiB };
    const { data } = await ask(here.house, uploads.begin, { body });
    const [, second = { url: "" }] = data.presigned_urls;
    const put = async (text: string) => (await fetch(second.url, { method: "PUT", body: text })).status;
    expect([await put("four"), await put("tw"), await put("yes")]).toEqual([403, 403, 200]);
  });

  test("whose storage does not check that shares nothing that is larger than was said", async () => {
    await using here = await openS3House();
    const { file_id, slug, storage_path } = await fresh(here, 5);
    await here.s3.store.put(storage_path, new Response("hello!"), { type: "text/plain", length: 6 });
    expect(await commit(here.house, file_id)).toMatchObject({ status: 400, error: "upload.length" });
    expect([await here.s3.keys(), (await remains(here.house)).shares]).toEqual([[], 0]);
    expect((await here.house.request(`/api/public/files/${slug}`)).status).toBe(404);
    expect(await commit(here.house, file_id)).toMatchObject({ status: 404, error: "upload.missing" });
    await here.s3.store.put(storage_path, new Response("again"), { type: "text/plain", length: 5 });
    await here.house.db.run(sql`update uploads set addressed_until = 0`);
    await here.house.house.system.sweeper.sweep();
    expect([await here.s3.keys(), (await remains(here.house)).uploads]).toEqual([[], 0]);
  });
});
