import { isIP } from "node:net";
import { Failure } from "#contract/failures";
import type { Resolve } from "../../lib/addresses.ts";
import { addressSet, plainAddress } from "../../lib/addresses.ts";
import { type Fetch, unlessAborted } from "../../lib/pinned-fetch.ts";
import { readAddress } from "../s3/address.ts";
import { createS3Store, type S3StoreOptions } from "../s3/store.ts";
import { createRetries } from "../s3/timeouts.ts";
import { SAMPLE, type Target, TYPE } from "./checks.ts";
import { failed, notNeeded, type Preflight, passed, type Result, type Word } from "./words.ts";

/** Checks of an S3 storage: the rights of a page in its bucket, its clock, and its address. */

export interface Remote extends Target {
  readonly connection: S3StoreOptions;
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
/** The seconds that the address of the page's upload is valid. */
const EXPIRY = 300;

/** Sends a request as a page of `origin` does, to the presigned address of its upload. The answer has no body. */
function request({ store, files, connection, fetch, origin }: Remote, init: BunFetchRequestInit): Promise<Response> {
  const presigned = { key: files.page, expires: EXPIRY, base: "", length: SAMPLE.length };
  const url = store.presign({ method: "PUT", ...presigned });
  return createRetries(connection).retry(async () => {
    const response = await fetch(url, { ...init, headers: { origin, ...init.headers }, redirect: "manual" });
    await response.body?.cancel();
    return response;
  });
}

/** Reports whether a header's list has a name, in any case. `*` matches all, because pages send no credentials (Fetch Standard). */
const includes = (list: string | null, name: string): boolean =>
  (list ?? "").split(",").some((one) => ["*", name.toLowerCase()].includes(one.trim().toLowerCase()));

/** Reports whether the bucket's CORS rules let the page upload (Fetch Standard, "CORS protocol"). */
export async function cors(remote: Remote): Promise<Result> {
  const asked = { "access-control-request-method": "PUT", "access-control-request-headers": "content-type" };
  const { ok, status, headers } = await request(remote, { method: "OPTIONS", headers: asked });
  const header = (name: string) => headers.get(`access-control-${name}`)?.slice(0, MAX_SHOWN_HEADER) ?? null;
  const allowed = { allowOrigin: header("allow-origin"), allowMethods: header("allow-methods") };
  const preflight = {
    statusCode: status,
    ...allowed,
    allowHeaders: header("allow-headers"),
    maxAge: header("max-age"),
  };
  return { ...judge(preflight, ok, remote.origin), preflight };
}

function judge(preflight: Preflight, ok: boolean, origin: string): Result {
  const { statusCode: status, allowOrigin, allowMethods, allowHeaders } = preflight;
  if (!ok || allowOrigin === null) return failed("corsNone", { origin, status }, "adviceCors");
  if (!["*", origin].includes(allowOrigin)) return failed("corsOrigin", { origin }, "adviceCors");
  if (!includes(allowMethods, "PUT")) return failed("corsLacks", { what: "PUT" }, "adviceCors");
  if (!includes(allowHeaders, "content-type")) return failed("corsLacks", { what: "Content-Type" }, "adviceCors");
  return passed("corsAllowed", { origin });
}

/** Uploads as the page does, and reports whether the page could read the ETag of the answer. */
export async function etagExposed(remote: Remote): Promise<Result> {
  const { origin } = remote;
  const sent = { method: "PUT", headers: { "content-type": TYPE }, body: SAMPLE };
  const { ok, status, headers } = await request(remote, sent);
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

/** Tries the configured style, unless it is known to work, and the other one. */
export async function pathStyle(remote: Remote): Promise<Result> {
  const { connection, fetch, limit, wrote } = remote;
  const { pathStyle: own } = readAddress(connection);
  if (readAddress({ ...connection, pathStyle: !own }).pathStyle === own)
    return passed(own ? "styleFixedPath" : "styleFixedHost");
  // The host of the other style may be one that never answers, which must not fail the check.
  const timeouts = { answer: limit / 2, idle: limit / 2 };
  /** Why the bucket does not answer in a style; undefined when it does. */
  const failureOf = async (pathStyle: boolean): Promise<Failure | undefined> => {
    try {
      await createS3Store({ ...connection, fetch, pathStyle, timeouts }).list({ prefix: "", limit: 1 });
    } catch (error) {
      if (error instanceof Failure) return error;
      throw error;
    }
  };
  const [bad, otherBad] = await Promise.all([wrote ? undefined : failureOf(own), failureOf(!own)]);
  if (!bad && !otherBad) return passed("styleBoth");
  if (!bad) return passed(own ? "styleOnlyPath" : "styleOnlyHost");
  if (otherBad) return passed(...whyNeither(bad, otherBad));
  return own ? passed("styleWrongPath", {}, "advicePathOff") : passed("styleWrongHost", {}, "advicePathOn");
}

/** What is said where neither style works: a storage that answers in one of them has an endpoint that is right. */
function whyNeither(...failures: readonly Failure[]): Parameters<typeof passed> {
  const codes = failures.map(({ code }) => code);
  if (codes.includes("storage.refused")) return ["styleUnknown"];
  return ["styleNeither", {}, codes.includes("storage.bucketMissing") ? "adviceBucket" : "adviceEndpoint"];
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

/** Reports whether browsers of other networks reach the endpoint. Nothing here fails: everything also works through this server. */
export async function reachable({ connection, origin, resolve, limit }: Remote): Promise<Result> {
  const { protocol, hostname: host } = new URL(readAddress(connection).endpoint);
  const local = whyLocal(host);
  if (local) return passed(local, { host }, "adviceProxy");
  const name = plainHost(host);
  const known =
    isIP(name) === 0 ? unlessAborted(AbortSignal.timeout(Math.min(RESOLVE_MS, limit / 2)), resolve(name)) : [name];
  // A browser, or a proxy of this server, may resolve a name that is unknown here, or resolved too late.
  const addresses = await Promise.resolve(known).catch(() => []);
  const shown = addresses.slice(0, MAX_SHOWN_ADDRESSES).join(", ");
  if (addresses.length > 0 && addresses.every(whyLocal))
    return passed("publicResolves", { host, addresses: shown }, "adviceProxy");
  if (protocol === "http:" && origin.startsWith("https:")) return passed("publicPlain", {}, "adviceHttps");
  return passed(addresses.length > 0 ? "publicYes" : "publicUnresolved", { host });
}
