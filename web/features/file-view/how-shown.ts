import type { Shown } from "../../preview/file/kinds.ts";
import { useShown } from "../../preview/file/use-shown.ts";
import type { OpenFile } from "./source.ts";

type Unshown = { readonly as: "nothing"; readonly why: "spends" | "spent" };

/** How a shared file is shown on its page, read at `address` where that has to be found out: not at all where looking again would spend a view. */
export function useHowShown(file: OpenFile, address: string | undefined): Shown | Unshown {
  const shown = useShown(file, address);
  if (file.previewUrl === undefined) return { as: "nothing", why: file.views_left === 0 ? "spent" : "spends" };
  return shown;
}
