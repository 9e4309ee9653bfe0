import { MAX_CONTENT_BYTES } from "#contract/limits";

/** From here on the counter warns. */
const WARN_BYTES = MAX_CONTENT_BYTES * 0.9;

type SizeState = "fine" | "near" | "over";

/** Compares a size with the limit of one share. */
export function sizeState(bytes: number): SizeState {
  if (bytes > MAX_CONTENT_BYTES) return "over";
  return bytes > WARN_BYTES ? "near" : "fine";
}
