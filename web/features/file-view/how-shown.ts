import { type Shown, shownAs } from "../../preview/file/kinds.ts";
import type { OpenFile } from "./source.ts";

/** How a shared file is shown on its page: not at all where looking again would spend a view. */
export function howShown(file: OpenFile): Shown | { readonly as: "nothing"; readonly why: "spends" | "spent" } {
  if (file.previewUrl === undefined) return { as: "nothing", why: file.views_left === 0 ? "spent" : "spends" };
  return shownAs(file);
}
