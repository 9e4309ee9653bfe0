import { parseHttpDate } from "../conditional.ts";
import { sameText } from "../secret.ts";
import {
  ALGORITHM,
  amzDate,
  canonicalPath,
  createSigningKeys,
  cut,
  LONGEST_EXPIRY_SECONDS,
  type Parameter,
  parseAmzDate,
  parseQuery,
  scopeOf,
  signatureOf,
  UNSIGNED_PAYLOAD,
} from "./sigv4-canonical.ts";

/** A request as it arrived. */
export interface RequestParts {
  readonly method: string;
  /** Still percent-encoded. */
  readonly path: string;
  /** Still percent-encoded, without the question mark. */
  readonly query: string;
  readonly headers: Headers;
  /** The Authorization header, handed in apart: where credentials are read is the caller's decision. */
  readonly authorization: string | null;
  /** Hosts that the client may have used, likeliest first; the Host header is not read, because proxies change it. */
  readonly hosts: readonly string[];
}

export type Refusal =
  | "malformed"
  | "unknown key"
  | "expired"
  | "clock skew"
  | "signature mismatch"
  | "dot in path"
  | "host not signed"
  | "header not signed";

/** What a signature that holds says. */
export interface Signed {
  readonly ok: true;
  readonly accessKey: string;
  readonly region: string;
  /** The expected hash of the body, UNSIGNED-PAYLOAD, or a STREAMING- value. */
  readonly payloadHash: string;
  /** Seeds the chain of chunk signatures when the payload is streamed. */
  readonly signature: string;
  /** The key and scope of chunk signatures, beside the seed. */
  readonly timestamp: string;
  readonly scope: string;
  readonly signingKey: Buffer;
}

type Verdict = Signed | { readonly ok: false; readonly reason: Refusal };

