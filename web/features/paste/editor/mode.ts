import { RICH_TEXT_CHARACTERS } from "#contract/limits";
import type { KeyValue } from "../../../lib/storage.ts";

export type EditorMode = "rich" | "plain";

/** What is in sight of a text in Markdown: what is written, that with its marks hidden, what it becomes, or the first and last side by side. */
export type ViewMode = "write" | "live" | "split" | "read";

/** How wide the reading side is: as there is room, or as on a smaller device. */
export type PreviewWidth = "desk" | "tablet" | "phone";

const KEY = "satchel-editor";
const VIEW_MODE_KEY = "satchel-editor-view";
const WIDTH_KEY = "satchel-editor-width";
const TYPEWRITER_KEY = "satchel-editor-typewriter";

/** The way of editing the person chose last on this device; Markdown until they choose. */
export const savedMode = (storage: KeyValue): EditorMode => (storage.get(KEY) === "plain" ? "plain" : "rich");

/** Remembers the way of editing. */
export const saveMode = (storage: KeyValue, mode: EditorMode): boolean => storage.set(KEY, mode);

/** What the person chose to see last on this device; until they choose, both where there is room and else the live view. */
export function savedViewMode(storage: KeyValue, wide: boolean): ViewMode {
  const saved = storage.get(VIEW_MODE_KEY);
  if (saved === "write" || saved === "live" || saved === "read") return saved;
  return wide ? "split" : "live";
}

/** Remembers what is in sight. */
export const saveViewMode = (storage: KeyValue, mode: ViewMode): boolean => storage.set(VIEW_MODE_KEY, mode);

/** How wide the person chose to have the preview last on this device. */
export function savedWidth(storage: KeyValue): PreviewWidth {
  const saved = storage.get(WIDTH_KEY);
  return saved === "tablet" || saved === "phone" ? saved : "desk";
}

/** Remembers how wide it is. */
export const saveWidth = (storage: KeyValue, width: PreviewWidth): boolean => storage.set(WIDTH_KEY, width);

/** Whether the caret's line stays in the middle, as the person chose last on this device. */
export const savedTypewriter = (storage: KeyValue): boolean => storage.get(TYPEWRITER_KEY) === "1";

/** Remembers whether it does. */
export const saveTypewriter = (storage: KeyValue, on: boolean): boolean => storage.set(TYPEWRITER_KEY, on ? "1" : "0");

/** Reports whether a text is too long to be rendered as Markdown, which happens on the page's own thread. */
export const isLong = (characters: number): boolean => characters > RICH_TEXT_CHARACTERS;

/** The surface to show: a text area holds up the browser for seconds when a long text is put into it. */
export const surfaceFor = (mode: EditorMode, characters: number): "code" | "plain" =>
  mode === "rich" || isLong(characters) ? "code" : "plain";
