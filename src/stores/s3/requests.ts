import type { Clock } from "../../lib/clock.ts";
import { parseHttpDate } from "../../lib/conditional.ts";
import { isKeptHeader } from "../../lib/kept-headers.ts";
import type { Fetch } from "../../lib/pinned-fetch.ts";
import { createSigner } from "../../lib/signatures/sigv4.ts";
import type { ObjectHead, PresignRequest } from "../store.ts";
import type { Address } from "./address.ts";
import { invalidAnswer, readError } from "./errors.ts";
import { createTimeout, type Timeout, type Timeouts } from "./timeouts.ts";

/** How a bucket is reached. */
export interface Connection {
  readonly address: Address;
  readonly credentials: { readonly accessKey: string; readonly secret: string };
  readonly clock: Clock;
  readonly fetch: Fetch;
  readonly timeouts: Timeouts;
  /** Called when a request that takes no work times out, with the time at which it began. */
  readonly onTimeout?: (began: number) => void;
}

interface DataRequest {
  readonly method: "GET" | "HEAD" | "PUT";
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Signed and sent. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent, but not signed. */
  readonly unsigned?: Readonly<Record<string, string>>;
  /** Bytes may be sent again, a stream may not. */
  readonly body?: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  readonly timeout: Timeout;
}

/** The validity of a signature in seconds. Its URL is used at once, but clocks differ. */
const EXPIRY = 900;

/**
 * Sends requests that read and write objects. They are signed in their URL and sent by the runtime's own fetch, which takes half
 * the time and a quarter of the memory of the SDK.
 */
export function createRequests({ address, credentials, clock, fetch, timeouts, onTimeout }: Connection) {
  const signer = createSigner();
  const options = { credentials, region: address.region };

  return {
    timeouts,

    /** Creates the timeout of one request. The caller clears it. */
    timeout: (signal?: AbortSignal): Timeout => createTimeout(timeouts.answer, signal),

    /** Like `timeout`, for a request without a body. When it expires, the circuit breaker opens. */
    guardedTimeout: (): Timeout => createTimeout(timeouts.answer, undefined, onTimeout),

    /** Sends a request and returns its answer. Throws an S3Error for every status but 2xx; redirects are not followed. */
    async send({ method, key, query, headers, unsigned, body, timeout }: DataRequest): Promise<Response> {
      const url = signer.presign(method, address.urlOf(key), {
        ...options,
        now: clock(),
        expires: EXPIRY,
        ...(headers && { headers }),
        ...(query && { query }),
      });
      const response = await fetch(url, {
        method,
        // The bytes are passed on as they are, so no proxy on the way may compress them.
        headers: { "accept-encoding": "identity", ...headers, ...unsigned },
        ...(body !== undefined && { body }),
        signal: timeout.signal,
        redirect: "manual",
        decompress: false,
        // The runtime's own timeout ends every upload after five minutes, also one that moves.
        timeout: false,
      });
      if (!response.ok) throw await readError(response);
      return response;
    },

    /**
     * Signs a URL for a client. A signed Content-Length cannot be changed, and limits the body (RFC 9112 section 6.3). The Content-Type is left
     * to the sender: a browser names its own of a Blob.
     */
    presign: ({ method, key, expires, length, part, answer }: PresignRequest): string =>
      signer.presign(method, address.urlOf(key), {
        ...options,
        now: clock(),
        expires,
        headers: { ...(length !== undefined && { "content-length": String(length) }) },
        query: {
          ...(part && { partNumber: String(part.number), uploadId: part.upload }),
          ...(answer?.disposition !== undefined && { "response-content-disposition": answer.disposition }),
          ...(answer?.type !== undefined && { "response-content-type": answer.type }),
        },
      }),
  };
}

export type Requests = ReturnType<typeof createRequests>;

/** What an ETag consists of (RFC 9110 section 8.8.3). Documents could say others, which no header can carry. */
const ETAG = /^[\x21\x23-\x7e\x80-\xff]+$/;

/** An ETag without quotes and weakness; undefined when there is none. */
export function parseEtag(header: string | null | undefined): string | undefined {
  const etag = header?.replace(/^W\//, "").replace(/^"|"$/g, "") ?? "";
  return ETAG.test(etag) ? etag : undefined;
}

/** Reads the headers of a HeadObject or GetObject answer. */
export function parseHead(key: string, { headers }: Response, clock: Clock): ObjectHead {
  const total = /^bytes \d+-\d+\/(\d+)$/.exec(headers.get("content-range") ?? "")?.[1];
  const size = total ?? headers.get("content-length") ?? "";
  const etag = parseEtag(headers.get("etag"));
  if (!/^\d{1,15}$/.test(size) || etag === undefined) throw invalidAnswer("no size or no ETag");
  const kept = [...headers].filter(([name]) => isKeptHeader(name));
  return {
    key,
    size: Number(size),
    etag,
    ...(kept.length > 0 && { headers: Object.fromEntries(kept) }),
    type: headers.get("content-type") ?? "application/octet-stream",
    modified: parseHttpDate(headers.get("last-modified") ?? "") ?? clock(),
  };
}
