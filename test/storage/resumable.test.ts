import { afterAll, describe, expect, test } from "bun:test";
import { STAGING } from "#contract/paths";
import { testResumable } from "../suites/resumable.ts";
import { openS3Store } from "../support/stores/s3-store.ts";

/** Uploads whose requests break off, in a bucket of a real S3 server: what is less than a part waits there as an object. */

const s3 = await openS3Store();
afterAll(() => s3[Symbol.asyncDispose]());

describe("on a storage elsewhere", () =>
  testResumable({
    S3_ENDPOINT: s3.server.endpoint,
    S3_BUCKET: s3.bucket,
    S3_REGION: "us-east-1",
    S3_ACCESS_KEY_ID: s3.server.accessKey,
    S3_SECRET_ACCESS_KEY: s3.server.secret,
  }));

test("nothing is left of what waited", async () => {
  expect(await s3.unfinished()).toEqual([]);
  expect((await s3.keys()).filter((key) => key.includes(STAGING))).toEqual([]);
});
