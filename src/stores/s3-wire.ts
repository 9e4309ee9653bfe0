import type { Clock } from "../lib/clock.ts";
import { createSigner } from "../lib/sigv4.ts";
import type { Address } from "./s3-address.ts";
import { refusalOf } from "./s3-answers.ts";
import { createWatch, type Patience, type Watch } from "./s3-watch.ts";
import type { PresignRequest } from "./store.ts";

/** As the runtime's fetch, of which only this is needed. */
export type Fetch = (url: string, init: BunFetchRequestInit) => Promise<Response>;

export interface WireNeeds {
  readonly address: Address;
  readonly credentials: { readonly accessKey: string; readonly secret: string };
  readonly clock: Clock;
  readonly fetch: Fetch;
  readonly patience: Patience;
}

export interface WireRequest {
  readonly method: "GET" | "HEAD" | "PUT";
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Signed and sent. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent, but not signed. */
  readonly unsigned?: Readonly<Record<string, string>>;
  /** Bytes may be sent again, a stream may not. */
  readonly body?: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  readonly watch: Watch;
}

/** How long an address of our own holds, in seconds: it is used at once, but clocks differ. */
const OWN_EXPIRY = 900;

/**
 * Requests that carry bytes: signed in their address and sent by the runtime's own fetch, which costs half the time and a
 * quarter of the memory of the SDK.
 */
export function createWire({ address, credentials, clock, fetch, patience }: WireNeeds) {
  const signer = createSigner();
  const options = { credentials, region: address.region };

  return {
    patience,

    /** The time limit of one request, ended by whoever asked for it. */
    watch: (signal?: AbortSignal): Watch => createWatch(patience.answer, signal),

    /** The answer, when it is a success; a Refusal else. Redirects are none: they would lead who knows where. */
    async send({ method, key, query, headers, unsigned, body, watch }: WireRequest): Promise<Response> {
      const url = signer.presign(method, address.urlOf(key), {
        ...options,
        now: clock(),
        expires: OWN_EXPIRY,
        ...(headers && { headers }),
        ...(query && { query }),
      });
      const response = await fetch(url, {
        method,
        // A proxy on the way must not compress what is to be handed on as it is.
        headers: { "accept-encoding": "identity", ...headers, ...unsigned },
        ...(body !== undefined && { body }),
        signal: watch.signal,
        redirect: "manual",
        decompress: false,
        // The runtime's own limit takes an upload of more than five minutes for a silent one; the watch knows better.
        timeout: false,
      });
      if (!response.ok) throw await refusalOf(response);
      return response;
    },

    /** A length that is signed cannot be told wrongly, and a body is never longer than was told (RFC 9112 section 6.3). */
    presign: ({ method, key, expires, type, length, part, answer }: PresignRequest): string =>
      signer.presign(method, address.urlOf(key), {
        ...options,
        now: clock(),
        expires,
        headers: {
          ...(type !== undefined && { "content-type": type }),
          ...(length !== undefined && { "content-length": String(length) }),
        },
        query: {
          ...(part && { partNumber: String(part.number), uploadId: part.upload }),
          ...(answer?.disposition !== undefined && { "response-content-disposition": answer.disposition }),
          ...(answer?.type !== undefined && { "response-content-type": answer.type }),
        },
      }),
  };
}

export type Wire = ReturnType<typeof createWire>;
