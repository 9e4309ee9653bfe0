import { Failure } from "#contract/failures";
import { readAddress } from "./address.ts";
import { createClient } from "./client.ts";
import { classify, S3Error } from "./errors.ts";
import type { S3StoreOptions } from "./store.ts";

/** The seconds that a browser may cache a preflight. */
const MAX_AGE = 3600;
/** Milliseconds. */
const TIMEOUTS = { answer: 10_000, idle: 10_000 };

/**
 * Lets pages of these origins use a bucket, `*` for all; replaces the existing rules (PutBucketCors). 400 storage.origin, 502
 * storage.corsRefused and storage.corsUnsupported, and the failures of every request to a storage.
 */
export async function setCorsRules(options: S3StoreOptions, origins: readonly string[]): Promise<void> {
  const credentials = { accessKey: options.accessKey.trim(), secret: options.secret.trim() };
  const client = createClient({ ...options, credentials, address: readAddress(options), timeouts: TIMEOUTS });
  const rule = {
    AllowedOrigins: [...new Set(origins.map(plainOrigin))],
    AllowedMethods: ["PUT", "GET", "HEAD", "POST", "DELETE"],
    AllowedHeaders: ["*"],
    ExposeHeaders: ["ETag", "Content-Range", "Accept-Ranges", "Content-Length", "Content-Disposition"],
    MaxAgeSeconds: MAX_AGE,
  };
  const input = { Bucket: options.bucket, CORSConfiguration: { CORSRules: [rule] } };
  try {
    await client.run(({ sdk, s3 }) => s3.send(new sdk.PutBucketCorsCommand(input)));
  } catch (error) {
    throw refused(error) ?? classify(error).failure;
  }
}

/** Reads an origin as browsers send it (RFC 6454 section 7), or `*`. 400 storage.origin. */
function plainOrigin(text: string): string {
  const wanted = text.trim();
  if (wanted === "*") return wanted;
  const url = URL.parse(wanted);
  const plain = url && /^https?:\/\/[^/?#@*\\]+\/?$/i.test(wanted) && /^https?:$/.test(url.protocol);
  if (!plain) throw new Failure("storage.origin");
  return url.origin;
}

/** Many access keys may not change the bucket, and some storages have no such request. */
function refused(error: unknown): Failure | undefined {
  if (!(error instanceof S3Error)) return undefined;
  const { status, code } = error;
  if (code === "NotImplemented" || code === "MethodNotAllowed" || status === 405 || status === 501)
    return new Failure("storage.corsUnsupported");
  return code === "AccessDenied" || (status === 403 && code === "") ? new Failure("storage.corsRefused") : undefined;
}
