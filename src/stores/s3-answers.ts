import type { Clock } from "../lib/clock.ts";
import { parseHttpDate } from "../lib/http-date.ts";
import { Refusal, unreadable } from "./s3-trouble.ts";
import type { ObjectHead } from "./store.ts";

/** An error document is a few hundred bytes; of a longer one nothing is believed. */
const LONGEST_ERROR = 64 * 1024;

/** All bytes of an answer, none beyond a limit: whoever sends more is no S3. */
export async function readBytes(response: Response, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.byteLength;
    if (size > limit) throw unreadable("too long");
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}

/** Reads an answer that is no success. */
export async function refusalOf(response: Response): Promise<Refusal> {
  return refusalIn(response.status, await readBytes(response, LONGEST_ERROR));
}

/** The code of an error document (S3 API reference, "REST error responses"); nothing else of it is used. */
export function refusalIn(status: number, bytes: Uint8Array): Refusal {
  const text = new TextDecoder().decode(bytes.subarray(0, LONGEST_ERROR));
  const error = text.indexOf("<Error>");
  const code = error < 0 ? -1 : text.indexOf("<Code>", error);
  const named = code < 0 ? null : /^<Code>(\w{1,64})<\/Code>/.exec(text.slice(code, code + 80));
  return new Refusal(status, named?.[1] ?? "");
}

/**
 * What a document is about; empty for no document. Work that takes its time is answered with 200 before it is done, and may
 * still turn out to be an Error, after any number of blanks that kept the connection open (CopyObject).
 */
export function rootOf(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes).trimStart();
  return text === "" ? "" : (/^(?:<\?xml[^>]*\?>\s*)?<(\w+)[\s/>]/.exec(text)?.[1] ?? "?");
}

/** An ETag as we keep it; undefined when there is none. */
export const plainTag = (header: string | null | undefined): string | undefined =>
  header?.replace(/^W\//, "").replace(/^"|"$/g, "") || undefined;

/** What the headers of HeadObject or GetObject tell of an object. */
export function headIn(key: string, { headers }: Response, clock: Clock): ObjectHead {
  const total = /^bytes \d+-\d+\/(\d+)$/.exec(headers.get("content-range") ?? "")?.[1];
  const size = total ?? headers.get("content-length") ?? "";
  const etag = plainTag(headers.get("etag"));
  if (!/^\d{1,15}$/.test(size) || etag === undefined) throw unreadable("no size or no ETag");
  return {
    key,
    size: Number(size),
    etag,
    type: headers.get("content-type") ?? "application/octet-stream",
    modified: parseHttpDate(headers.get("last-modified") ?? "") ?? clock(),
  };
}
