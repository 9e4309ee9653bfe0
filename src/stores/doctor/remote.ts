import { isIP } from "node:net";
import { Failure } from "#contract/failures";
import type { Resolve } from "../../lib/addresses.ts";
import { addressSet, plainAddress } from "../../lib/addresses.ts";
import type { Fetch } from "../../lib/pinned-fetch.ts";
import { type Address, readAddress } from "../s3/address.ts";
import { createS3Store, type S3StoreNeeds } from "../s3/store.ts";
import { createRetries } from "../s3/timeouts.ts";
import { failed, notNeeded, type Preflight, passed, type Result, type Word } from "./words.ts";

/** Checks of an S3 storage: what a page may do with its bucket, its clock, and the address it is reached at. */

/** An S3 storage during one check. */
export interface Remote {
  readonly connection: S3StoreNeeds;
  /** Notes the storage's clock, and ends with the check. */
  readonly fetch: Fetch;
  /** The origin of the administrator's page. */
  readonly origin: string;
  readonly resolve: Resolve;
  /** The milliseconds that this check may take. */
  readonly limit: number;
  /** The milliseconds by which the storage's clock is ahead; undefined until an answer has a Date. */
  readonly clockOffset: () => number | undefined;
}

const MINUTE = 60_000;
const MAX_SHOWN_HEADER = 200;

/** Sends a request as a page does and drops the body of its answer. */
const request = ({ connection, fetch }: Remote, url: string, init: BunFetchRequestInit): Promise<Response> =>
  createRetries(connection).retry(async () => {
    const response = await fetch(url, { ...init, redirect: "manual" });
    await response.body?.cancel();
    return response;
  });

/** Whether a header's list has a name, in any case. `*` matches all, because pages send no credentials (Fetch Standard). */
const includes = (list: string | null, name: string): boolean =>
  (list ?? "").split(",").some((one) => ["*", name.toLowerCase()].includes(one.trim().toLowerCase()));

/** Whether the bucket's CORS rules let the page upload to this presigned address (Fetch Standard, "CORS protocol"). */
export async function cors(url: string, remote: Remote): Promise<Result> {
  const { origin } = remote;
  const { ok, status, headers } = await request(remote, url, {
    method: "OPTIONS",
    headers: { origin, "access-control-request-method": "PUT", "access-control-request-headers": "content-type" },
  });
  const header = (name: string) => headers.get(`access-control-${name}`)?.slice(0, MAX_SHOWN_HEADER) ?? null;
  const [allowOrigin, allowMethods, allowHeaders] = [
    header("allow-origin"),
    header("allow-methods"),
    header("allow-headers"),
  ];
  const preflight = { status, allowOrigin, allowMethods, allowHeaders, maxAge: header("max-age") };
  return { ...judge(preflight, ok, origin), preflight };
}

function judge({ status, allowOrigin, allowMethods, allowHeaders }: Preflight, ok: boolean, origin: string): Result {
  if (!ok || allowOrigin === null) return failed("corsNone", { origin, status }, "adviceCors");
  if (!["*", origin].includes(allowOrigin)) return failed("corsOrigin", { origin }, "adviceCors");
  if (!includes(allowMethods, "PUT")) return failed("corsLacks", { what: "PUT" }, "adviceCors");
  if (!includes(allowHeaders, "content-type")) return failed("corsLacks", { what: "Content-Type" }, "adviceCors");
  return passed("corsAllowed", { origin });
}

/** Uploads as the page does, and tells whether the page could read the ETag of the answer. */
export async function etagExposed(
  url: string,
  body: Uint8Array<ArrayBuffer>,
  type: string,
  remote: Remote,
): Promise<Result> {
  const { origin } = remote;
  const sent = { method: "PUT", headers: { origin, "content-type": type }, body };
  const { ok, status, headers } = await request(remote, url, sent);
  if (!ok) return failed("pageUploadRefused", { status }, "adviceCors");
  if (!["*", origin].includes(headers.get("access-control-allow-origin") ?? ""))
    return failed("pageUploadHidden", { origin }, "adviceCors");
  const visible = headers.has("etag") && includes(headers.get("access-control-expose-headers"), "etag");
  return visible ? passed("etagVisible") : failed("etagHidden", {}, "adviceEtag");
}

/** A signature holds for 15 minutes of difference (S3 API, RequestTimeTooSkewed); from one minute on it is worth a word. */
export function clockSkew({ clockOffset }: Remote): Result {
  const offset = clockOffset();
  if (offset === undefined) return notNeeded("clockUnknown");
  const difference = Math.abs(offset);
  const seconds = Math.round(difference / 1000);
  if (difference >= 15 * MINUTE) return failed("clockOffset", { seconds }, "adviceClock");
  return passed("clockOffset", { seconds }, difference >= MINUTE ? "adviceClock" : undefined);
}

