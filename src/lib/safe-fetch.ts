import type { AddressPolicy, Resolve } from "./addresses.ts";
import type { Clock } from "./clock.ts";
import { createPinnedFetch, type Fetch, ForbiddenAddress } from "./pinned-fetch.ts";
import { createTimer } from "./timer.ts";

/** Why a source gave nothing, or not all of it. */
export type SourceProblem =
  /** No http or https URL, or one with a name or password in it. */
  | "invalid"
  /** It leads to where this server does not connect. */
  | "forbidden"
  | "redirects"
  | "unreachable"
  /** Silent for too long, or too slow. */
  | "late"
  | "tooLarge"
  /** It ended before its end. */
  | "broken";

/** What a URL that somebody typed has led to instead of bytes. */
export class SourceError extends Error {
  override readonly name = "SourceError";

  constructor(readonly problem: SourceProblem) {
    super(problem);
  }
}

/** Times in milliseconds. */
export interface SourceLimits {
  /** For the headers of the last answer, redirects included. */
  readonly answer: number;
  /** For the next bytes of a body. */
  readonly idle: number;
  /** For a whole body. */
  readonly total: number;
  /** From when on, and how many bytes a second a source has to send while it is waited for. */
  readonly grace: number;
  readonly slowest: number;
  readonly redirects: number;
}

const usual: SourceLimits = {
  answer: 12_000,
  idle: 30_000,
  total: 6 * 3_600_000,
  grace: 60_000,
  slowest: 2000,
  redirects: 8,
};

export interface SourceRequest {
  readonly method: "GET" | "HEAD";
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** What a source answered. Read `body`, or call `drop`. */
export interface SourceAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Where the redirects ended. */
  readonly url: URL;
  /**
   * The bytes as they were sent, still encoded if `content-encoding` says so; more than `most` are an error. `onEnd` is called once when
   * nothing comes any more, for whatever reason.
   */
  body(most: number, onEnd?: () => void): ReadableStream<Uint8Array>;
  drop(): void;
}

interface SafeFetchDeps {
  readonly fetch: Fetch;
  readonly policy: AddressPolicy;
  readonly resolve: Resolve;
  readonly clock: Clock;
  readonly limits?: Partial<SourceLimits>;
}

const REDIRECTS = [301, 302, 303, 307, 308];
/** Ports of other protocols, which would take a request for something else; services of users are above them. */
const FIRST_FREE_PORT = 1024;

/** Reads a URL of a source, without its fragment. Throws SourceError invalid, forbidden. */
export function readSourceUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) throw new SourceError("invalid");
  // The usual port of the scheme is empty here.
  if (!["", "80", "443"].includes(url.port) && Number(url.port) < FIRST_FREE_PORT) throw new SourceError("forbidden");
  url.hash = "";
  return url;
}

/**
 * Makes the function that requests URLs which users typed. It connects only to addresses that the policy allows, and to exactly those
 * that were checked; every redirect is checked anew. No cookie and no credential goes along. Headers, time, speed and bytes are limited
 * (Bun refuses more than 16 kB of headers). A body that breaks off is an error. Throws SourceError, and the reason of an abort.
 */
export function createSafeFetch({ limits: chosen, ...deps }: SafeFetchDeps) {
  const pinned = createPinnedFetch(deps);
  const limits = { ...usual, ...chosen };

  const request = async (url: URL, { method, headers }: SourceRequest, signal: AbortSignal): Promise<Response> => {
    try {
      return await pinned(url.href, {
        method,
        headers: { "user-agent": "Satchel", accept: "*/*", "accept-encoding": "identity", ...headers },
        signal,
        // Encoded bytes go on as they are: what unpacks to a thousand times its size unpacks elsewhere.
        decompress: false,
        // A connection that one user's URL opened serves no other.
        keepalive: false,
      });
    } catch (error) {
      signal.throwIfAborted();
      throw new SourceError(error instanceof ForbiddenAddress ? "forbidden" : "unreachable");
    }
  };

  /** Follows redirects to the last answer. */
  const follow = async (first: URL, wanted: SourceRequest, signal: AbortSignal): Promise<[Response, URL]> => {
    let url = first;
    for (let hops = 0; hops <= limits.redirects; hops++) {
      const response = await request(url, wanted, signal);
      const location = response.headers.get("location");
      if (!REDIRECTS.includes(response.status) || location === null) return [response, url];
      response.body?.cancel().catch(() => undefined);
      url = readSourceUrl(location, url);
    }
    throw new SourceError("redirects");
  };

  return async (text: string, wanted: SourceRequest): Promise<SourceAnswer> => {
    const own = new AbortController();
    const signal = wanted.signal ? AbortSignal.any([wanted.signal, own.signal]) : own.signal;
    const timer = createTimer(() => own.abort(new SourceError("late")));
    timer.restart(limits.answer);
    try {
      const [response, url] = await follow(readSourceUrl(text), wanted, signal);
      const { status, headers } = response;
      const drop = () => own.abort();
      return {
        status,
        headers,
        url,
        drop,
        body: (most, onEnd) => bounded(response, { most, onEnd, limits, own, signal }),
      };
    } catch (error) {
      own.abort();
      throw error;
    } finally {
      timer.clear();
    }
  };
}

export type SafeFetch = ReturnType<typeof createSafeFetch>;

interface Bounds {
  readonly most: number;
  readonly onEnd: (() => void) | undefined;
  readonly limits: SourceLimits;
  readonly own: AbortController;
  readonly signal: AbortSignal;
}

/** The body of an answer within its bounds. Time counts only while the source is waited for, not its reader. */
function bounded(
  { body, headers }: Response,
  { most, onEnd, limits, own, signal }: Bounds,
): ReadableStream<Uint8Array> {
  const reader = (body ?? new Blob().stream()).getReader();
  const idle = createTimer(() => own.abort(new SourceError("late")));
  const total = createTimer(() => own.abort(new SourceError("late")));
  total.restart(limits.total);
  let bytes = 0;
  let waited = 0;

  const over = () => {
    idle.clear();
    total.clear();
    onEnd?.();
  };
  if (signal.aborted) over();
  else signal.addEventListener("abort", over, { once: true });

  const next = async (): Promise<Uint8Array | undefined> => {
    const began = performance.now();
    idle.restart(limits.idle);
    const { done, value } = await reader.read();
    idle.pause();
    waited += performance.now() - began;
    signal.throwIfAborted();
    if (done) return undefined;
    bytes += value.byteLength;
    if (bytes > most) throw new SourceError("tooLarge");
    if (waited > limits.grace && bytes < (limits.slowest * waited) / 1000) throw new SourceError("late");
    return value;
  };

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const chunk = await next();
          if (chunk) return controller.enqueue(chunk);
          const declared = Number(headers.get("content-length") ?? bytes);
          if (bytes !== declared) throw new SourceError("broken");
          own.abort();
          controller.close();
        } catch (error) {
          const broken = error instanceof SourceError ? error : new SourceError("broken");
          const reason = signal.aborted ? signal.reason : broken;
          own.abort(reason);
          throw reason;
        }
      },
      cancel: () => own.abort(),
    },
    { highWaterMark: 0 },
  );
}
