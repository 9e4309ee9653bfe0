import { MAX_KEPT_HEADER_BYTES } from "#contract/limits";
import { parseHttpDate } from "../../lib/conditional.ts";
import { isKeptHeader, type KeptHeaders } from "../../lib/kept-headers.ts";
import type { KeyCondition } from "../../vfs/view.ts";
import type { RequestContext } from "../context.ts";
import { type Call, parameter } from "./call.ts";
import { invalidArgument, S3Failure, say } from "./failures.ts";

/** Reads headers of requests and writes those of answers. */

/** What a header may carry: bytes that no system takes for the end of a line. */
const CARRIED = /^[\x20-\x7e\x80-\xff]*$/;

/** The headers that are kept with an object. 400 MetadataTooLarge, InvalidArgument. */
export function keptHeadersOf(headers: Headers): KeptHeaders {
  const kept: Record<string, string> = {};
  for (const [name, value] of headers) {
    const said = name === "content-encoding" ? withoutFraming(value) : value;
    // Metadata may be empty; any other header that is empty says nothing.
    if (!isKeptHeader(name) || (said === "" && !name.startsWith("x-amz-meta-"))) continue;
    if (!CARRIED.test(said)) throw invalidArgument(name);
    kept[name] = said;
  }
  const type = headers.get("content-type") ?? "";
  // A type alone stands with the object; its parameters, such as the charset, only here.
  if (type.includes(";") && CARRIED.test(type)) kept["content-type"] = type;
  const bytes = Object.entries(kept).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (bytes > MAX_KEPT_HEADER_BYTES) throw say("MetadataTooLarge");
  return kept;
}

/** What the query carries for version 2. */
const IN_VERSION_2 = /^(?:x-amz-[a-z\d-]{1,100}|content-type|content-md5)$/;

/** Parameters of version 4 that sign, and what software of AWS says of the empty body for which it presigns. */
const NO_HEADER =
  /^x-amz-(?:algorithm|credential|date|expires|signedheaders|signature|security-token|content-sha256|checksum-[\w-]+|sdk-[\w-]+)$/;

/**
 * Headers of a presigned request, with those that are in its query because whoever presigned put them there: `x-amz-` headers, and by
 * version 2 Content-Type and Content-MD5. What a header says itself comes first. 400 InvalidArgument.
 */
export function presignedHeaders({ headers }: Request, { query }: RequestContext): Headers {
  const all = new Headers(headers);
  const isVersion2 = "AWSAccessKeyId" in query.values;
  for (const [name, value] of Object.entries(query.values)) {
    const lower = name.toLowerCase();
    const isHeader = isVersion2
      ? IN_VERSION_2.test(lower)
      : /^x-amz-[a-z\d-]{1,100}$/.test(lower) && !NO_HEADER.test(lower);
    if (!isHeader || headers.has(lower)) continue;
    const bytes = typeof value === "string" ? Buffer.from(value).toString("latin1") : "\n";
    if (!CARRIED.test(bytes)) throw invalidArgument(name);
    all.set(lower, bytes);
  }
  return all;
}

/** Encodings of the content, without that of its way. */
const withoutFraming = (value: string): string =>
  value
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "" && one.toLowerCase() !== "aws-chunked")
    .join(", ");

const refusedNames = /^x-amz-(server-side-encryption|object-lock|website-redirect|write-offset)/;
const openAcls = new Set(["", "private", "bucket-owner-full-control", "bucket-owner-read"]);

/** Refuses what would have to be done to an object and is not: 501 NotImplemented, 400 AccessControlListNotSupported. */
export function refuseUnknown(headers: Headers): void {
  for (const [name] of headers)
    if (refusedNames.test(name)) throw say("NotImplemented", `The header ${name} is not implemented.`);
  const grants = [...headers.keys()].some((name) => name.startsWith("x-amz-grant-"));
  if (grants || !openAcls.has(headers.get("x-amz-acl") ?? ""))
    throw new S3Failure(400, "AccessControlListNotSupported", "Who may read is said by keys and mounts alone.");
  const storageClass = headers.get("x-amz-storage-class") ?? "STANDARD";
  if (storageClass !== "STANDARD") throw new S3Failure(400, "InvalidStorageClass", "There is one storage class.");
}

/** The versions under which an object may be written. 501 NotImplemented for what S3 does not know either. */
export function writeConditions(headers: Headers): { ifMatch: string | undefined; ifNone: boolean } {
  const none = headers.get("if-none-match")?.trim();
  if (none !== undefined && none !== "*") throw say("NotImplemented", "If-None-Match takes * alone.");
  return { ifMatch: etagIn(headers.get("if-match")), ifNone: none === "*" };
}

/** An ETag without quotes, as a header has it. */
export function etagIn(header: string | null): string | undefined {
  const tag = header?.trim().replace(/^"(.*)"$/, "$1");
  return tag === "" ? undefined : tag;
}

/** An instant as S3 writes it in headers, or in documents, in epoch milliseconds; undefined for anything else. */
const instantIn = (text: string): number | undefined =>
  parseHttpDate(text) ?? (/^\d{4}-\d\d-\d\dT[\d:.]{8,15}Z$/.test(text) ? Date.parse(text) : undefined);

/**
 * What must hold of an object that is removed, as headers or elements say it; undefined when they say nothing. Throws `otherwise` for
 * what is no size and no instant.
 */
export function removalCondition(
  { etag, size, modified }: { readonly [Name in keyof KeyCondition]: string | undefined },
  otherwise: S3Failure,
): KeyCondition | undefined {
  if (etag === undefined && size === undefined && modified === undefined) return undefined;
  if (size !== undefined && !/^\d{1,15}$/.test(size.trim())) throw otherwise;
  const instant = modified === undefined ? undefined : (instantIn(modified.trim()) ?? Number.NaN);
  if (Number.isNaN(instant)) throw otherwise;
  return { etag, size: size === undefined ? undefined : Number(size), modified: instant };
}

const overridable = {
  "response-content-type": "content-type",
  "response-content-language": "content-language",
  "response-content-encoding": "content-encoding",
  "response-content-disposition": "content-disposition",
  "response-cache-control": "cache-control",
  "response-expires": "expires",
} as const;

const LONGEST_OVERRIDE = 1024;

/** Headers that the query asks for in place of those of the object. 400 InvalidArgument. */
export function overridesOf(call: Pick<Call, "context">): Record<string, string> {
  const entries = Object.entries(overridable).flatMap(([name, header]) => {
    const value = parameter(call, name);
    if (value === undefined) return [];
    if (!CARRIED.test(value) || value.length > LONGEST_OVERRIDE) throw invalidArgument(name);
    return [[header, value] as const];
  });
  return Object.fromEntries(entries);
}
