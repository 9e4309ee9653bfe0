import { Failure } from "#contract/failures";
import { JSON_PATIENCE, SLOWEST_LINE } from "#contract/limits";

/** Milliseconds that so many bytes may take to arrive. */
export const patienceFor = (bytes: number): number => JSON_PATIENCE + (bytes / SLOWEST_LINE) * 1000;

/** A body that breaks off with its connection is no bug: nobody is left to read the answer, and the log says 400. */
export function asCut(error: unknown): never {
  if (error instanceof Error && error.name === "AbortError") throw new Failure("body.malformed");
  throw error;
}

/** Whoever sends a byte now and then must not hold a connection, and what was read of its body, for ever. 408 body.late. */
export async function inTime<Result>(reading: Promise<Result>, patience: number): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Failure("body.late")), patience);
  try {
    return await Promise.race([reading, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The bytes of a body, which is counted while it arrives (RFC 9112 section 7.1). 413 body.tooLarge, 408 body.late, 400 body.malformed. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length")) > limit) throw new Failure("body.tooLarge", { limit });
  return await inTime(readBounded(request, limit).catch(asCut), patienceFor(limit));
}

async function readBounded(request: Request, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > limit) throw new Failure("body.tooLarge", { limit });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
