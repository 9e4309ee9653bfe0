import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { createDigestThread } from "../../../src/lib/digests/digest-thread.ts";
import { createDigests, type DigestName, digestNames } from "../../../src/lib/digests/digests.ts";
import { bytesOf } from "../../suites/store-bodies.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const digestOf = (name: DigestName, ...pieces: (string | Uint8Array)[]): string => {
  const digests = createDigests([name]);
  for (const piece of pieces) digests.update(Buffer.from(piece));
  return digests.finish()[name]?.toString("hex") ?? "";
};

/** The check values that the catalogue of CRC algorithms gives for "123456789"; the others as the runtime has them. */
const known: Readonly<Record<DigestName, string>> = {
  md5: createHash("md5").update("123456789").digest("hex"),
  sha1: createHash("sha1").update("123456789").digest("hex"),
  sha256: createHash("sha256").update("123456789").digest("hex"),
  crc32: "cbf43926",
  crc32c: "e3069283",
  crc64nvme: "ae8b14860a799888",
};

test.each([...digestNames])("%s of what is known, in one piece and in many", (name) => {
  expect(digestOf(name, "123456789")).toBe(known[name]);
  expect(digestOf(name, "", "1", "2345", "6789")).toBe(known[name]);
  const bytes = bytesOf(10_007);
  const whole = digestOf(name, bytes);
  for (const cut of [1, 7, 8, 9, 4096]) expect(digestOf(name, bytes.slice(0, cut), bytes.slice(cut))).toBe(whole);
});

test("the thread reads a file behind its writer, from where it is told", async () => {
  using folder = temporaryFolder();
  const { follow, stop } = createDigestThread();
  const bytes = bytesOf(3_000_000);
  const path = join(folder.path, "file");
  const file = follow(path, 1000, ["md5", "crc32"]);
  await Bun.write(path, bytes);
  file.advance(2_000_000);
  const { md5, crc32 } = await file.finish(2_999_000);
  const part = bytes.slice(1000);
  expect([md5?.toString("hex"), crc32?.toString("hex")]).toEqual([digestOf("md5", part), digestOf("crc32", part)]);
  // `expect` itself would wait without letting the thread's answer through.
  const refused = async (path: string, size: number) => {
    try {
      return await follow(path, 0, ["md5"]).finish(size);
    } catch (error) {
      return String(error);
    }
  };
  expect(await refused(join(folder.path, "none"), 1)).toContain("ENOENT");
  expect(await refused(path, 3_000_001)).toContain("shorter");
  const empty = follow(join(folder.path, "none"), 0, ["md5"]);
  expect((await empty.finish(0)).md5?.toString("hex")).toBe(digestOf("md5", ""));
  follow(path, 0, ["md5"]).drop();
  stop();
});
