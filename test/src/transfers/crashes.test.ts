import { expect, test } from "bun:test";
import { fsUploads } from "#contract/fs/uploads";
import { uploads } from "#contract/uploads";
import { bytesOf, MiB } from "../../suites/store-bodies.ts";
import { stopAtEachWrite } from "../../support/database/crash.ts";
import { builtInStorage } from "../../support/make-mount.ts";
import { ask, put, remains } from "../../support/share-file.ts";
import type { TestHouse } from "../../support/test-house.ts";
import { treeCalls } from "../../support/tree/tree-house.ts";

/** What the next start makes of an upload in parts whose end is broken off between any two of its steps. */

const PART = 5 * MiB;
const SIZES = [PART, 9];
const bytes = bytesOf(PART + 9);
const TYPE = "application/octet-stream";

const download = async (house: TestHouse, slug: string): Promise<Uint8Array> =>
  await (await house.request(`/api/file-download/${slug}`)).bytes();

const tagOf = (answer: Response): string => answer.headers.get("etag") ?? "";

async function sendBoth(house: TestHouse, urls: readonly { partNumber: number; url: string }[]) {
  const parts: { partNumber: number; etag: string }[] = [];
  for (const { partNumber, url } of urls) {
    const body = bytes.slice((partNumber - 1) * PART, partNumber * PART);
    parts.push({ partNumber, etag: tagOf(await put(house, url, body, TYPE)) });
  }
  return parts;
}

test("a share: the parts are listed until its file is there, and completing it again ends it", async () => {
  const stops = await stopAtEachWrite({
    async arrange(house) {
      const fields = { filename: "big.bin", slug: "big", size: bytes.length, part_size: PART };
      const { data } = await ask(house, uploads.begin, { body: fields });
      const parts = await sendBoth(house, data.presigned_urls);
      return { file_id: data.file_id, upload_id: data.upload_id, parts };
    },
    act: (house, body) => ask(house, uploads.complete, { body }),
    async check(house, { parts, ...own }, writes) {
      const { status, error, data } = await ask(house, uploads.parts, { body: own });
      const arrived = parts.map(({ partNumber, etag }, index) => ({
        partNumber,
        etag: etag.replaceAll('"', ""),
        size: SIZES[index] ?? 0,
      }));
      // What is recorded as whole says so; the page goes on from either answer.
      if (error) expect({ writes, error }).toEqual({ writes, error: "upload.finished" });
      else expect({ writes, status, parts: data.parts }).toEqual({ writes, status: 200, parts: arrived });
      const claimed = error ? [] : data.parts.map(({ partNumber, etag }) => ({ partNumber, etag }));
      const done = await ask(house, uploads.complete, { body: { ...own, parts: claimed } });
      expect({ writes, status: done.status, size: done.data?.size }).toEqual({
        writes,
        status: 200,
        size: bytes.length,
      });
      expect(Bun.hash(await download(house, "big"))).toBe(Bun.hash(bytes));
      await house.house.system.sweeper.sweep();
      expect(await remains(house)).toMatchObject({ shares: 1, uploads: 1, attributes: 1, multiparts: 0, parts: 0 });
    },
  });
  expect(stops).toBeGreaterThan(4);
});

test("into the tree: as long as its record is there it goes on, and after that the file is whole", async () => {
  const path = "/drive/big.bin";
  const stops = await stopAtEachWrite({
    async arrange(house) {
      const { call, write } = await treeCalls(house);
      await write(path, "what was there before");
      const fields = { path: "/drive", fileName: "big.bin", fileSize: bytes.length, partSize: PART, contentType: TYPE };
      const { data } = await call(fsUploads.begin, { body: fields });
      return { uploadId: data.uploadId, parts: await sendBoth(house, data.presignedUrls) };
    },
    act: (house, body) => ask(house, fsUploads.complete, { body: { path: "/drive", fileName: "big.bin", ...body } }),
    async check(house, { uploadId, parts }, writes) {
      const { call } = await treeCalls(house);
      const listed = await call(fsUploads.parts, { body: { path, uploadId } });
      if (listed.status === 200) {
        expect({ writes, parts: listed.data.parts.map(({ size }) => size) }).toEqual({ writes, parts: SIZES });
        const done = await call(fsUploads.complete, { body: { path: "/drive", fileName: "big.bin", uploadId, parts } });
        expect({ writes, status: done.status }).toEqual({ writes, status: 200 });
      } else expect({ writes, error: listed.error }).toEqual({ writes, error: "upload.missing" });
      const storage = await builtInStorage(house);
      expect(await house.house.transfers.look({ storage, key: "big.bin" })).toMatchObject({ size: bytes.length });
    },
  });
  expect(stops).toBeGreaterThan(4);
});
