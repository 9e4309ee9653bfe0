import { Failure } from "#contract/failures";
import { JSON_PATIENCE, SLOWEST_LINE } from "#contract/limits";

/**
 * Reads a JSON body of at most `limit` bytes, whatever its content type says; an empty one is `{}` where nothing has to be
 * sent. 413 body.tooLarge, 400 body.malformed, 408 body.late when it takes longer than a slow line would.
 */
export async function readJson(request: Request, limit: number, mayBeEmpty: boolean): Promise<unknown> {
  const declared = request.headers.get("content-length");
  const length = declared === null ? undefined : Number(declared);
  if (length !== undefined && length > limit) throw new Failure("body.tooLarge", { limit });
  const reading = length === undefined ? readBounded(request, limit) : request.text();
  const text = await inTime(reading, JSON_PATIENCE + ((length ?? limit) / SLOWEST_LINE) * 1000);
  if (mayBeEmpty && text === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure("body.malformed");
  }
}

/** Whoever sends a byte now and then must not hold a connection, and what was read of its body, for ever. */
async function inTime(reading: Promise<string>, patience: number): Promise<string> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Failure("body.late")), patience);
  try {
    return await Promise.race([reading, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** A body without a declared length is counted while it arrives (RFC 9112 section 7.1). */
async function readBounded(request: Request, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > limit) throw new Failure("body.tooLarge", { limit });
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
