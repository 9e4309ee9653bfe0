import { MAX_CONTENT_BYTES } from "#contract/limits";

/** From here on the counter warns. */
const WARN_BYTES = MAX_CONTENT_BYTES * 0.9;

const encoder = new TextEncoder();

/** Bytes of a text in UTF-8, as the server counts them. */
export const bytesOf = (text: string): number => encoder.encode(text).byteLength;

type SizeState = "fine" | "near" | "over";

/** Compares a size with the limit of one share. */
export function sizeState(bytes: number): SizeState {
  if (bytes > MAX_CONTENT_BYTES) return "over";
  return bytes > WARN_BYTES ? "near" : "fine";
}
