import { Failure } from "#contract/failures";
import type { Caller } from "./access/principal.ts";
import type { Config } from "./config.ts";
import {
  callerAddress,
  createContextReader,
  createSecureCheck,
  isForRunning,
  type RequestContext,
  wantsLines,
} from "./fronts/context.ts";
import { CHALLENGE } from "./fronts/dav/failures.ts";
import { createDav, isDav } from "./fronts/dav/index.ts";
import { createDownloads } from "./fronts/downloads.ts";
import type { Admits } from "./fronts/drop/admits.ts";
import { createDropFront, isDrop } from "./fronts/drop/index.ts";
import { createInbound, isInbound } from "./fronts/inbound.ts";
import { createMcp, isMcp } from "./fronts/mcp/index.ts";
import { createMemory } from "./fronts/memory/memory.ts";
import { createMetricsFront, isMetrics, noMetrics } from "./fronts/metrics.ts";
import { isMoved, moved } from "./fronts/moved.ts";
import { passwordHint } from "./fronts/password-hint.ts";
import { failureResponse, toFailure } from "./fronts/rest/failures.ts";
import { createRest } from "./fronts/rest/index.ts";
import { createResumableFront, isResumable } from "./fronts/resumable/index.ts";
import { createS3, isS3 } from "./fronts/s3/index.ts";
import { isPost } from "./fronts/s3/post-object.ts";
import { createTerminal, isBrowser, isTerminal } from "./fronts/terminal.ts";
import { type Connections, createUnread } from "./fronts/unread.ts";
import type { House } from "./house.ts";
import { countRead, countSent } from "./lib/counting.ts";
import { logUnhandled } from "./lib/log.ts";
import { completeHeaders, createPreflight } from "./response-headers.ts";
import type { Front } from "./system/metrics.ts";

/** A front of plain files, and of what is public of shares. */
export type Site = (
  request: Request,
  context: RequestContext,
  rooms: Pick<House, "shares" | "settings" | "log">,
) => Response | Promise<Response>;

type Answering = (request: Request, context: RequestContext) => Response | Promise<Response>;

type Memory = ReturnType<typeof createMemory>;
type Unread = ReturnType<typeof createUnread>;

interface AppDeps {
  readonly house: House;
  readonly site: Site;
  readonly config: Pick<Config, "trustedProxies" | "publicUrl" | "basePath"> &
    Partial<Pick<Config, "tls">> & {
      readonly metrics: Pick<Config["metrics"], "token">;
    };
}

/** For a year browsers come by https alone. */
const STRICT_TRANSPORT = "max-age=31536000";

/** Whether a front takes files that programs send to an address of the site. */
const takesFiles = (front: Front | undefined): boolean =>
  front === "inbound" || front === "drop" || front === "resumable";

/**
 * Whether a 401 asks for the password by HTTP Basic, which some programs wait for before they send one. A browser shows a box of its own for
 * that, in the middle of a page; only where somebody has typed `?raw` into one it is the way to say the password.
 */
function asksByBasic(request: Request, front: Front | undefined): boolean {
  const mode = request.headers.get("sec-fetch-mode");
  if (front === "terminal") return mode === null || mode === "navigate";
  return takesFiles(front) && !isBrowser(request);
}

/** A failure as a front says it. */
function refusal(failure: Failure, request: Request, context: RequestContext, front: Front | undefined): Response {
  const isText = front === "terminal" || (takesFiles(front) && wantsLines(request, context));
  const hint = isText && failure.code === "password.missing" ? passwordHint(request, context) : undefined;
  const response = failureResponse(failure, request, isText ? "text" : "json", hint);
  if (response.status === 401 && asksByBasic(request, front)) response.headers.set("www-authenticate", CHALLENGE);
  return response;
}

