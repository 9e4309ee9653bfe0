import { Failure } from "#contract/failures";
import { JSON_PATIENCE, SLOWEST_LINE } from "#contract/limits";
import type { RequestContext } from "./context.ts";

/** A body that breaks off with its connection is no bug: nobody is left to read the answer, and the log says 400. */
function asCut(error: unknown): never {
  if (error instanceof Error && error.name === "AbortError") throw new Failure("body.malformed");
  throw error;
}

/** Whoever sends a byte now and then must not hold a connection, and what was read of its body, for ever. 408 body.late. */
async function inTime<Result>(read: (signal: AbortSignal) => Promise<Result>, patience: number): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const giveUp = new AbortController();
  const timer = setTimeout(() => {
    late.reject(new Failure("body.late"));
    giveUp.abort(new Failure("body.late"));
  }, patience);
  try {
    return await Promise.race([read(giveUp.signal).catch(asCut), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Bytes up to which a body mostly comes with its head. */
const SMALL = 16 * 1024;
/** Bytes from which a body lies in a file until it is complete. */
const LARGE = 256 * 1024;

/** How many times its length such a body takes until it is parsed: itself, as text, on the thread that parses, and what that makes. */
const PARSING = 4;

type Bytes = Uint8Array<ArrayBuffer>;
type Sent = Request | Response;
type BodyContext = Pick<RequestContext, "length" | "memory">;

/** A body that is being read, and whether it was there with the head of its request. */
interface Arriving {
  readonly bytes: Promise<Bytes>;
  readonly isThere: boolean;
}

/** Begins to read a small body; undefined, and not begun, when it may be a larger one. */
export async function smallBody(request: Request, context: BodyContext): Promise<Arriving | undefined> {
  const { length } = context;
  if (length === undefined || length > SMALL) return undefined;
  const bytes = readBytes(request, context, SMALL);
  // Who sent the request may turn out to have no right to it, and then nobody awaits its body.
  bytes.catch(() => undefined);
  const isThere = await Promise.race([
    bytes.then(
      () => true,
      () => false,
    ),
    new Promise<false>((resolve) => setImmediate(resolve, false)),
  ]);
  return { bytes, isThere };
}

/**
 * Reads a body of at most `limit` bytes; one without a declared length is counted while it arrives (RFC 9112 section 7.1). What is not
 * complete takes memory only for the bytes that have come, and a large body none. 413 body.tooLarge; 408 body.late when it takes longer
 * than a slow line would; 400 body.malformed when it breaks off; 503 server.busy; 507 storage.full.
 */
export async function readBytes(body: Sent, context: BodyContext, limit: number): Promise<Bytes> {
  const { length } = context;
  if (length !== undefined && length > limit) throw new Failure("body.tooLarge", { limit });
  const patience = JSON_PATIENCE + ((length ?? limit) / SLOWEST_LINE) * 1000;
  return await inTime((signal) => {
    if (length !== undefined && length <= SMALL) return body.bytes();
    if (length !== undefined && length > LARGE) return readLarge(body, context, { length, limit, signal });
    return readGrowing(body, context, { length, limit, signal });
  }, patience);
}

type Bounds = Parameters<RequestContext["memory"]["temporary"]>[1];

/** Reads a body into memory as it comes; when it turns out to be a large one, into a file. */
async function readGrowing(body: Sent, context: BodyContext, bounds: Bounds): Promise<Bytes> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = (body.body ?? new Blob().stream()).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    bounds.signal?.throwIfAborted();
    bytes += next.value.byteLength;
    if (bytes > bounds.limit) throw new Failure("body.tooLarge", { limit: bounds.limit });
    chunks.push(next.value);
    if (bytes > LARGE) return await readLarge(new Response(rejoined(chunks, reader)), context, bounds);
    await context.memory.takeLong(next.value.byteLength);
  }
  // A copy of its own: what Buffer makes may share its memory with others.
  return new Uint8Array(Buffer.concat(chunks));
}

/** What was read of a body, and then the rest of it. */
function rejoined(chunks: Uint8Array[], reader: ReadableStreamDefaultReader<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const chunk = chunks.shift() ?? (await reader.read()).value;
        if (chunk) controller.enqueue(chunk);
        else controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Reads a body by way of a file, so that its bytes are in memory only when all of them have come. */
async function readLarge(body: Sent, { memory }: BodyContext, bounds: Bounds): Promise<Bytes> {
  await using file = await memory.temporary(body, bounds);
  if (bounds.length !== undefined && file.size !== bounds.length) throw new Failure("body.malformed");
  await memory.take(PARSING * file.size);
  return await Bun.file(file.path).bytes();
}
