import { Failure } from "#contract/failures";
import type { Config } from "./config.ts";
import {
  baseOf,
  createHostCheck,
  createSecureCheck,
  hostsOf,
  isForRunning,
  pageHostsOf,
  pathsAt,
  type RequestContext,
  readLength,
  readTarget,
  type Target,
} from "./fronts/context.ts";
import { CHALLENGE } from "./fronts/dav/failures.ts";
import { createDav, davMethods, isDav, isDavPath } from "./fronts/dav/index.ts";
import { createDownloads } from "./fronts/downloads.ts";
import { createInbound, isInbound, wantsLines } from "./fronts/inbound.ts";
import { createMemory } from "./fronts/memory.ts";
import { createMetricsFront, isMetrics, noMetrics } from "./fronts/metrics.ts";
import { failureResponse, toFailure } from "./fronts/rest/failures.ts";
import { createRest } from "./fronts/rest/index.ts";
import { createS3, isS3 } from "./fronts/s3/index.ts";
import { isPost } from "./fronts/s3/post-object.ts";
import { createTerminal, isBrowser, isTerminal } from "./fronts/terminal.ts";
import { type Connections, createUnread } from "./fronts/unread.ts";
import type { House } from "./house.ts";
import { hopAddress, plainAddress } from "./lib/addresses.ts";
import { countRead, countSent } from "./lib/counting.ts";
import { logUnhandled } from "./lib/log.ts";
import type { Front } from "./system/metrics.ts";

/** A front of plain files, and of what is public of shares. */
export type Site = (
  request: Request,
  context: RequestContext,
  rooms: Pick<House, "shares" | "log">,
) => Response | Promise<Response>;

type Answering = (request: Request, context: RequestContext) => Response | Promise<Response>;

type Memory = ReturnType<typeof createMemory>;
type Unread = ReturnType<typeof createUnread>;
type HostCheck = ReturnType<typeof createHostCheck>;

interface AppDeps {
  readonly house: House;
  readonly site: Site;
  readonly config: Pick<Config, "trustedProxies" | "publicUrl" | "basePath"> &
    Partial<Pick<Config, "tls">> & {
      readonly metrics: Pick<Config["metrics"], "token">;
    };
}

/** As long as Bun can wait for a connection on which nothing moves, while a large file is flushed to a slow disk. */
const LONGEST_WAIT_SECONDS = 255;

/** Response headers that a page of another origin may read. */
const exposedHeaders =
  "ETag, Content-Range, Accept-Ranges, Content-Length, Content-Disposition, Retry-After, DAV, Lock-Token, Allow";

/** What a preflight of any path is answered. */
const preflightHeaders = {
  // A wildcard stands for all but Authorization (Fetch, "CORS protocol"), and older browsers do not know it.
  "access-control-allow-headers":
    "Content-Type, Authorization, X-API-KEY, X-Custom-Auth-Key, X-Requested-With, Content-Length, Range, If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since, If-Range, Idempotency-Key, X-Share-Password, Depth, Destination, Overwrite, If, Lock-Token, Timeout, *",
  "access-control-max-age": "86400",
};

/** Answers a browser that asks whether a page of another origin may send a request. */
const preflight: Answering = (_request, { path }) =>
  new Response(null, {
    status: 204,
    headers: {
      ...preflightHeaders,
      "access-control-allow-methods": isDavPath(path) ? davMethods : "GET, HEAD, POST, PUT, DELETE, OPTIONS",
    },
  });

/** Headers of every response unless its front sets others. */
const defaultHeaders: readonly (readonly [string, string])[] = [
  ["content-security-policy", "default-src 'none'; frame-ancestors 'none'"],
  ["x-content-type-options", "nosniff"],
  ["referrer-policy", "same-origin"],
  // Pages of others may read answers as CORS lets them, and not by putting them into a page.
  ["cross-origin-resource-policy", "same-origin"],
];

const secureOnly = "max-age=31536000";

/** An origin of a single letter is nobody's. */
const SHORTEST_ORIGIN = "http://ab".length;

/**
 * Whether a 401 asks for the password by HTTP Basic, which some programs wait for before they send one. A browser shows a box of its own for
 * that, in the middle of a page; only where somebody has typed `?raw` into one it is the way to say the password.
 */