/** Hands each request to its front, whose failures become answers. */
function createDispatch({ house, site, config }: AppDeps, memory: Memory, unread: Unread) {
  const rest = createRest(house);
  const s3 = createS3(house);
  const dav = createDav(house);
  const inbound = createInbound(house);
  const callerOf = async (...asked: Parameters<typeof rest.admit>): Promise<Caller> => {
    const principal = await rest.admit(...asked);
    // What is asked here is open to no link.
    if (principal.kind === "anonymous" || principal.kind === "link") throw new Failure("auth.required");
    return principal;
  };
  const admits: Admits = (request, context, ...access) =>
    callerOf(request, context, { access, visitors: true, takesKeys: true });
  const drop = createDropFront(house, admits);
  const resumable = createResumableFront(house, admits, drop);
  const mcp = createMcp(house, (request, context) => callerOf(request, context, { access: "caller", takesKeys: true }));
  const { log } = house;
  const { metrics } = house.system;
  const token = config.metrics.token;
  const metricsFront = metrics && token !== undefined ? createMetricsFront(metrics, token) : undefined;

  const frontOf = (request: Request, context: RequestContext): Exclude<Front, "none"> => {
    const isSigned = isS3(context, request);
    if (isDav(context, request) && !isSigned) return "dav";
    if (request.method === "OPTIONS") return "preflight";
    if (isSigned) return "s3";
    if (isResumable(context, request)) return "resumable";
    if (isApi(context.path)) return "rest";
    if (isMcp(context)) return "mcp";
    if (isMetrics(context.path)) return "metrics";
    if (isInbound(context, request)) return "inbound";
    if (isMoved(context, request)) return "moved";
    if (isTerminal(context, request)) return "terminal";
    if (isDrop(context, request)) return "drop";
    return isPost(context, request) ? "s3" : "site";
  };

  const fronts: Readonly<Record<Exclude<Front, "none">, Answering>> = {
    dav,
    s3,
    rest: rest.fetch,
    mcp,
    inbound,
    drop,
    resumable: resumable.answer,
    terminal: createTerminal(house),
    moved,
    site: (request, context) => site(request, context, house),
    metrics: metricsFront ?? noMetrics,
    preflight: createPreflight(resumable.discovery),
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
      const accepted = request.headers.get("accept-encoding");
      return [await memory.settle(response, { address: context.address, accepted }), front];
    } catch (error) {
      return [refusal(toFailure(error, context.requestId, log), request, context, front), front ?? "none"];
    } finally {
      answered?.();
    }
  };

  return { answer, bound: rest.bound };
}

/** What a target that no front reads is answered: outside of the base path somebody has typed it, or a proxy was set up wrong. */
const refusalOf = (failure: Failure, request: Request): Response =>
  failureResponse(failure, request, failure.code === "target.outside" ? "text" : "json");

interface SentResponse {
  readonly front: Front;
  readonly address: string;
  readonly connections: Connections;
}

/** Makes the function that follows a response on its way out: it counts the bytes, and learns how downloads end. */
function createResponseFollower(metrics: House["system"]["metrics"], unread: Unread) {
  const downloads = createDownloads();
  return (request: Request, response: Response, { front, address, connections }: SentResponse): Response => {
    unread.note(request, response, address, connections);
    const followed = downloads.follow(request, response, connections);
    return metrics ? countSent(followed, request, metrics.sending(front)) : followed;
  };
}

/** The entry point: numbers and logs each request, answers preflights, and hands the rest to its front. */
export function createApp({ house, site, config }: AppDeps) {
  const memory = createMemory(house.transfers);
  const unread = createUnread();
  const read = createContextReader(config);
  const isSecure = createSecureCheck(config.publicUrl, config.tls !== undefined);
  const { log } = house;
  const { metrics } = house.system;
  const follow = createResponseFollower(metrics, unread);
  const { answer, bound } = createDispatch({ house, site, config }, memory, unread);
  const run = newId();

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
    const requestId = newId();
    const trusted = config.trustedProxies.has(peer);
    // A connection that has gone already has no peer.
    if (!warned && peer !== "" && !trusted && request.headers.has("x-forwarded-for")) warnOfProxy(peer);
    const address = callerAddress(request, peer, config.trustedProxies);
    const finish = (response: Response, path: string, front: Front): Response => {
      completeHeaders(response.headers, request);
      if (isSecure(request.headers, trusted)) response.headers.set("strict-transport-security", STRICT_TRANSPORT);
      log.request({ requestId, method: request.method, path: redacted(path), status: response.status, began, address });
      metrics?.answered({
        front,
        status: response.status,
        milliseconds: performance.now() - began,
      });
      return follow(request, response, { front, address, connections });
    };

    const lease = memory.open(address, request.headers.get("accept-encoding"));
    let context: RequestContext;
    try {
      context = read(request, { requestId, address, trusted, memory: lease, connections });
    } catch (error) {
      lease.release();
      return finish(refusalOf(toFailure(error, requestId, log), request), UNREAD_PATH, "none");
    }
    const [response, front] = await answer(request, context);
    lease.release();
    return finish(response, context.sent, front);
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
    completeHeaders(response.headers, request);
    return response;
  };

  return { fetch, broken, bound };
}

/** Names a request in the log. Answers tell it, so it says nothing of how many there were. */
const newId = (): string => crypto.randomUUID().slice(0, 13);

/** What ends an address that deletes a share or takes back what was sent, for whoever has it. */
const SECRET_IN_PATH = /(\/delete\/(?:paste|file)\/[0-9a-f-]{36}\/|\/api\/public\/receipts\/)[^/]+/;

/** A path without what would let those who read the log act in the place of others. */
const redacted = (path: string): string => path.replace(SECRET_IN_PATH, "$1-");

/** Stands in the log in place of a path that was not read. */
const UNREAD_PATH = "-";

const isApi = (path: string) => path === "/api" || path.startsWith("/api/") || path === "/docs/json";