/** Why the bucket does not answer in this style; undefined when it does. */
async function styleFailure({ connection, fetch, limit }: Remote, pathStyle: boolean): Promise<Failure | undefined> {
  // The host of the other style may be one that never answers, which must not fail the check.
  const timeouts = { answer: limit / 2, idle: limit / 2 };
  try {
    await createS3Store({ ...connection, fetch, pathStyle, timeouts }).list({ prefix: "", limit: 1 });
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** Tries the configured style, unless it is known to work, and the other one. */
export async function pathStyle(works: boolean, remote: Remote): Promise<Result> {
  const { connection } = remote;
  const [inPath, inHost] = [true, false].map((pathStyle) => readAddress({ ...connection, pathStyle }));
  const configured = readAddress(connection);
  if (inPath?.urlOf("") === inHost?.urlOf(""))
    return passed(configured.pathStyle ? "styleFixedPath" : "styleFixedHost");
  const [own, other] = await Promise.all([
    works ? undefined : styleFailure(remote, configured.pathStyle),
    styleFailure(remote, !configured.pathStyle),
  ]);
  return compareStyles(configured, own, other);
}

function compareStyles({ pathStyle }: Address, own: Failure | undefined, other: Failure | undefined): Result {
  if (!own && !other) return passed("styleBoth");
  if (!own) return passed(pathStyle ? "styleOnlyPath" : "styleOnlyHost");
  if (other?.code === "storage.refused") return passed("styleUnknown");
  if (other) return passed("styleNeither", {}, "adviceEndpoint");
  return pathStyle ? passed("styleWrongPath", {}, "advicePathOff") : passed("styleWrongHost", {}, "advicePathOn");
}

const [loopback] = addressSet(["127.0.0.0/8", "::1", "0.0.0.0", "::"]);
/** RFC 1918, RFC 3927, RFC 4193, RFC 4291 section 2.5.6, RFC 6598. */
const [privates] = addressSet(
  "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 169.254.0.0/16 100.64.0.0/10 fc00::/7 fe80::/10".split(" "),
);
/** Names that no public server answers for (RFC 6761, RFC 6762, RFC 8375, RFC 9476, and common names of home networks). */
const LOCAL_NAME = /^[^.]+$|\.(?:local|localdomain|lan|home|internal|intranet|corp|private|home\.arpa|test|alt)$/;

const plainHost = (hostname: string): string => plainAddress(hostname.replace(/^\[|\]$/g, "").replace(/\.$/, ""));

/** Why browsers of other networks cannot reach a host; undefined when nothing is known against it. */
function whyLocal(hostname: string): Word | undefined {
  const host = plainHost(hostname);
  if (/^(?:.+\.)?localhost$/.test(host) || loopback.has(host)) return "publicLoopback";
  if (privates.has(host)) return "publicPrivate";
  return isIP(host) === 0 && LOCAL_NAME.test(host) ? "publicLocalName" : undefined;
}

const RESOLVE_MS = 5000;
const MAX_SHOWN_ADDRESSES = 3;

/** The addresses of a name. None when the lookup fails or is late: a browser, or a proxy of this server, may still know it. */
async function addressesOf(host: string, { resolve, limit }: Remote): Promise<readonly string[]> {
  const late = Promise.withResolvers<readonly string[]>();
  const timer = setTimeout(() => late.resolve([]), Math.min(RESOLVE_MS, limit / 2));
  const addresses = await Promise.race([resolve(host).catch(() => []), late.promise]);
  clearTimeout(timer);
  return addresses;
}

/** Whether browsers of other networks reach the endpoint. Nothing here fails: everything also works through this server. */
export async function reachable(remote: Remote): Promise<Result> {
  const { protocol, hostname: host } = new URL(readAddress(remote.connection).endpoint);
  const local = whyLocal(host);
  if (local) return passed(local, { host }, "adviceProxy");
  const isName = isIP(plainHost(host)) === 0;
  const addresses = isName ? await addressesOf(plainHost(host), remote) : [plainHost(host)];
  if (addresses.length > 0 && addresses.every(whyLocal))
    return passed(
      "publicResolves",
      { host, addresses: addresses.slice(0, MAX_SHOWN_ADDRESSES).join(", ") },
      "adviceProxy",
    );
  if (protocol === "http:" && remote.origin.startsWith("https:")) return passed("publicPlain", {}, "adviceHttps");
  return passed(addresses.length > 0 ? "publicYes" : "publicUnresolved", { host });
}
