import { describe, expect, test } from "bun:test";
import { MAX_OBJECT_BYTES, MAX_PARTS, PART_SIZE } from "../../../src/contract/limits.ts";
import { type BucketConfig, readAddress } from "../../../src/stores/s3/address.ts";
import { sizeOfPart } from "../../../src/stores/s3/put.ts";

/** What an S3 store works out before it asks anybody. */

const GiB = 1024 ** 3;
const fields = { region: "", bucket: "bucket", pathStyle: true, provider: "Other" };
const hostStyle = { pathStyle: false };

const addresses: [string, Partial<BucketConfig>, string][] = [
  ["https://s3.example.com", {}, "https://s3.example.com/bucket/k"],
  ["https://s3.example.com/", {}, "https://s3.example.com/bucket/k"],
  ["  s3.example.com ", {}, "https://s3.example.com/bucket/k"],
  ["s3.example.com:9000", {}, "https://s3.example.com:9000/bucket/k"],
  ["http://S3.Example.com:80/", {}, "http://s3.example.com/bucket/k"],
  ["https://example.com/s3/api/", {}, "https://example.com/s3/api/bucket/k"],
  ["https://s3.example.com", hostStyle, "https://bucket.s3.example.com/k"],
  ["https://example.com/s3/", hostStyle, "https://bucket.example.com/s3/k"],
  ["http://127.0.0.1:9000", hostStyle, "http://127.0.0.1:9000/bucket/k"],
  ["http://[::1]:9000", hostStyle, "http://[::1]:9000/bucket/k"],
  ["https://oss-cn-hangzhou.aliyuncs.com", { provider: "Aliyun OSS" }, "https://bucket.oss-cn-hangzhou.aliyuncs.com/k"],
  ["https://s3.example.com", { ...hostStyle, bucket: "a.b" }, "https://s3.example.com/a.b/k"],
  ["http://s3.example.com", { ...hostStyle, bucket: "a.b" }, "http://a.b.s3.example.com/k"],
  ["https://s3.example.com", { ...hostStyle, bucket: "Old_Bucket" }, "https://s3.example.com/Old_Bucket/k"],
];

describe("the address of a bucket", () => {
  test.each(addresses)("at %p with %p", (endpoint, other, expected) => {
    expect(readAddress({ ...fields, ...other, endpoint }).urlOf("k")).toBe(expected);
  });

  test.each([
    "",
    " ",
    "ftp://s3.example.com",
    "https://",
    "https://user:secret@s3.example.com",
    "https://s3.example.com//s3",
    "https://s3.example.com/?list",
    "https://s3.example.com/#a",
    "javascript://alert(1)",
    "https://a b",
  ])("is none: %p", (endpoint) => {
    expect(() => readAddress({ ...fields, endpoint })).toThrow("storage.endpoint");
  });

  test("has keys encoded as they are signed", () => {
    const { urlOf } = readAddress({ ...fields, endpoint: "s3.example.com" });
    expect(urlOf("a b/100%/#?&+/文/😀/'(!*)")).toBe(
      "https://s3.example.com/bucket/a%20b/100%25/%23%3F%26%2B/%E6%96%87/%F0%9F%98%80/%27%28%21%2A%29",
    );
  });

  test("has a region, whether one was given or not", () => {
    expect(readAddress({ ...fields, endpoint: "s3.example.com" }).region).toBe("us-east-1");
    expect(readAddress({ ...fields, endpoint: "s3.example.com", region: " auto " }).region).toBe("auto");
    expect(readAddress({ ...fields, endpoint: "s3.example.com", provider: "Cloudflare R2" }).region).toBe("auto");
  });
});

describe("parts of a body of unknown length", () => {
  const sizes = (limit?: number) => Array.from({ length: MAX_PARTS }, (_, index) => sizeOfPart(index + 1, limit));
  const sum = (all: readonly number[]) => all.reduce((one, other) => one + other, 0);

  test("are as small as can be while ten thousand of them suffice", () => {
    expect(new Set(sizes(PART_SIZE * MAX_PARTS))).toEqual(new Set([PART_SIZE]));
  });

  test("reach the largest object there is, none larger than S3 allows", () => {
    expect(sum(sizes())).toBeGreaterThan(MAX_OBJECT_BYTES);
    let whole = 0;
    const needed = sizes(MAX_OBJECT_BYTES).filter((size) => {
      whole += size;
      return whole - size < MAX_OBJECT_BYTES;
    });
    expect(Math.max(...needed)).toBeLessThanOrEqual(5 * GiB);
    expect(Math.max(...sizes().slice(0, 900))).toBe(PART_SIZE);
  });
});
