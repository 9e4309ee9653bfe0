import type { Clock } from "../../lib/clock.ts";
import { deriveKey } from "../../lib/secret.ts";
import { createSigner, encodeKey } from "../../lib/signatures/sigv4.ts";
import type { PresignRequest } from "../store.ts";

/** The buckets of the built-in store as its addresses name them; no mount's bucket can be called so. */
const PREFIX = "store-";
const ACCESS_KEY = "satchel-internal";
const REGION = "us-east-1";

/**
 * Addresses of the built-in store: ordinary presigned URLs of our own S3 endpoint, signed by a pair that no API key can
 * have, so that one way of uploading serves every provider.
 */
export function createPresign(secret: string, clock: Clock) {
  const signer = createSigner();
  const credentials = { accessKey: ACCESS_KEY, secret: deriveKey(secret, "internal pair").toString("base64url") };

  return {
    sign(storage: string, { method, key, expires, base, ticket, part }: PresignRequest): string {
      return signer.presign(method, `${base}/${PREFIX}${storage}/${encodeKey(key)}`, {
        credentials,
        region: REGION,
        now: clock(),
        expires,
        query: {
          ...(ticket !== undefined && { ticket }),
          ...(part && { partNumber: String(part.number), uploadId: part.upload }),
        },
      });
    },

    /** Returns the secret of the internal pair, to check a signature. */
    secretOf: (accessKey: string): string | undefined => (accessKey === ACCESS_KEY ? credentials.secret : undefined),

    /** Returns the storage of a bucket name; undefined if it is not the built-in store's. */
    storageOf: (bucket: string): string | undefined =>
      bucket.startsWith(PREFIX) ? bucket.slice(PREFIX.length) : undefined,
  };
}