export interface VerifyOptions {
  /** Returns the secret of an access key; undefined if it is unknown. */
  readonly lookup: (accessKey: string) => string | undefined | Promise<string | undefined>;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The parts of a request's own signature. */
interface Claim {
  readonly accessKey: string;
  readonly region: string;
  readonly timestamp: string;
  /** The timestamp in epoch milliseconds. */
  readonly signedAt: number;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly payloadHash: string;
  /** Seconds; undefined for a signature in a header. */
  readonly expires: number | undefined;
  readonly path: string;
  readonly parameters: readonly Parameter[];
}

const SKEW_MILLISECONDS = 15 * 60 * 1000;
const LONGEST_TEXT = 32_768;
const MAX_PARAMETERS = 128;
const MAX_SIGNED_HEADERS = 64;

/** Checks requests that were signed for S3, by header or by query, keeping signing keys between calls. */
export function createVerifier() {
  const keyOf = createSigningKeys();

  /** Never throws on client input. A query signature takes precedence over an Authorization header. */
  return async (request: RequestParts, { lookup, now }: VerifyOptions): Promise<Verdict> => {
    const claim = readClaim(request);
    if (claim === undefined) return refuse("malformed");
    const reason = unsigned(claim, request.headers) ?? outOfTime(claim, now);
    if (reason !== undefined) return refuse(reason);
    const { accessKey, region, timestamp, signature, payloadHash } = claim;
    const secret = await lookup(accessKey);
    if (secret === undefined) return refuse("unknown key");
    const signingKey = keyOf(secret, timestamp, region);
    const fits = (path: string) =>
      request.hosts.some((host) =>
        sameText(signature, expected(request, { claim: { ...claim, path }, host, signingKey })),
      );
    if (!fits(claim.path)) return refuse(pathsWithDot(claim.path).some(fits) ? "dot in path" : "signature mismatch");
    const scope = scopeOf(timestamp, region);
    return { ok: true, accessKey, region, payloadHash, signature, timestamp, scope, signingKey };
  };
}

/** Names in a path that are looked at for one that is missing. */
const MOST_NAMES = 32;

/** A path with a name of one dot at each of its places: such names have gone from a URL before any code reads it. */
function pathsWithDot(path: string): string[] {
  const names = path.split("/", MOST_NAMES + 1);
  if (names.length > MOST_NAMES) return [];
  return names.slice(1).map((name, index) => {
    const isLast = index === names.length - 2;
    return names.with(index + 1, isLast && name === "" ? "." : `./${name}`).join("/");
  });
}

const refuse = (reason: Refusal): Verdict => ({ ok: false, reason });

function expected(
  { method, headers }: RequestParts,
  { claim, host, signingKey }: { claim: Claim; host: string; signingKey: Buffer },
): string {
  const { timestamp, region, signedHeaders, path, parameters, payloadHash } = claim;
  const signed = signedHeaders.map((name) => [name, name === "host" ? host : (headers.get(name) ?? "")] as const);
  const request = { method, path, parameters, headers: signed, payloadHash };
  return signatureOf({ key: signingKey, timestamp, region, request });
}

/**
 * Host and every x-amz- header must be signed. The date and the payload's hash count as signed even if unlisted,
 * because the signed text contains their values, and some clients leave them out.
 */
function unsigned({ signedHeaders }: Claim, headers: Headers): Refusal | undefined {
  if (!signedHeaders.includes("host")) return "host not signed";
  const covered = new Set([...signedHeaders, "x-amz-date", "x-amz-content-sha256"]);
  for (const name of headers.keys()) if (name.startsWith("x-amz-") && !covered.has(name)) return "header not signed";
  return undefined;
}

function outOfTime({ signedAt, expires }: Claim, now: number): Refusal | undefined {
  const age = now - signedAt;
  if (age < -SKEW_MILLISECONDS) return "clock skew";
  if (expires !== undefined) return age > expires * 1000 ? "expired" : undefined;
  return age > SKEW_MILLISECONDS ? "clock skew" : undefined;
}

function readClaim({ path, query, headers, authorization }: RequestParts): Claim | undefined {
  if (path.length > LONGEST_TEXT || query.length > LONGEST_TEXT) return undefined;
  const canonical = canonicalPath(path);
  const parameters = parseQuery(query);
  if (canonical === undefined || parameters === undefined || parameters.length > MAX_PARAMETERS) return undefined;
  const byQuery = parameters.some(([name]) => name === "X-Amz-Algorithm");
  const stated = byQuery ? fromQuery(parameters, headers) : fromHeaders(authorization ?? "", headers);
  return stated && checked({ ...stated, path: canonical, parameters });
}

interface Stated {
  readonly credential: string;
  readonly timestamp: string;
  readonly signedHeaders: string;
  readonly signature: string;
  readonly payloadHash: string;
  readonly expires: number | undefined;
}

/** The parameters of a query signature; undefined when one is missing, given twice or makes no sense. */
function fromQuery(parameters: readonly Parameter[], headers: Headers): Stated | undefined {
  const own = parameters.filter(([name]) => name.startsWith("X-Amz-"));
  const values = new Map(own.map(([name, value]) => [name, decoded(value)]));
  if (values.size !== own.length || values.get("X-Amz-Algorithm") !== ALGORITHM) return undefined;
  const text = (name: string) => values.get(name) ?? "";
  const expires = /^\d{1,6}$/.test(text("X-Amz-Expires")) ? Number(text("X-Amz-Expires")) : 0;
  if (expires < 1 || expires > LONGEST_EXPIRY_SECONDS) return undefined;
  const inHeader = headers.get("x-amz-content-sha256");
  const payloadHash = values.get("X-Amz-Content-Sha256") ?? inHeader ?? UNSIGNED_PAYLOAD;
  if (inHeader !== null && inHeader !== payloadHash) return undefined;
  return {
    credential: text("X-Amz-Credential"),
    timestamp: text("X-Amz-Date"),
    signedHeaders: text("X-Amz-SignedHeaders"),
    signature: text("X-Amz-Signature"),
    payloadHash,
    expires,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** `AWS4-HMAC-SHA256 Credential=...,SignedHeaders=...,Signature=...`, with or without blanks after the commas. */
function fromHeaders(authorization: string, headers: Headers): Stated | undefined {
  const [algorithm, rest] = cut(authorization, " ");
  if (algorithm !== ALGORITHM || rest.length > LONGEST_TEXT) return undefined;
  const fields = rest.split(",").map((field) => cut(field.trim(), "="));
  const values = new Map(fields);
  if (fields.length !== 3 || values.size !== 3) return undefined;
  return {
    credential: values.get("Credential") ?? "",
    timestamp: headers.get("x-amz-date") ?? dateHeader(headers.get("date") ?? ""),
    signedHeaders: values.get("SignedHeaders") ?? "",
    signature: values.get("Signature") ?? "",
    payloadHash: headers.get("x-amz-content-sha256") ?? "",
    expires: undefined,
  };
}

/** Date counts when there is no X-Amz-Date; it may be an HTTP date or written as X-Amz-Date is. */
function dateHeader(text: string): string {
  const instant = parseHttpDate(text);
  return instant === undefined ? text : amzDate(instant);
}

/** The access key, day and region of a credential. */
export const CREDENTIAL = /^([\x21-\x7e]{1,128})\/(\d{8})\/([\w.-]{1,64})\/s3\/aws4_request$/;
/** What `x-amz-content-sha256` may say. */
export const PAYLOAD_HASH = /^(?:[\da-f]{64}|UNSIGNED-PAYLOAD|STREAMING-[A-Z\d-]{1,64})$/;

function checked({
  credential,
  signedHeaders: list,
  ...stated
}: Stated & Pick<Claim, "path" | "parameters">): Claim | undefined {
  const [, accessKey, day, region] = CREDENTIAL.exec(credential) ?? [];
  if (accessKey === undefined || day === undefined || region === undefined) return undefined;
  const signedAt = parseAmzDate(stated.timestamp);
  if (signedAt === undefined || !stated.timestamp.startsWith(day)) return undefined;
  if (!/^[\da-f]{64}$/.test(stated.signature) || !PAYLOAD_HASH.test(stated.payloadHash)) return undefined;
  const signedHeaders = headerNames(list);
  if (signedHeaders === undefined) return undefined;
  const byQuery = stated.expires !== undefined;
  const parameters = stated.parameters.filter(([name]) => !byQuery || name !== "X-Amz-Signature");
  return { ...stated, accessKey, region, signedAt, signedHeaders, parameters };
}

/** Names in lower case, sorted and each once, as they must be signed; undefined when they are not. */
function headerNames(list: string): string[] | undefined {
  const names = list.split(";", MAX_SIGNED_HEADERS + 1);
  if (names.length > MAX_SIGNED_HEADERS) return undefined;
  const sorted = names.every((name, index) => index === 0 || (names[index - 1] ?? "") < name);
  return sorted && names.every((name) => /^[\da-z!#$%&'*+.^_`|~-]{1,128}$/.test(name)) ? names : undefined;
}
