import { Failure } from "#contract/failures";

/**
 * Reads a JSON body of at most `limit` bytes, whatever its content type says; an empty one is `{}` where nothing has to be
 * sent. 413 body.tooLarge, 400 body.malformed.
 */
export async function readJson(request: Request, limit: number, mayBeEmpty: boolean): Promise<unknown> {
  const length = request.headers.get("content-length");
  if (length !== null && Number(length) > limit) throw new Failure("body.tooLarge", { limit });
  const text = length === null ? await readBounded(request, limit) : await request.text();
  if (mayBeEmpty && text === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure("body.malformed");
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
