import { createHmac, hash } from "node:crypto";
import { Lru } from "../cache.ts";

/**
 * The shared part of signing and checking: AWS Signature Version 4 as S3 reads it ("Authenticating Requests" of the S3
 * API reference). Canonical requests are byte strings: characters above 0x7f come only from header values, where Fetch
 * maps each byte to one character, so that the hash covers the sent bytes.
 */

export const ALGORITHM = "AWS4-HMAC-SHA256";
export const UNSIGNED_PAYLOAD = "UNSIGNED-PAYLOAD";
export const LONGEST_EXPIRY_SECONDS = 604_800;

/** The name and the value of a query parameter, both in canonical encoding. */
export type Parameter = readonly [name: string, value: string];

interface CanonicalParts {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Names in lower case, sorted. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly payloadHash: string;
}

const upperHex = (byte: number) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;

/** Percent-encodes a text but for RFC 3986's unreserved characters. */
export function encodeText(text: string): string {
  if (/^[\w.~-]*$/.test(text)) return text;
  return encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, (character) => upperHex(character.charCodeAt(0)));
}

/** As `encodeText`, but keeps slashes: encodes an object key for a URL's path. */
export const encodeKey = (key: string): string => key.split("/").map(encodeText).join("/");

/** Brings an encoded text into the one canonical form, byte by byte; undefined when an escape is broken. */
function canonicalText(text: string, plain: RegExp): string | undefined {
  if (plain.test(text)) return text;
  if (/%(?![\da-f]{2})/i.test(text)) return undefined;
  return text.replace(/%(..)|[^\w.~/%-]+|\//g, (piece: string, hex: string | undefined) => {
    if (hex === undefined) return plain.test(piece) ? piece : encodeText(piece);
    const byte = Number.parseInt(hex, 16);
    const character = String.fromCharCode(byte);
    return /[\w.~-]/.test(character) ? character : upperHex(byte);
  });
}

/** The canonical form of a path as it was sent: encoded once, nothing resolved. Undefined when an escape is broken. */
export const canonicalPath = (path: string): string | undefined => canonicalText(path || "/", /^[\w.~/-]*$/);

/**
 * The parameters of a query as it was sent. A plus is a space, as in everything that reads queries: were it itself, a
 * signed %2B could be exchanged for it. Undefined when an escape is broken.
 */
export function parseQuery(query: string): Parameter[] | undefined {
  const parameters: Parameter[] = [];
  for (const piece of query.split("&")) {
    if (piece === "") continue;
    const [name, value] = cut(piece, "=").map((half) => canonicalText(half.replaceAll("+", "%20"), /^[\w.~-]*$/));
    if (name === undefined || value === undefined) return undefined;
    parameters.push([name, value]);
  }
  return parameters;
}

/** Both sides of the first separator; the second is empty when there is none. */
export function cut(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** The parameters sorted by name, then by value. */
export const canonicalQuery = (parameters: readonly Parameter[]): string =>
  [...parameters]
    .sort(([nameA, valueA], [nameB, valueB]) => order(nameA, nameB) || order(valueA, valueB))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");

/** Only ASCII blanks: \s and trim() also take the byte 0xa0, which ends many a letter in UTF-8. */
const canonicalValue = (value: string) => value.replace(/[ \t]+/g, " ").replace(/^ | $/g, "");

/** The hash of the canonical request, in hexadecimal. */
function hashRequest({ method, path, parameters, headers, payloadHash }: CanonicalParts): string {
  const lines = headers.map(([name, value]) => `${name}:${canonicalValue(value)}\n`).join("");
  const names = headers.map(([name]) => name).join(";");
  const text = `${method}\n${path}\n${canonicalQuery(parameters)}\n${lines}\n${names}\n${payloadHash}`;
  return hash("sha256", Buffer.from(text, "latin1"), "hex");
}

/** The scope of a signature: day, region and service. */
export const scopeOf = (timestamp: string, region: string): string =>
  `${timestamp.slice(0, 8)}/${region}/s3/aws4_request`;

interface ToSign {
  readonly key: Buffer;
  readonly timestamp: string;
  readonly region: string;
  readonly request: CanonicalParts;
}

/** The signature of a request, in hexadecimal. */
export function signatureOf({ key, timestamp, region, request }: ToSign): string {
  const text = `${ALGORITHM}\n${timestamp}\n${scopeOf(timestamp, region)}\n${hashRequest(request)}`;
  return createHmac("sha256", key).update(text).digest("hex");
}

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();

/** Derives signing keys, four HMACs each, and keeps the last hundred. */
export function createSigningKeys() {
  const known = new Lru<string, Buffer>(100);
  return (secret: string, timestamp: string, region: string): Buffer => {
    const day = timestamp.slice(0, 8);
    const name = `${day}/${region}/${secret}`;
    const before = known.get(name);
    if (before) return before;
    const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, day), region), "s3"), "aws4_request");
    known.set(name, key);
    return key;
  };
}

/** An instant in epoch milliseconds as X-Amz-Date writes it: 20130524T000000Z. */
export const amzDate = (instant: number): string => new Date(instant).toISOString().replace(/[-:]|\.\d{3}/g, "");

/** The instant of an X-Amz-Date in epoch milliseconds; undefined when it is none. */
export function parseAmzDate(text: string): number | undefined {
  if (!/^\d{8}T\d{6}Z$/.test(text)) return undefined;
  const instant = Date.parse(text.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  return Number.isNaN(instant) || amzDate(instant) !== text ? undefined : instant;
}