function asksByBasic(request: Request, front: Front | undefined): boolean {
  const mode = request.headers.get("sec-fetch-mode");
  if (front === "terminal") return mode === null || mode === "navigate";
  return front === "inbound" && !isBrowser(request);
}

/** A failure as a front says it. */
function refusal(failure: Failure, request: Request, front: Front | undefined): Response {
  const isText = front === "terminal" || (front === "inbound" && wantsLines(request));
  const response = failureResponse(failure, request, isText ? "text" : "json");
  if (response.status === 401 && asksByBasic(request, front)) response.headers.set("www-authenticate", CHALLENGE);
  return response;
}

/** Hands each request to its front, whose failures become answers. */
function createDispatch({ house, site, config }: AppDeps, memory: Memory, unread: Unread) {
  const rest = createRest(house);
  const s3 = createS3(house);
  const dav = createDav(house);
  const inbound = createInbound(house);
  const { log } = house;
  const { metrics } = house.system;
  const token = config.metrics.token;
  const metricsFront = metrics && token !== undefined ? createMetricsFront(metrics, token) : undefined;

  const frontOf = (request: Request, context: RequestContext): Exclude<Front, "none"> => {
    const isSigned = isS3(context, request);
    if (isDav(context, request) && !isSigned) return "dav";
    if (request.method === "OPTIONS") return "preflight";
    if (isSigned) return "s3";
    if (isApi(context.path)) return "rest";
    if (isMetrics(context.path)) return "metrics";
    if (isInbound(context, request)) return "inbound";
    if (isTerminal(context, request)) return "terminal";
    return isPost(context, request) ? "s3" : "site";
  };

  const fronts: Readonly<Record<Exclude<Front, "none">, Answering>> = {
    dav,
    s3,
    rest: rest.fetch,
    inbound,
    terminal: createTerminal(house),
    site: (request, context) => site(request, context, house),
    metrics: metricsFront ?? noMetrics,
    preflight,
  };

  const answer = async (request: Request, context: RequestContext): Promise<[Response, Front]> => {
    let front: Exclude<Front, "none"> | undefined;
    let answered: (() => void) | undefined;
    try {
      front = frontOf(request, context);
      if (!unread.admits(context.address)) throw new Failure("server.busy");
      if (front !== "site" && isForRunning(request.headers)) throw new Failure("script.stored");
      const counted = metrics && countRead(request, context.length, metrics.reading(front));
      answered = counted?.answered;
      const response = await fronts[front](counted?.request ?? request, context);
      return [await memory.settle(response, context.address), front];
    } catch (error) {
      return [refusal(toFailure(error, context.requestId, log), request, front), front ?? "none"];
    } finally {
      answered?.();
    }
  };

  return { answer, bound: rest.bound };
}

/**
 * A URL without a good host has no origin, and its path would be taken for another. 400 host.invalid, target.invalid; 404 target.outside
 * for what is not below the base path.
 */
function targetOf(request: Request, isHost: HostCheck, paths: ReturnType<typeof pathsAt>): Target {
  if (!isHost(request.headers.get("host")) || request.url.indexOf("/", 8) < SHORTEST_ORIGIN)
    throw new Failure("host.invalid");
  return readTarget(request.url, paths);
}

/** What a target that no front reads is answered: outside of the base path somebody has typed it, or a proxy was set up wrong. */
const refusalOf = (failure: Failure, request: Request): Response =>
  failureResponse(failure, request, failure.code === "target.outside" ? "text" : "json");

interface Leaving {
  readonly front: Front;
  readonly address: string;
  readonly connections: Connections;
}

/** Makes the function that counts what leaves, and that learns how downloads end. */
function createLeaving(metrics: House["system"]["metrics"], unread: Unread) {
  const downloads = createDownloads();
  return (request: Request, response: Response, { front, address, connections }: Leaving): Response => {
    unread.note(request, response, address, connections);
    const followed = downloads.follow(request, response, connections);
    return metrics ? countSent(followed, request, metrics.sending(front)) : followed;
  };
}

