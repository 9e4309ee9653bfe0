import { RICH_TEXT_CHARACTERS } from "#contract/limits";
import type { KeyValue } from "../../../lib/storage.ts";

export type EditorMode = "rich" | "plain";

const KEY = "satchel-editor";

/** The way of editing the person chose last on this device; plain until they choose. */
export const savedMode = (storage: KeyValue): EditorMode => (storage.get(KEY) === "rich" ? "rich" : "plain");

/** Remembers the way of editing. */
export const saveMode = (storage: KeyValue, mode: EditorMode): boolean => storage.set(KEY, mode);

/** The surface to show: Markdown is rendered on the page's own thread, so long texts are edited as text whatever was chosen. */
export function surfaceFor(mode: EditorMode, characters: number): "rich" | "plain" | "large" {
  if (characters > RICH_TEXT_CHARACTERS) return "large";
  return mode;
}
