/** The headers of resumable uploads, read strictly: a number that is not exactly one must not become an offset. */

import { Failure } from "#contract/failures";
import { MAX_UPLOAD_METADATA_BYTES } from "#contract/limits";
import type { ContentDigest } from "../../transfers/appends.ts";

/** What may follow the value of a structured field (RFC 9651 section 3.1.2), and says nothing to us. */
const PARAMETERS = "(?:; *[a-z*][a-z0-9_*.-]*(?:=[A-Za-z0-9?!#$%&'*+.^_`|~:/-]+)?)*";
const INTEGER = new RegExp(`^(\\d{1,15})${PARAMETERS}$`);
const BOOLEAN = new RegExp(`^\\?([01])${PARAMETERS}$`);

const invalid = (header: string): Failure => new Failure("header.invalid", { header });

/** A header that is a number of bytes, of at most 15 digits; undefined without it. 400 header.invalid. */
export function byteCount(headers: Headers, name: string): number | undefined {
  const said = headers.get(name);
  if (said === null) return undefined;
  const [, digits] = INTEGER.exec(said) ?? [];
  if (digits === undefined) throw invalid(name);
  return Number(digits);
}

/** As `byteCount`, of a header that must be there. */
export function requiredByteCount(headers: Headers, name: string): number {
  const count = byteCount(headers, name);
  if (count === undefined) throw invalid(name);
  return count;
}

/** A header that is true or false; undefined without it. 400 header.invalid. */
export function truth(headers: Headers, name: string): boolean | undefined {
  const said = headers.get(name);
  if (said === null) return undefined;
  const [, digit] = BOOLEAN.exec(said) ?? [];
  if (digit === undefined) throw invalid(name);
  return digit === "1";
}

/** The media type of a body without its parameters. */
export const mediaType = (headers: Headers): string =>
  (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** 400 header.invalid. */
function decoded(written: string, header: string): Buffer {
  if (!BASE64.test(written)) throw invalid(header);
  return Buffer.from(written, "base64");
}

const digestLengths = { sha1: 20, sha256: 32 } as const;
export const checksumAlgorithms = Object.keys(digestLengths) as (keyof typeof digestLengths)[];

/** Upload-Checksum of tus: the name of an algorithm and a digest. 400 header.invalid. */
export function checksumIn(headers: Headers): ContentDigest | undefined {
  const said = headers.get("upload-checksum");
  if (said === null) return undefined;
  const [, name, written = ""] = /^(\w+) +(\S{1,100})$/.exec(said) ?? [];
  const algorithm = checksumAlgorithms.find((one) => one === name);
  const digest = decoded(written, "Upload-Checksum");
  if (!algorithm || digest.byteLength !== digestLengths[algorithm]) throw invalid("Upload-Checksum");
  return { algorithm, digest };
}

const METADATA = "Upload-Metadata";
/** What tus lets a key have: anything of ASCII but spaces and commas. */
const KEY = /^[!-+\--~]{1,100}$/;

/**
 * Upload-Metadata of tus: keys, each with a text in base64 or with none, separated by commas. 400 header.invalid, also for what is too
 * long, for a key that comes twice and for what is not UTF-8.
 */
export function metadataIn(headers: Headers): ReadonlyMap<string, string> {
  const said = headers.get(METADATA)?.trim() ?? "";
  if (said.length > MAX_UPLOAD_METADATA_BYTES) throw invalid(METADATA);
  const texts = new Map<string, string>();
  if (said === "") return texts;
  for (const pair of said.split(",")) {
    const [key = "", value = "", ...more] = pair.trim().split(/ +/);
    if (!KEY.test(key) || more.length > 0 || texts.has(key)) throw invalid(METADATA);
    texts.set(key, utf8(decoded(value, METADATA)));
  }
  return texts;
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalid(METADATA);
  }
}

/** Texts as Upload-Metadata has them. */
export const metadataText = (texts: ReadonlyMap<string, string>): string =>
  [...texts].map(([key, text]) => (text === "" ? key : `${key} ${Buffer.from(text).toString("base64")}`)).join(",");
