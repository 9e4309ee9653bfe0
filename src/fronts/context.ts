import { isIP } from "node:net";
import { Failure } from "#contract/failures";
import { type AddressSet, hopAddress, plainAddress } from "../lib/addresses.ts";
import type { RequestMemory } from "./memory/request-memory.ts";
import type { Connections } from "./unread.ts";

/**
 * A request as the entry point read it. It is read once and frozen; guards and handlers of every front use it and
 * never parse the URL again, because two readers of one URL may disagree.
 */
export interface RequestContext extends Target {
  /** Stands in the log line and in the answer to a failure that is a bug. */
  readonly requestId: string;
  /** Bytes of the body as its sender declares them; undefined when it does not. */
  readonly length: number | undefined;
  /** The caller's address: the peer, or the one that a trusted proxy reports. */
  readonly address: string;
  /** The URL under which the caller reaches this server: scheme, host and base path, without a slash at its end. */
  base(): string;
  /** A path of this server as its clients have to write it, below the base path: the one place that puts it on. */
  pathTo(path: string): string;
  /** The reverse of that, for what a client has written; undefined for what is not below the base path. */
  pathFrom(written: string): string | undefined;
  /** Hosts that the caller may have used for this server, likeliest first: a signature names one of them. */
  hosts(): string[];
  /** Hosts by which a policy of a page may name this server; none where that might not be what the browser calls it. */
  pageHosts(): readonly string[];
  /** What the request may hold in memory. */
  readonly memory: RequestMemory;
  /** Keeps the connection open as long as possible: the answer may pause without a byte moving. */
  hold(): void;
}

/** The request target (RFC 9112 section 3.2) in its two parts. */
interface Target {
  /** As it was sent, still percent-encoded; dot segments are resolved. Signatures are about it. */
  readonly sent: string;
  /** What is sent below the base path; this is what every front reads. */
  readonly path: string;
  readonly query: Query;
}

interface Query {
  /** As it was sent, still percent-encoded, without the question mark. */
  readonly text: string;
  /** Each parameter by its decoded name (URL Standard section 5.1); a list when it was sent more than once. */
  readonly values: Readonly<Record<string, string | readonly string[]>>;
}

const emptyQuery: Query = Object.freeze({ text: "", values: Object.freeze({}) });

/** What no client may send in a target: a fragment, a space, a control character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is refused.
const FORBIDDEN = /[#\u0000-\u0020\u007f]/;

/** The paths of a server at a base path (BASE_PATH). */
export const pathsAt = (basePath: string): Pick<RequestContext, "pathTo" | "pathFrom"> => ({
  pathTo: (path) => basePath + path,
  pathFrom(written) {
    if (basePath === "") return written;
    const below = written.startsWith(basePath) ? written.slice(basePath.length) : undefined;
    // The folder is meant by who leaves out its slash, as clients of S3 do.
    return below === "" ? "/" : below?.startsWith("/") ? below : undefined;
  },
});

/**
 * Reads the target of a request from its absolute URL, without the base path. 400 target.invalid, 404 target.outside for what is not below
 * that.
 */
export function readTarget(url: string, { pathTo, pathFrom } = pathsAt("")): Target {
  if (FORBIDDEN.test(url)) throw new Failure("target.invalid");
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const mark = url.indexOf("?", start);
  const sent = mark < 0 ? url.slice(start) : url.slice(start, mark);
  const query = mark < 0 ? emptyQuery : readQuery(url.slice(mark + 1));
  const path = pathFrom(sent);
  if (path === undefined) throw new Failure("target.outside", { path: pathTo("/") });
  return { sent, path, query };
}

/** A segment of a path without its percent-encoding. 400 target.invalid. */
export function decodedSegment(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    throw new Failure("target.invalid");
  }
}

function readQuery(text: string): Query {
  const values: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const before = values[name];
    if (Array.isArray(before)) before.push(value);
    else values[name] = before === undefined ? value : [before, value];
  }
  for (const value of Object.values(values)) Object.freeze(value);
  return Object.freeze({ text, values: Object.freeze(values) });
}

/**
 * Reads how long a body is (RFC 9112 section 6.2). A length that was sent twice is a list, and one beside a Transfer-Encoding
 * contradicts it; neither is a number that a limit could hold. 400 header.invalid.
 */