/** The entry point: numbers and logs each request, answers preflights, and hands the rest to its front. */
export function createApp({ house, site, config }: AppDeps) {
  const memory = createMemory(house.transfers);
  const unread = createUnread();
  const isHost = createHostCheck();
  const { basePath, publicUrl } = config;
  const isSecure = createSecureCheck(publicUrl, config.tls !== undefined);
  const paths = pathsAt(basePath);
  const { log } = house;
  const { metrics } = house.system;
  const leaving = createLeaving(metrics, unread);
  const { answer, bound } = createDispatch({ house, site, config }, memory, unread);
  let arrivals = 0;
  const run = crypto.randomUUID().slice(0, 8);

  /** All visitors behind a proxy that is not trusted look like one, and share its limits. */
  let warned = false;
  const warnOfProxy = (peer: string) => {
    warned = true;
    log.warn("X-Forwarded-For from a peer that TRUSTED_PROXIES does not name", { peer });
  };

  /**
   * Answers one request. `peer` is the address at the other end of its connection, which is one of `connections`.
   */
  const fetch = async (request: Request, peer: string, connections: Connections): Promise<Response> => {
    const began = performance.now();
    arrivals += 1;
    const requestId = `${run}-${arrivals.toString(36)}`;
    const trusted = config.trustedProxies.has(peer);
    // A connection that has gone already has no peer.
    if (!warned && peer !== "" && !trusted && request.headers.has("x-forwarded-for")) warnOfProxy(peer);
    const address = callerAddress(request, peer, config);
    const finish = (response: Response, path: string, front: Front): Response => {
      complete(response.headers, request);
      if (isSecure(request.headers, trusted)) response.headers.set("strict-transport-security", secureOnly);
      log.request({ requestId, method: request.method, path, status: response.status, began, address });
      metrics?.answered({
        front,
        status: response.status,
        milliseconds: performance.now() - began,
      });
      return leaving(request, response, { front, address, connections });
    };

    let read: Target & Pick<RequestContext, "length">;
    try {
      read = { ...targetOf(request, isHost, paths), length: readLength(request.headers) };
    } catch (error) {
      return finish(refusalOf(toFailure(error, requestId, log), request), UNREAD, "none");
    }
    const known = { publicUrl, basePath, trusted };
    const lease = memory.open(address);
    const context: RequestContext = Object.freeze({
      ...read,
      requestId,
      address,
      base: () => baseOf(request, known),
      ...paths,
      hosts: () => hostsOf(request, known),
      pageHosts: () => pageHostsOf(request, known),
      memory: lease,
      hold: () => connections.timeout(request, LONGEST_WAIT_SECONDS),
    });
    const [response, front] = await answer(request, context);
    lease.release();
    return finish(response, read.sent, front);
  };

  /**
   * Answers when a response fails before its first byte: a file is opened only then, and may be gone. 404
   * path.missing, 500 internal.
   */
  const broken = (error: Error): Response => {
    const request = new Request("http://satchel.invalid");
    const isGone = "code" in error && error.code === "ENOENT";
    if (!isGone) logUnhandled(log, error);
    const failure = isGone ? new Failure("path.missing") : new Failure("internal", { request: run });
    const response = failureResponse(failure, request, "json");
    complete(response.headers, request);
    return response;
  };

  return { fetch, broken, bound };
}

/** Stands in the log in place of a path that was not read. */
const UNREAD = "-";

function complete(headers: Headers, request: Request): void {
  headers.set("access-control-allow-origin", "*");
  if (request.headers.has("origin")) headers.set("access-control-expose-headers", exposedHeaders);
  for (const [name, value] of defaultHeaders) if (!headers.has(name)) headers.set(name, value);
}

const isApi = (path: string) => path === "/api" || path.startsWith("/api/") || path === "/docs/json";

/**
 * Returns the last address that a trusted proxy vouches for, the first one if all are proxies; without one, the peer itself. A
 * hop that is not an address ends the chain at the peer, because its sender may have forged the ones before it as well.
 */
function callerAddress(request: Request, peer: string, { trustedProxies }: AppDeps["config"]): string {
  const own = plainAddress(peer);
  const chain = trustedProxies.has(peer) ? request.headers.get("x-forwarded-for") : null;
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
