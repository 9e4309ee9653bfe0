import { createHash } from "node:crypto";
import { Failure } from "#contract/failures";
import { type Caller, ownerName } from "../access/principal.ts";

/** What a client calls its request, and what the request said. */
export interface RequestKey {
  readonly key: string;
  readonly digest: string;
}

/** The key of a request that may be repeated, apart from other callers' keys, and a digest of what it asks for. */
export function requestKeyOf(caller: Caller, key: string, request: Readonly<Record<string, unknown>>): RequestKey {
  // Not the password itself: a digest beside the share would let a thief of the database try passwords quickly.
  const text = JSON.stringify({ ...request, password: Boolean(request.password) });
  return { key: `${ownerName(caller)} ${key}`, digest: createHash("sha256").update(text).digest("base64url") };
}

/** The share that the same request made before. 409 request.differs when the key stood for another request. */
export function answeredBefore<Row extends { readonly request_digest: string }>(
  { digest }: RequestKey,
  row: Row | undefined,
): Row | undefined {
  if (row && row.request_digest !== digest) throw new Failure("request.differs");
  return row;
}
