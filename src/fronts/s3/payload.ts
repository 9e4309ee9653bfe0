import { MAX_S3_XML_BYTES } from "#contract/limits";
import {
  type ChecksumName,
  type Checksums,
  checksumNames,
  checksumsOf,
  createDigests,
  type Digesting,
  type DigestName,
  type Digests,
} from "../../lib/digests/digests.ts";
import { UNSIGNED_PAYLOAD } from "../../lib/signatures/sigv4-canonical.ts";
import { createYielder } from "../../lib/turns.ts";
import { readBytes } from "../body.ts";
import type { SignedCall } from "./call.ts";
import { headerOf } from "./checksums.ts";
import { decodeChunked } from "./chunked.ts";
import { type S3Failure, say } from "./failures.ts";

/** A body as its sender means it, and what is to be checked of it. */
interface Payload {
  readonly body: Request | Response;
  /** Bytes; undefined when nobody said. */
  readonly length: number | undefined;
  readonly digesting: Digesting;
  /** The checksums that were checked, once they were. */
  checksums(): Checksums;
}

/** A digest that a body must have. */
interface Expected {
  readonly name: DigestName;
  readonly value: Buffer;
  /** What is said when it has another one. */
  readonly otherwise: S3Failure;
}

const bytesOf: Readonly<Record<DigestName, number>> = {
  md5: 16,
  sha1: 20,
  sha256: 32,
  crc32: 4,
  crc32c: 4,
  crc64nvme: 8,
};
function fromBase64(name: DigestName, text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.byteLength === bytesOf[name] && bytes.toString("base64") === text.trim() ? bytes : undefined;
}

function checksumOf(name: ChecksumName, text: string): Expected {
  const value = fromBase64(name, text);
  if (!value) throw say("InvalidRequest", `The value of ${headerOf(name)} is not valid.`);
  return { name, value, otherwise: say("BadDigest", `The ${name.toUpperCase()} is not that of the bytes.`) };
}

/** What headers say of the bytes, those of the `checked` checksums among them. 400 InvalidDigest, InvalidRequest. */
function expectedOf(
  { request: { headers }, signature }: SignedCall,
  checked: readonly ChecksumName[] = checksumNames,
): Expected[] {
  const expected: Expected[] = checked.flatMap((name) => {
    const text = headers.get(headerOf(name));
    return text === null ? [] : [checksumOf(name, text)];
  });
  const md5 = headers.get("content-md5");
  if (md5 !== null) {
    const value = fromBase64("md5", md5);
    if (!value) throw say("InvalidDigest", "The value of Content-MD5 is not valid.");
    expected.push({ name: "md5", value, otherwise: say("BadDigest") });
  }
  if (/^[\da-f]{64}$/.test(signature.payloadHash)) {
    const value = Buffer.from(signature.payloadHash, "hex");
    expected.push({ name: "sha256", value, otherwise: say("XAmzContentSHA256Mismatch") });
  }
  return expected;
}

/** Names of the checksum that follows the body. 400 InvalidRequest for any other trailing header. */
function announced(headers: Headers): ChecksumName[] {
  const names = (headers.get("x-amz-trailer") ?? "").split(",").flatMap((one) => one.trim().toLowerCase() || []);
  return names.map((name) => {
    const found = checksumNames.find((one) => headerOf(one) === name);
    if (!found) throw say("InvalidRequest", "Only checksums may follow a body.");
    return found;
  });
}

const STREAMING = /^STREAMING-(?:UNSIGNED-PAYLOAD|AWS4-HMAC-SHA256-PAYLOAD)(-TRAILER)?$/;

const unsignable = () => say("NotImplemented", "Chunks cannot be signed like this.");

/** The body without the frames of its chunks, and the checksums that follow it. 411 MissingContentLength, 501 NotImplemented. */
function unframed({ request, context, signature }: SignedCall) {
  const { payloadHash } = signature;
  const [kind, withTrailer] = STREAMING.exec(payloadHash) ?? [];
  if (kind === undefined) {
    if (payloadHash.startsWith("STREAMING-")) throw unsignable();
    return { body: request, length: context.length, following: () => [] as Expected[] };
  }
  const said = request.headers.get("x-amz-decoded-content-length");
  if (said === null || !/^\d{1,15}$/.test(said)) throw say("MissingContentLength");
  const seed = "signingKey" in signature ? signature : undefined;
  if (kind.includes("HMAC") && !seed) throw unsignable();
  const names = withTrailer === undefined ? [] : announced(request.headers);
  const chunks = decodeChunked(request.body ?? new Blob().stream(), {
    signature: kind.includes("HMAC") ? seed : undefined,
    trailers: names.map(headerOf),
  });
  const following = () => names.map((name) => checksumOf(name, chunks.trailers().get(headerOf(name)) ?? ""));
  return { body: new Response(chunks.stream), length: Number(said), names, following };
}

/** What is known of a body beside its request. */
interface PayloadOptions {
  /** Whether what it becomes gets an MD5 as its ETag. */
  readonly md5?: boolean;
  /** Checksums in its headers that are of its bytes. */
  readonly checked?: readonly ChecksumName[];
  /** A checksum that is taken and kept even where none was sent. */
  readonly taken?: ChecksumName | undefined;
}

/** The body of a request. */
export function payloadOf(
  call: SignedCall,
  { md5 = false, checked = checksumNames, taken }: PayloadOptions = {},
): Payload {
  const expected = expectedOf(call, checked);
  const { body, length, names = [], following } = unframed(call);
  const isSent = (name: ChecksumName) => names.includes(name) || call.request.headers.has(headerOf(name));
  const kept = checked.filter((name) => name === taken || isSent(name));
  let checksums: Checksums = {};
  const own: readonly DigestName[] = md5 ? ["md5", ...kept] : kept;
  const wanted = new Set<DigestName>([...expected.map(({ name }) => name), ...names, ...own]);
  const check = (digests: Digests): void => {
    for (const { name, value, otherwise } of [...expected, ...following()]) {
      if (!digests[name]?.equals(value)) throw otherwise;
    }
    checksums = checksumsOf(digests, kept);
  };
  return {
    body,
    length,
    digesting: { names: [...wanted], kept, check },
    checksums: () => checksums,
  };
}

/** Bytes of a document that are hashed in one piece. */
const HASHED_AT_ONCE = 256 * 1024;

/**
 * The whole body of a request that carries a document, checked by the `checked` checksums among others. 413 body.tooLarge, 408
 * body.late, 400 BadDigest.
 */
export async function documentOf(
  call: SignedCall,
  checked: readonly ChecksumName[] = checksumNames,
): Promise<Uint8Array> {
  const { body, length, digesting } = payloadOf(call, { checked });
  const { memory } = call.context;
  // Nothing but HTTP holds a body to its length.
  const bytes = await readBytes(body, { memory, length: body === call.request ? length : undefined }, MAX_S3_XML_BYTES);
  const digests = createDigests(digesting.names);
  const yielder = createYielder();
  for (let from = 0; from < bytes.byteLength; from += HASHED_AT_ONCE) {
    digests.update(bytes.subarray(from, from + HASHED_AT_ONCE));
    await yielder.yieldIfDue();
  }
  digesting.check(digests.finish());
  return bytes;
}

/** Whether the bytes of a request are vouched for by its signature or a checksum, as S3 wants for some documents. */
export const isVouchedFor = (call: SignedCall): boolean =>
  call.signature.payloadHash !== UNSIGNED_PAYLOAD || expectedOf(call).length > 0;
