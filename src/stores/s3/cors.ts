import { Failure } from "#contract/failures";
import { isBuiltIn } from "#contract/providers";
import type { Stores } from "../stores.ts";
import { readAddress } from "./address.ts";
import { createClient } from "./client.ts";
import { classify, S3Error } from "./errors.ts";

/** The seconds that a browser may cache a preflight. */
const MAX_AGE = 3600;
/** Milliseconds. */
const TIMEOUTS = { answer: 10_000, idle: 10_000 };

/** Creates the function that sets the CORS rules of a bucket. */
export function createCorsRules({ configs, connection }: Pick<Stores, "configs" | "connection">) {
  /**
   * Lets pages of these origins use the bucket, `*` for all; replaces the existing rules (PutBucketCors). 404 storage.missing,
   * 400 storage.origin and storage.corsBuiltIn, 502 storage.corsRefused and storage.corsUnsupported, and the failures of every
   * request to a storage.
   */
  return async (id: string, origins: readonly string[]): Promise<void> => {
    const config = await configs.get(id);
    if (isBuiltIn(config)) throw new Failure("storage.corsBuiltIn");
    const options = connection(config);
    const credentials = { accessKey: options.accessKey.trim(), secret: options.secret.trim() };
    const client = createClient({ ...options, credentials, address: readAddress(options), timeouts: TIMEOUTS });
    const rule = {
      AllowedOrigins: [...new Set(origins.map(plainOrigin))],
      AllowedMethods: ["PUT", "GET", "HEAD", "POST", "DELETE"],
      AllowedHeaders: ["*"],
      ExposeHeaders: ["ETag", "Content-Range", "Accept-Ranges", "Content-Length", "Content-Disposition"],
      MaxAgeSeconds: MAX_AGE,
    };
    const input = { Bucket: config.bucket_name, CORSConfiguration: { CORSRules: [rule] } };
    try {
      await client.run(({ sdk, s3 }) => s3.send(new sdk.PutBucketCorsCommand(input)));
    } catch (error) {
      throw refused(error) ?? classify(error).failure;
    }
  };
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