export function readLength(headers: Headers): number | undefined {
  const declared = headers.get("content-length");
  if (declared === null) return undefined;
  if (!/^\d{1,15}$/.test(declared) || headers.has("transfer-encoding"))
    throw new Failure("header.invalid", { header: "Content-Length" });
  return Number(declared);
}

/** A server that knows no ranges would take a part for the whole (RFC 9110 section 14.5). 400 header.invalid. */
export function requireWhole({ headers }: Request): void {
  if (headers.has("content-range")) throw new Failure("header.invalid", { header: "Content-Range" });
}

/** A header that is UTF-8, as programs send what was typed, although HTTP takes it for Latin-1 (RFC 9110 section 5.5). */
export function headerText(headers: Headers, name: string): string | undefined {
  const value = headers.get(name);
  return value === null ? undefined : Buffer.from(value, "latin1").toString("utf8");
}

/** Whether a program is answered in lines, as people at a terminal read them: whoever asks for JSON, by `?json` or Accept, gets that. */
export const wantsLines = ({ headers }: Pick<Request, "headers">, { query }: Pick<Target, "query">): boolean =>
  !("json" in query.values) && !/\bjson\b/i.test(headers.get("accept") ?? "");

interface Known {
  /** PUBLIC_URL with the base path. */
  readonly publicUrl: string | undefined;
  /** Whether a trusted proxy sent the request, so that X-Forwarded-Host and X-Forwarded-Proto count. */
  readonly trusted: boolean;
}

const first = (header: string | null): string => header?.split(",")[0]?.trim() ?? "";

const HOST = /^[\w.:[\]-]{1,255}$/;

/** Reports whether a Host is valid in a URL and keeps its meaning there: not `[[`, `a:99999` or `127.1`. */
const isHost = (host: string): boolean =>
  HOST.test(host) && URL.parse(`http://${host}`)?.host === host.toLowerCase().replace(/:80$/, "");

/**
 * Creates the function that reports whether a Host is valid. Nearly every request has the Host of the one before, so
 * the last valid one is cached.
 */
export function createHostCheck(): (host: string | null) => boolean {
  let good: string | undefined;
  return (host) => {
    if (host === null) return false;
    if (host !== good && !isHost(host)) return false;
    good = host;
    return true;
  };
}

const proto = (headers: Headers): string => first(headers.get("x-forwarded-proto")).toLowerCase();

/**
 * Makes the function that reports whether the answer may require https from now on (RFC 6797): when the caller used it, as
 * PUBLIC_URL, a trusted proxy or the connection says, and to the usual port, because that would hold for every other port of the host, too.
 */
export function createSecureCheck(
  publicUrl: string | undefined,
  isEncrypted = false,
): (headers: Headers, trusted: boolean) => boolean {
  const known = publicUrl === undefined ? undefined : new URL(publicUrl);
  const usual = known === undefined || known.port === "";
  return (headers, trusted) => {
    const said = trusted ? proto(headers) : "";
    const secure = said === "" ? (known ? known.protocol === "https:" : isEncrypted) : said === "https";
    if (!secure || !usual) return false;
    return known !== undefined || !/:\d+$/.test(hostsOf({ headers }, { publicUrl: undefined, trusted }).at(-1) ?? "");
  };
}

/**
 * Returns the URL of this server as the caller sees it, without a slash at its end: PUBLIC_URL, else the base path behind the scheme and
 * the host that a trusted proxy reports, else those of the request.
 */
const baseOf = (request: Request, { basePath, ...known }: Known & { readonly basePath: string }): string =>
  known.publicUrl ?? originOf(request, known) + basePath;

function originOf({ headers, url }: Request, { trusted }: Known): string {
  const host = hostsOf({ headers }, { publicUrl: undefined, trusted }).at(-1) ?? "localhost";
  const said = trusted ? proto(headers) : "";
  if (said === "https" || said === "http") return `${said}://${host}`;
  // Behind a proxy that is not configured, the page's own origin still shows that it is secure.
  return headers.get("origin") === `https://${host}`
    ? `https://${host}`
    : `${url.slice(0, url.indexOf(":"))}://${host}`;
}

