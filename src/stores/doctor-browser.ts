import {
  type Bench,
  type Elsewhere,
  failed,
  type Preflight,
  passed,
  SAMPLE,
  SAMPLE_TYPE,
  type StepElsewhere,
} from "./doctor-bench.ts";
import { say } from "./doctor-words.ts";
import { createRetries } from "./s3-retries.ts";

/** Examinations of what a page of another origin may do with the bucket (Fetch Standard, "CORS protocol"). */

/** Seconds; each address is used at once. */
const EXPIRY = 300;
/** Of a header that is shown. */
const LONGEST_SHOWN = 200;

/** An address as an upload of a page gets it. */
const addressOf = ({ store }: Bench, key: string, { origin }: Elsewhere): string =>
  store.presign({ method: "PUT", key, expires: EXPIRY, origin, type: SAMPLE_TYPE, length: SAMPLE.length });

/** An answer's status and headers; nobody reads its body. */
const ask = ({ connection, fetch }: Elsewhere, url: string, init: BunFetchRequestInit): Promise<Response> =>
  createRetries(connection).again(async () => {
    const response = await fetch(url, { ...init, redirect: "manual" });
    await response.body?.cancel();
    return response;
  });

/** Whether a list in a header has this, in whatever case; `*` is everything, because pages send no credentials. */
const names = (list: string | null, wanted: string): boolean =>
  (list ?? "").split(",").some((one) => ["*", wanted.toLowerCase()].includes(one.trim().toLowerCase()));

export const cors: StepElsewhere = async (bench, elsewhere) => {
  const { origin } = elsewhere;
  const response = await ask(elsewhere, addressOf(bench, bench.keys.page, elsewhere), {
    method: "OPTIONS",
    headers: { origin, "access-control-request-method": "PUT", "access-control-request-headers": "content-type" },
  });
  const preflight = preflightIn(response);
  return { ...judge(preflight, response.ok, origin), preflight };
};

function preflightIn({ status, headers }: Response): Preflight {
  const shown = (name: string) => headers.get(`access-control-${name}`)?.slice(0, LONGEST_SHOWN) ?? null;
  return {
    status,
    allowOrigin: shown("allow-origin"),
    allowMethods: shown("allow-methods"),
    allowHeaders: shown("allow-headers"),
    maxAge: shown("max-age"),
  };
}

function judge({ status, allowOrigin, allowMethods, allowHeaders }: Preflight, ok: boolean, origin: string) {
  if (!ok || allowOrigin === null) return failed(say("corsNone", { origin, status }), "corsAdvice");
  if (allowOrigin !== "*" && allowOrigin !== origin) return failed(say("corsOrigin", { origin }), "corsAdvice");
  if (!names(allowMethods, "PUT")) return failed(say("corsMethod"), "corsAdvice");
  if (!names(allowHeaders, "content-type")) return failed(say("corsHeader"), "corsAdvice");
  return passed(say("corsAllowed", { origin }));
}

export const etagExposed: StepElsewhere = async (bench, elsewhere) => {
  const { origin } = elsewhere;
  const { ok, status, headers } = await ask(elsewhere, addressOf(bench, bench.keys.page, elsewhere), {
    method: "PUT",
    headers: { origin, "content-type": SAMPLE_TYPE },
    body: SAMPLE,
  });
  if (!ok) return failed(say("pagePut", { status }), "corsAdvice");
  const allowed = headers.get("access-control-allow-origin");
  if (allowed !== "*" && allowed !== origin) return failed(say("pagePutHidden", { origin }), "corsAdvice");
  const visible = headers.has("etag") && names(headers.get("access-control-expose-headers"), "etag");
  return visible ? passed(say("etagVisible")) : failed(say("etagHidden"), "etagAdvice");
};
