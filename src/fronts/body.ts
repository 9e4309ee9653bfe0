import { Failure } from "#contract/failures";
import { JSON_PATIENCE, SLOWEST_LINE } from "#contract/limits";

/** A body that breaks off with its connection is no bug: nobody is left to read the answer, and the log says 400. */
function asCut(error: unknown): never {
  if (error instanceof Error && error.name === "AbortError") throw new Failure("body.malformed");
  throw error;
}

/** Whoever sends a byte now and then must not hold a connection, and what was read of its body, for ever. 408 body.late. */
async function inTime<Result>(reading: Promise<Result>, patience: number): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Failure("body.late")), patience);
  try {
    return await Promise.race([reading, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

export type Sent = Pick<Request, "body" | "bytes">;

/** Bytes up to which a body mostly comes with its head. */
const SMALL = 16 * 1024;

/** A body that is being read, and whether it was there with the head of its request. */
interface Arriving extends Sent {
  readonly isThere: boolean;
}

/** Begins to read a small body; undefined, and not begun, when it may be a larger one. */
export async function smallBody(request: Request, length: number | undefined): Promise<Arriving | undefined> {
  if (length === undefined || length > SMALL) return undefined;
  const reading = readBytes(request, { length, limit: SMALL });
  // Who sent the request may turn out to have no right to it, and then nobody awaits its body.
  reading.catch(() => undefined);
  const isThere = await Promise.race([
    reading.then(
      () => true,
      () => false,
    ),
    new Promise<false>((resolve) => setImmediate(resolve, false)),
  ]);
  return { body: null, bytes: () => reading, isThere };
}

/** How many bytes a body has. */
export interface Expected {
  /** As its sender declares; undefined when it does not. */
  readonly length: number | undefined;
  /** At most. */
  readonly limit: number;
}

/**
 * Reads a body of at most `limit` bytes; one without a declared length is counted while it arrives (RFC 9112 section 7.1). 413
 * body.tooLarge; 408 body.late when it takes longer than a slow line would; 400 body.malformed when it breaks off.
 */
export async function readBytes(request: Sent, { length, limit }: Expected): Promise<Uint8Array<ArrayBuffer>> {
  if (length !== undefined && length > limit) throw new Failure("body.tooLarge", { limit });
  const reading = length === undefined ? readBounded(request, limit) : request.bytes();
  return await inTime(reading.catch(asCut), JSON_PATIENCE + ((length ?? limit) / SLOWEST_LINE) * 1000);
}

async function readBounded(request: Sent, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > limit) throw new Failure("body.tooLarge", { limit });
    chunks.push(chunk);
  }
  // A copy of its own: what Buffer makes may share its memory with others.
  return new Uint8Array(Buffer.concat(chunks));
}