/** A host that a policy can name: of addresses browsers have to know 127.0.0.1 alone (CSP Level 3, host-part match). */
const isNameable = (host: string): boolean => {
  const [, name = ""] = /^([a-z\d.-]+)(?::\d+)?$/i.exec(host) ?? [];
  return name !== "" && !name.endsWith(".") && (isIP(name) === 0 || name === "127.0.0.1");
};

/**
 * Returns the hosts by which a Content-Security-Policy may name this server, which blocks the pages themselves where the browser calls
 * it otherwise: none unless PUBLIC_URL or a trusted proxy tells, because a proxy may have changed Host unseen, and none for addresses.
 */
export function pageHostsOf(request: Pick<Request, "headers">, known: Known): readonly string[] {
  const { headers } = request;
  const isTold = known.publicUrl !== undefined || (known.trusted && headers.has("x-forwarded-host"));
  if (!isTold) return [];
  const hosts = hostsOf(request, known);
  return hosts.every(isNameable) ? [...new Set(hosts)] : [];
}

/** What a browser is about to run (Fetch Metadata, Sec-Fetch-Dest). */
const programs: ReadonlySet<string> = new Set(
  "script worker sharedworker serviceworker audioworklet paintworklet xslt".split(" "),
);

/** Reports whether a page of this server is about to run what it asks for. Browsers say so where the address is secure or local. */
export const isForRunning = (headers: Headers): boolean =>
  headers.get("sec-fetch-site") === "same-origin" && programs.has(headers.get("sec-fetch-dest") ?? "");

/** Returns the hosts that a caller may have used: Host, PUBLIC_URL's host, and the one that a trusted proxy reports. */
function hostsOf({ headers }: Pick<Request, "headers">, { publicUrl, trusted }: Known): string[] {
  const forwarded = trusted ? first(headers.get("x-forwarded-host")) : "";
  const own = publicUrl ? new URL(publicUrl).host : "";
  return [headers.get("host") ?? "", own, forwarded].filter(isHost);
}

/** As long as Bun can wait for a connection on which nothing moves, while a large file is flushed to a slow disk. */
const LONGEST_WAIT_SECONDS = 255;

/** An origin of a single letter is nobody's. */
const SHORTEST_ORIGIN = "http://ab".length;

/** What is known of a request before it is read. */
interface Received extends Pick<RequestContext, "requestId" | "address" | "memory"> {
  /** Whether a trusted proxy sent it. */
  readonly trusted: boolean;
  readonly connections: Connections;
}

/**
 * Returns the function that reads the context of a request. A URL without a good host has no origin, and its path would be taken for another: 400 host.invalid,
 * target.invalid, header.invalid; 404 target.outside for what is not below the base path.
 */
export function createContextReader({ publicUrl, basePath }: Omit<Known, "trusted"> & { readonly basePath: string }) {
  const isHost = createHostCheck();
  const paths = pathsAt(basePath);

  return (request: Request, { requestId, address, memory, trusted, connections }: Received): RequestContext => {
    if (!isHost(request.headers.get("host")) || request.url.indexOf("/", 8) < SHORTEST_ORIGIN)
      throw new Failure("host.invalid");
    const { sent, path, query } = readTarget(request.url, paths);
    const known = { publicUrl, basePath, trusted };
    // Each field by its name, because this is on the path of every request and a spread costs more.
    return Object.freeze({
      sent,
      path,
      query,
      length: readLength(request.headers),
      requestId,
      address,
      base: () => baseOf(request, known),
      pathTo: paths.pathTo,
      pathFrom: paths.pathFrom,
      hosts: () => hostsOf(request, known),
      pageHosts: () => pageHostsOf(request, known),
      memory,
      hold: () => connections.timeout(request, LONGEST_WAIT_SECONDS),
    });
  };
}

/**
 * Returns the last address that a trusted proxy vouches for, the first one if all are proxies; without one, the peer itself. A
 * hop that is not an address ends the chain at the peer, because its sender may have forged the ones before it as well.
 */
export function callerAddress({ headers }: Request, peer: string, trustedProxies: AddressSet): string {
  const own = plainAddress(peer);
  const chain = trustedProxies.has(peer) ? headers.get("x-forwarded-for") : null;
  if (chain === null) return own;
  let nearest = own;
  for (const hop of chain.split(",").reverse()) {
    const address = hopAddress(hop);
    if (address === undefined) return own;
    if (!trustedProxies.has(address)) return address;
    nearest = address;
  }
  return nearest;
}
