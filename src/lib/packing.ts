import { promisify } from "node:util";
import { gzip, zstdCompress } from "node:zlib";
import { sized } from "./counting.ts";

/** How an answer is compressed as it is made. At the same speed brotli leaves more bytes. Browsers take zstd over https alone. */
export type Coding = "zstd" | "gzip";

/** Bytes below which a header costs what compressing saves. */
export const LEAST_PACKED = 1024;

const compress = { zstd: promisify(zstdCompress), gzip: promisify(gzip) };

/** The codings that an Accept-Encoding names: one with q=0 is one that the client does not take. */
export function codings(accepted: string): string[] {
  const refused = /;\s*q=0(\.0*)?\s*$/;
  return accepted.split(",").flatMap((entry) => (refused.test(entry) ? [] : entry.split(";")[0]?.trim() || []));
}

/** The coding in which an answer goes to a client that takes these; undefined where it takes none. */
export function codingOf(accepted: string | null): Coding | undefined {
  const taken = codings(accepted ?? "");
  return (["zstd", "gzip"] as const).find((coding) => taken.includes(coding));
}

/** A short text, compressed by another thread. */
export async function packedText(text: string, { status, headers }: Response, coding: Coding): Promise<Response> {
  const bytes = await compress[coding](text);
  return sized(packedAs(coding, new Response(bytes, { status, headers })), bytes.byteLength);
}

/** What comes, compressed as it comes. */
export const packedStream = (body: ReadableStream<Uint8Array>, coding: Coding): ReadableStream<Uint8Array> =>
  // Bun knows more formats than the types of browsers do.
  body.pipeThrough(new CompressionStream(coding as "gzip") as ReadableWritablePair<Uint8Array, Uint8Array>);

/** Says of an answer how it is compressed. */
export function packedAs(coding: Coding, response: Response): Response {
  response.headers.set("content-encoding", coding);
  return response;
}
