import {
  type ByteRange,
  contentRange,
  evaluateConditions,
  httpDate,
  ifRangeHolds,
  parseRange,
} from "../lib/conditional.ts";
import { sized } from "../lib/counting.ts";
import { answerWith, type StoredBody } from "../lib/open-file.ts";
import { sharedHeaders } from "./common-headers.ts";

/** The header values of a stored file. */
export interface ServedFile {
  /** Bytes. */
  readonly size: number;
  /** Without quotes. */
  readonly etag: string;
  /** Epoch milliseconds. */
  readonly modified: number;
  readonly type: string;
  /** The whole Content-Disposition header. */
  readonly disposition: string;
  readonly cache: "no-cache" | "no-store";
}

/**
 * Answers GET and HEAD with a stored file under the request's conditions and range (RFC 9110 sections 13 and 14): 200,
 * 206, 304, 412 or 416. Calls `open` for the bytes only when they are sent; returns undefined if it has none.
 */
export async function serveFile(
  request: Pick<Request, "method" | "headers">,
  file: ServedFile,
  open: (range?: ByteRange) => Promise<StoredBody | undefined>,
): Promise<Response | undefined> {
  const { size, modified } = file;
  const etag = `"${file.etag}"`;
  const headers = new Headers(fileHeaders);
  headers.set("content-type", file.type);
  headers.set("content-disposition", file.disposition);
  headers.set("cache-control", file.cache);
  headers.set("etag", etag);
  headers.set("last-modified", httpDate(modified));
  const outcome = evaluateConditions(request.method, request.headers, { etag, modified });
  if (outcome === "not modified") return new Response(null, { status: 304, headers });
  if (outcome === "failed") return new Response(null, { status: 412, headers });
  if (request.method === "HEAD") {
    headers.set("content-length", String(size));
    return new Response(null, { headers });
  }

  const asked = request.headers.get("range");
  const holds = asked !== null && ifRangeHolds(request.headers.get("if-range"), { etag, modified });
  const range = holds ? parseRange(asked, size) : undefined;
  if (range !== undefined) headers.set("content-range", contentRange(range, size));
  if (range === "unsatisfiable") return new Response(null, { status: 416, headers });
  const body = await open(range);
  if (body === undefined) return undefined;
  if (range === undefined) return sizedFile(answerWith(body, { headers }), body, size);
  return sizedFile(answerWith(body, { status: 206, headers }), body, range.end - range.start + 1);
}

/** What a storage elsewhere sends is counted on its way, because it may break off. */
const sizedFile = (response: Response, body: StoredBody, bytes: number): Response =>
  body instanceof ReadableStream ? response : sized(response, bytes);

/**
 * Headers for all bytes that a user stored, on every front: a browser must neither guess their type nor run them as a
 * page of ours. `vary` names what the refusal of stored scripts goes by: an object may say itself how long a browser keeps it, and what was
 * loaded as a picture would else answer a script without asking this server again.
 */
export const untrustedHeaders = {
  "content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "cross-origin",
  "referrer-policy": "no-referrer",
  vary: "Sec-Fetch-Dest, Sec-Fetch-Site",
} as const;

const fileHeaders = sharedHeaders({ ...untrustedHeaders, "accept-ranges": "bytes" });
