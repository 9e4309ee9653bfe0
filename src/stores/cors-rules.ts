import { Failure } from "#contract/failures";
import { readAddress } from "./s3-address.ts";
import { createControl } from "./s3-control.ts";
import { Refusal, troubleOf } from "./s3-trouble.ts";
import { isBuiltIn, type Stores } from "./stores.ts";

/** Seconds that a browser may remember a preflight. */
const MAX_AGE = 3600;
/** Milliseconds. */
const PATIENCE = { answer: 10_000, silence: 10_000 };

/** Makes the function that sets the CORS rules of a storage's bucket. */
export function createCorsRules({ configs, connection }: Pick<Stores, "configs" | "connection">) {
  /**
   * Lets pages of these origins, `*` for all, use the bucket; takes the place of the rules there are (PutBucketCors).
   * 404 storage.missing, 400 storage.origin and storage.corsBuiltIn, 502 storage.corsRefused and storage.corsUnsupported, and
   * those of every request to a storage.
   */
  return async (id: string, origins: readonly string[]): Promise<void> => {
    const config = await configs.get(id);
    if (isBuiltIn(config)) throw new Failure("storage.corsBuiltIn");
    const needs = connection(config);
    const credentials = { accessKey: needs.accessKey.trim(), secret: needs.secret.trim() };
    const control = createControl({ ...needs, credentials, address: readAddress(needs), patience: PATIENCE });
    const rule = {
      AllowedOrigins: [...new Set(origins.map(plainOrigin))],
      AllowedMethods: ["PUT", "GET", "HEAD", "POST", "DELETE"],
      AllowedHeaders: ["*"],
      ExposeHeaders: ["ETag", "Content-Range", "Accept-Ranges", "Content-Length", "Content-Disposition"],
      MaxAgeSeconds: MAX_AGE,
    };
    const input = { Bucket: config.bucket_name, CORSConfiguration: { CORSRules: [rule] } };
    try {
      await control.ask(({ sdk, client }) => client.send(new sdk.PutBucketCorsCommand(input)));
    } catch (error) {
      throw refused(error) ?? troubleOf(error).failure;
    }
  };
}

/** As browsers send it (RFC 6454 section 7), or `*`. 400 storage.origin. */
function plainOrigin(text: string): string {
  const wanted = text.trim();
  if (wanted === "*") return wanted;
  const url = URL.parse(wanted);
  const plain = url && /^https?:\/\/[^/?#@*\\]+\/?$/i.test(wanted) && /^https?:$/.test(url.protocol);
  if (!plain) throw new Failure("storage.origin");
  return url.origin;
}

/** A key that may do everything with objects often may not change the bucket, and some storages cannot be told at all. */
function refused(error: unknown): Failure | undefined {
  if (!(error instanceof Refusal)) return undefined;
  const { status, code } = error;
  if (code === "NotImplemented" || code === "MethodNotAllowed" || status === 405 || status === 501)
    return new Failure("storage.corsUnsupported");
  return code === "AccessDenied" || (status === 403 && code === "") ? new Failure("storage.corsRefused") : undefined;
}
