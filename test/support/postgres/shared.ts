import { openSmallBucket } from "../stores/pretend-s3.ts";

/** A bucket for the first start of every server of this process. */
const bucket = openSmallBucket("files");

/** What every server on one database is told alike. */
export const SHARED = {
  SECRET_KEY: "a secret of enough letters",
  S3_ENDPOINT: `http://127.0.0.1:${bucket.port}`,
  S3_BUCKET: "files",
  S3_ACCESS_KEY_ID: "somebody",
  S3_SECRET_ACCESS_KEY: "pass-word",
};
