import { Failure } from "#contract/failures";
import type { Config } from "./config.ts";
import type { Arrival } from "./fronts/arrival.ts";
import { failureResponse } from "./fronts/rest/failures.ts";
import { createRest } from "./fronts/rest/index.ts";
import { createS3, isS3 } from "./fronts/s3/index.ts";
import { createHostCheck, createSecureCheck, hostsOf, originOf } from "./fronts/whereabouts.ts";
import type { House } from "./house.ts";
import { hopAddress, plainAddress } from "./lib/addresses.ts";
import { unforeseen } from "./lib/unforeseen.ts";

/** A front of plain files; the path is still percent-encoded. */
export type Site = (request: Request, path: string) => Response | Promise<Response>;

interface AppNeeds {
  readonly house: House;
  readonly site: Site;
  readonly config: Pick<Config, "trustedProxies" | "publicUrl">;
}

/** What a page of another origin may read of an answer. */
const exposedHeaders = "ETag, Content-Range, Accept-Ranges, Content-Length, Content-Disposition, Retry-After";

const preflightHeaders = {
  "access-control-allow-methods": "GET, HEAD, POST, PUT, DELETE, OPTIONS",
  "access-control-allow-headers":
    "Content-Type, Authorization, X-API-KEY, X-Custom-Auth-Key, X-Requested-With, Content-Length, Range, If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since, If-Range, Idempotency-Key",
  "access-control-max-age": "86400",
};

/** What an answer gets unless its front said otherwise. */
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

/** The front door: numbers and logs each request, answers preflights, and hands the rest to its front. */
export function createApp({ house, site, config }: AppNeeds) {
  const rest = createRest(house);
  const s3 = createS3(house);
  const isHost = createHostCheck();
  const isSecure = createSecureCheck(config.publicUrl);
  const { log } = house;
  let arrivals = 0;
  const run = crypto.randomUUID().slice(0, 8);

  const dispatch = async (request: Request, path: string, arrival: Arrival): Promise<Response> => {
    if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: preflightHeaders });
    if (isS3(request)) return await s3(request, path, arrival);
    if (isApi(path)) return await rest.fetch(request, arrival, path);
    return await site(request, path);
  };

  const answer = async (request: Request, path: string, arrival: Arrival): Promise<Response> => {
    // Before anything is made or spent for an answer that would need the host. Without a good one a URL has no origin either,
    // and its path would be taken for another.
    if (!isHost(request.headers.get("host")) || request.url.indexOf("/", 8) < SHORTEST_ORIGIN)
      return failureResponse(new Failure("host.invalid"), request, "json");
    try {
      return await dispatch(request, path, arrival);
    } catch (error) {
      log.error("bug", { request: arrival.requestId, ...unforeseen(error) });
      return failureResponse(new Failure("internal", { request: arrival.requestId }), request, "json");
    }
  };

  /** All visitors behind a proxy that is not trusted look like one, and share its limits. */
  let warned = false;
  const warnOfProxy = (peer: string) => {
    warned = true;
    log.warn("X-Forwarded-For from a peer that TRUSTED_PROXIES does not name", { peer });
  };

  const arrive = (request: Request, peer: string, hold: () => void): Arrival => {
    arrivals += 1;
    const known = { publicUrl: config.publicUrl, trusted: config.trustedProxies.has(peer) };
    return {
      requestId: `${run}-${arrivals.toString(36)}`,
      address: callerAddress(request, peer, config),
      origin: () => originOf(request, known),
      hosts: () => hostsOf(request, known),
      hold,
    };
  };

  /**
   * Answers one request. `peer` is the address at the other end of the connection, which `hold` keeps open while nothing moves
   * on it.
   */
  const fetch = async (request: Request, peer: string, hold: () => void): Promise<Response> => {
    const began = performance.now();
    const arrival = arrive(request, peer, hold);
    if (!warned && request.headers.has("x-forwarded-for") && !config.trustedProxies.has(peer)) warnOfProxy(peer);
    const path = pathOf(request.url);
    const response = await answer(request, path, arrival);
    complete(response.headers, request);
    if (isSecure(request.headers, config.trustedProxies.has(peer)))
      response.headers.set("strict-transport-security", secureOnly);
    const { requestId, address } = arrival;
    log.request({ requestId, method: request.method, path, status: response.status, began, address });
    return response;
  };

  return { fetch, bound: rest.bound };
}

/** The path of a URL as it was sent, still percent-encoded. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("?", start);
  return url.slice(start, end < 0 ? undefined : end);
}

function complete(headers: Headers, request: Request): void {
  headers.set("access-control-allow-origin", "*");
  if (request.headers.has("origin")) headers.set("access-control-expose-headers", exposedHeaders);
  for (const [name, value] of defaultHeaders) if (!headers.has(name)) headers.set(name, value);
}

const isApi = (path: string) => path === "/api" || path.startsWith("/api/") || path === "/docs/json";

/** The last address that a trusted proxy vouches for, the first one when all are proxies; without one, the peer itself. */
function callerAddress(request: Request, peer: string, { trustedProxies }: AppNeeds["config"]): string {
  if (!trustedProxies.has(peer)) return plainAddress(peer);
  const hops =
    request.headers
      .get("x-forwarded-for")
      ?.split(",")
      .flatMap((hop) => hopAddress(hop) ?? []) ?? [];
  return hops.findLast((hop) => !trustedProxies.has(hop)) ?? hops[0] ?? plainAddress(peer);
}
