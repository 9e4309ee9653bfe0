import { expect } from "bun:test";
import { responseOf } from "../../../src/lib/open-file.ts";
import { bytesOf, MiB, same } from "../../suites/store-bodies.ts";
import { callsOf, type S3Calls, textsOf } from "../clients/s3.ts";
import { stopAtEachWrite } from "../database/crash.ts";
import type { TestHouse } from "../test-house.ts";

const PART = 5 * MiB;
const bytes = bytesOf(PART + 9);
const BEFORE = "what was there before";

interface Completion {
  /** The numbers of the two parts in the order in which they are sent. */
  readonly order: readonly number[];
  /** Prepares a house; answers the path of the bucket and the storage behind it. */
  readonly arrange: (house: TestHouse) => Promise<{ readonly bucket: string; readonly storage: string }>;
  /** As in TestHouseOptions. */
  readonly now?: number;
}

/** Begins an upload, sends its parts and answers what completes it. */
async function begun(s3: S3Calls, path: string, order: readonly number[]) {
  const [uploadId = ""] = textsOf(await s3.send("POST", path, { query: { uploads: "" } }), "UploadId");
  const tags: string[] = [];
  for (const number of order) {
    const body = bytes.slice((number - 1) * PART, number * PART);
    const sent = await s3.send("PUT", path, { query: { uploadId, partNumber: String(number) }, body });
    tags[number] = `<Part><PartNumber>${number}</PartNumber><ETag>${sent.headers.get("etag")}</ETag></Part>`;
  }
  return { query: { uploadId }, body: `<CompleteMultipartUpload>${tags.join("")}</CompleteMultipartUpload>` };
}

/** Ends the process between any two steps of a CompleteMultipartUpload: it may always be asked for again. */
export async function stopCompletion({ order, arrange, now }: Completion): Promise<void> {
  const stops = await stopAtEachWrite({
    now,
    async arrange(house) {
      const place = await arrange(house);
      const path = `${place.bucket}/folder/big.bin`;
      const s3 = await callsOf(house);
      await s3.put(path, BEFORE);
      return { ...place, path, again: await begun(s3, path, order) };
    },
    act: async (house, { path, again }) => (await callsOf(house)).send("POST", path, again),
    async check(house, { bucket, storage, path, again }, writes) {
      // Storages elsewhere are left to the sweeper.
      await house.house.system.sweeper.sweep();
      const s3 = await callsOf(house);
      const before = await s3.send("GET", path);
      const isMade = before.text !== BEFORE;
      const listed = textsOf(await s3.send("GET", bucket, { query: { uploads: "" } }), "Key");
      // What was found made is finished.
      expect({ writes, listed }).toEqual({ writes, listed: isMade ? [] : ["folder/big.bin"] });
      const { status, code, ...answer } = await s3.send("POST", path, again);
      expect({ writes, status, code }).toEqual({ writes, status: 200, code: undefined });
      if (isMade) expect(textsOf(answer, "ETag")).toEqual([before.headers.get("etag") ?? ""]);
      const read = await house.house.transfers.read({ storage, key: "folder/big.bin" });
      expect(same(await responseOf(read?.body).bytes(), bytes)).toBe(true);
    },
  });
  expect(stops).toBeGreaterThan(4);
}

/** Begins so many uploads in parts that may only make a file at a path, and completes them all at once; answers what each came to. */
export async function makeAtOnce(s3: S3Calls, path: string, count: number): Promise<string[]> {
  const uploads = await Promise.all(Array.from({ length: count }, () => begun(s3, path, [1])));
  const headers = { "if-none-match": "*" };
  const outcomes = await Promise.all(uploads.map((upload) => s3.outcome("POST", path, { ...upload, headers })));
  return outcomes.toSorted();
}
