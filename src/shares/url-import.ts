import { Failure, type FailureCode } from "#contract/failures";
import { DOWNLOADS_AT_ONCE, DOWNLOADS_OF_ONE, sizeText } from "#contract/limits";
import { isFilename } from "#contract/paths";
import type { Limiter } from "../access/limiter.ts";
import { plainType, typeOf } from "../lib/mime.ts";
import {
  readSourceUrl,
  type SafeFetch,
  type SourceAnswer,
  SourceError,
  type SourceProblem,
  type SourceRequest,
} from "../lib/safe-fetch.ts";
import { nameOfSource } from "../lib/source-name.ts";

interface SourcesDeps {
  readonly fetch: SafeFetch;
  readonly limiter: Pick<Limiter, "miss">;
  /** Bytes of the largest file that may be uploaded. */
  readonly largest: () => number;
}

/** Who asks for a URL. */
interface Asker {
  /** Whom requests are counted against: a caller, or the address of a visitor. */
  readonly subject: string;
  readonly signal?: AbortSignal | undefined;
}

/** What a source says of its file. */
interface SourceFacts {
  readonly url: string;
  readonly filename: string;
  readonly contentType: string;
  /** Bytes; null when it does not say. */
  readonly size: number | null;
  readonly lastModified: string | null;
}

/** Files on the web that somebody wants to share: what they are, and their bytes. */
export function createSources({ fetch, limiter, largest }: SourcesDeps) {
  const downloads = new Map<string, number>();
  let all = 0;

  /** Takes a place among the downloads that run at once; the answered function gives it back. 429 url.tooMany, 503 server.busy. */
  const enter = (subject: string): (() => void) => {
    const before = downloads.get(subject) ?? 0;
    if (before >= DOWNLOADS_OF_ONE) throw new Failure("url.tooMany", { limit: DOWNLOADS_OF_ONE });
    if (all >= DOWNLOADS_AT_ONCE) throw new Failure("server.busy");
    downloads.set(subject, before + 1);
    all += 1;
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      all -= 1;
      const now = (downloads.get(subject) ?? 1) - 1;
      if (now === 0) downloads.delete(subject);
      else downloads.set(subject, now);
    };
  };

  /** Asks a source, and answers only a success. 400 url.invalid, url.forbidden; 502 url.*; 504 url.late. */
  const ask = async (url: string, request: SourceRequest): Promise<SourceAnswer> => {
    const answer = await fetch(url, request).catch((error: unknown) => {
      throw failureOf(error, largest());
    });
    // A part that nobody asked for would pass for the whole file.
    const isPart = answer.status === 206 && request.headers?.range === undefined;
    if (answer.status >= 200 && answer.status < 300 && !isPart) return answer;
    answer.drop();
    throw new Failure("url.refused", { status: answer.status });
  };

  /** Many sources answer only GET: presigned addresses, for instance, are signed for one method. */
  const headers = async (url: string, request: Omit<SourceRequest, "method">) => {
    const asked = await ask(url, { ...request, method: "HEAD" }).catch((error: unknown) => {
      if (error instanceof Failure && ["url.refused", "url.unreachable"].includes(error.code)) return undefined;
      throw error;
    });
    if (asked) return { method: "HEAD" as const, answer: asked };
    const range = { ...request.headers, range: "bytes=0-0" };
    return { method: "GET" as const, answer: await ask(url, { ...request, method: "GET", headers: range }) };
  };

  return {
    /**
     * Tells what a URL leads to; `origin` is the site whose pages may want to read it themselves. 400 url.invalid, url.forbidden; 429
     * limit.wait; 502 url.unreachable, url.redirects, url.refused; 504 url.late.
     */
    async describe(url: string, { subject, signal, origin }: Asker & { readonly origin: string }) {
      checkUrl(url);
      await limiter.miss("sourceRequests", subject);
      const { method, answer } = await headers(url, { signal, headers: { origin } });
      answer.drop();
      const allowed = answer.headers.get("access-control-allow-origin")?.trim();
      return { ...factsOf(answer), method, corsSupported: allowed === "*" || allowed === origin };
    },

    /**
     * Opens the bytes of a URL, of MAX_UPLOAD at most; they end with an error when the source breaks off, is too slow or sends more.
     * 400 url.invalid, url.forbidden; 413 file.tooLarge; 429 limit.wait, url.tooMany; 502 url.*; 503 server.busy; 504 url.late.
     */
    async open(url: string, { subject, signal }: Asker) {
      checkUrl(url);
      await limiter.miss("sourceRequests", subject);
      const leave = enter(subject);
      try {
        const answer = await ask(url, { method: "GET", signal });
        const [facts, most] = [factsOf(answer), largest()];
        if (Number(answer.headers.get("content-length")) > most) {
          answer.drop();
          throw new Failure("file.tooLarge", { limit: sizeText(most) });
        }
        return { ...facts, encoding: encodingOf(answer), body: answer.body(most, leave) };
      } catch (error) {
        leave();
        throw error;
      }
    },

    /** The URL as it is requested, and the name that it gives a file. 400 url.invalid, url.forbidden. */
    named(url: string): { readonly url: string; readonly filename: string } {
      const read = checkUrl(url);
      return { url: read.href, filename: nameOfSource({ headers: new Headers(), url: read, isName: isFilename }) };
    },
  };
}

/** 400 url.invalid, url.forbidden. */
function checkUrl(url: string): URL {
  try {
    return readSourceUrl(url);
  } catch (error) {
    throw failureOf(error, 0);
  }
}

/** What a source's problem is to whoever asked, as long as nothing was answered. */
const codes: Readonly<Record<SourceProblem, FailureCode>> = {
  invalid: "url.invalid",
  forbidden: "url.forbidden",
  redirects: "url.redirects",
  unreachable: "url.unreachable",
  late: "url.late",
  broken: "url.unreachable",
  tooLarge: "file.tooLarge",
};

const failureOf = (error: unknown, most: number): unknown =>
  error instanceof SourceError ? new Failure(codes[error.problem], { limit: sizeText(most) }) : error;

/** Encodings that browsers undo (RFC 9110 section 8.4.1). */
const encodings = ["gzip", "x-gzip", "deflate", "br", "zstd"];

const encodingOf = ({ headers }: SourceAnswer): string | undefined =>
  encodings.find((name) => name === headers.get("content-encoding")?.trim().toLowerCase());

function factsOf(answer: SourceAnswer): SourceFacts {
  const { headers, url } = answer;
  const filename = nameOfSource({ headers, url, isName: isFilename });
  return {
    url: url.href,
    filename,
    contentType: typeOf(filename, plainType(headers.get("content-type"))),
    size: sizeOf(answer),
    lastModified: dateOf(headers.get("last-modified")),
  };
}

/** What is encoded has another size once it is undone. */
function sizeOf({ status, headers }: SourceAnswer): number | null {
  if (!["", "identity"].includes(headers.get("content-encoding") ?? "")) return null;
  const said =
    status === 206
      ? /^bytes \d+-\d+\/(\d+)$/.exec(headers.get("content-range") ?? "")?.[1]
      : headers.get("content-length");
  return said && /^\d{1,15}$/.test(said) ? Number(said) : null;
}

function dateOf(text: string | null): string | null {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? null : new Date(at).toUTCString();
}
