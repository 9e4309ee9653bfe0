import { Failure } from "#contract/failures";
import { MAX_CONTENT_BYTES, PREVIEW_CHARACTERS } from "#contract/limits";

/** What of a new text share has to be checked or worked out before it can be a row. */

/** Bytes and preview of a text. 400 content.empty, 413 content.tooLarge. */
export function measured(content: string): { size: number; preview: string } {
  if (content.trim() === "") throw new Failure("content.empty");
  const size = Buffer.byteLength(content);
  if (size > MAX_CONTENT_BYTES) throw new Failure("content.tooLarge");
  const cut = content.slice(0, PREVIEW_CHARACTERS).toWellFormed();
  return { size, preview: content.length > PREVIEW_CHARACTERS ? `${cut}...` : cut };
}
