import { createHmac } from "node:crypto";
import { sameText } from "../secret.ts";
import { canonicalPath, cut, UNSIGNED_PAYLOAD } from "./sigv4-canonical.ts";
import { PAYLOAD_HASH, type Refusal, type RequestParts, type VerifyOptions } from "./sigv4-verify.ts";

/**
 * Checks presigned addresses of AWS Signature Version 2 ("Signing and authenticating REST requests" of the S3 user guide, "Query
 * string request authentication alternative"), which clients still make that are told nothing else.
 */

/** What a signature that holds says; it seeds no signatures of chunks. */
export interface SignedByVersion2 {
  readonly ok: true;
  readonly accessKey: string;
  /** The expected hash of the body, UNSIGNED-PAYLOAD, or a STREAMING- value. */
  readonly payloadHash: string;
}

type Verdict = SignedByVersion2 | { readonly ok: false; readonly reason: Refusal };

/** Parameters that are signed, those of whoever presigns among them; all others may be added by anybody. */
const SUBRESOURCES = new Set(
  (
    "accelerate acl analytics cors defaultObjectAcl delete inventory lifecycle location logging metrics notification object-lock " +
    "partNumber policy replication requestPayment response-cache-control response-content-disposition response-content-encoding " +
    "response-content-language response-content-type response-expires restore select select-type storageClass tagging torrent " +
    "uploadId uploads versionId versioning versions website"
  ).split(" "),
);

const LONGEST_TEXT = 32_768;
const MAX_PARAMETERS = 128;
/** A value that would read as further parameters in the text that is signed, where values stand as they are. */
const FURTHER_PARAMETER = new RegExp(`&(?:${[...SUBRESOURCES].join("|")})(?:[=&]|$)`);

interface Parameter {
  readonly name: string;
  /** Undefined when there is no equals sign. */
  readonly value: string | undefined;
}

/** The parameters that are signed or sign, each of them once, decoded; undefined when they are not. */
function parametersOf(query: string): Map<string, string | undefined> | undefined {
  const pieces = query.split("&").filter((piece) => piece !== "");
  if (query.length > LONGEST_TEXT || pieces.length > MAX_PARAMETERS) return undefined;
  const found = new Map<string, string | undefined>();
  for (const piece of pieces) {
    const parameter = decoded(piece);
    if (!parameter) return undefined;
    const { name, value } = parameter;
    if (!SUBRESOURCES.has(name) && !OWN.has(name)) continue;
    if (found.has(name) || FURTHER_PARAMETER.test(value ?? "")) return undefined;
    found.set(name, value);
  }
  return found;
}

const OWN = new Set(["AWSAccessKeyId", "Expires", "Signature"]);

function decoded(piece: string): Parameter | undefined {
  const [name, value] = cut(piece.replaceAll("+", "%20"), "=");
  try {
    return { name: decodeURIComponent(name), value: piece.includes("=") ? decodeURIComponent(value) : undefined };
  } catch {
    return undefined;
  }
}

/** Characters of headers stand for one byte each; those of a query for theirs in UTF-8. */
const asBytes = (text: string): string => Buffer.from(text).toString("latin1");

/** `x-amz-` headers by name, one a line. */
const amazonHeaders = (headers: Headers): string =>
  [...headers]
    .filter(([name]) => name.startsWith("x-amz-"))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}:${value.trim()}\n`)
    .join("");

/** How a path may stand in the text that is signed: as it was sent or before something on the way encoded it anew; buckets end in a slash. */
function pathsToSign(path: string): string[] {
  const paths = [path, canonicalPath(path) ?? path];
  return [...new Set(/^\/[^/]+$/.test(path) ? paths.flatMap((one) => [one, `${one}/`]) : paths)];
}

/** The text that is signed, as a string of bytes; `path` is one of those. */
function textToSign(
  { method, headers }: Version2Request,
  path: string,
  parameters: ReadonlyMap<string, string | undefined>,
): string {
  const signed = [...parameters]
    .filter(([name]) => SUBRESOURCES.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => asBytes(value === undefined ? name : `${name}=${value}`));
  const resource = signed.length > 0 ? `${path}?${signed.join("&")}` : path;
  const standard = [headers.get("content-md5") ?? "", headers.get("content-type") ?? "", parameters.get("Expires")];
  return `${method}\n${standard.join("\n")}\n${amazonHeaders(headers)}${resource}`;
}

/** `headers` are those of the request and those that its query carries. */
type Version2Request = Pick<RequestParts, "method" | "path" | "query" | "headers">;

/** Never throws on client input. Neither host nor scheme are signed by this version. */
export async function verifyVersion2(request: Version2Request, { lookup, now }: VerifyOptions): Promise<Verdict> {
  const parameters = parametersOf(request.query);
  const payloadHash = request.headers.get("x-amz-content-sha256") ?? UNSIGNED_PAYLOAD;
  if (!parameters || request.path.length > LONGEST_TEXT || !PAYLOAD_HASH.test(payloadHash)) return refuse("malformed");
  const {
    AWSAccessKeyId: accessKey = "",
    Expires: expires = "",
    Signature: signature = "",
  } = Object.fromEntries(parameters);
  if (!/^[\x21-\x7e]{1,128}$/.test(accessKey) || !/^\d{1,12}$/.test(expires) || signature === "")
    return refuse("malformed");
  if (now > Number(expires) * 1000) return refuse("expired");
  const secret = await lookup(accessKey);
  if (secret === undefined) return refuse("unknown key");
  const fits = (path: string): boolean => {
    const text = Buffer.from(textToSign(request, path, parameters), "latin1");
    return sameText(signature, createHmac("sha1", secret).update(text).digest("base64"));
  };
  if (!pathsToSign(request.path).some(fits)) return refuse("signature mismatch");
  return { ok: true, accessKey, payloadHash };
}

const refuse = (reason: Refusal): Verdict => ({ ok: false, reason });
