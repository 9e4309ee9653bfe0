import { useEffect, useState } from "react";
import { browserStorage } from "../../../lib/storage.ts";
import { type EditorMode, isLong, savedViewMode, saveViewMode, type ViewMode } from "./mode.ts";

/** Below this width of the window there is no room for text and preview side by side. */
const WIDE = "(min-width: 769px)";

function useWide(): boolean {
  const [wide, setWide] = useState(() => window.matchMedia(WIDE).matches);
  useEffect(() => {
    const query = window.matchMedia(WIDE);
    const change = () => setWide(query.matches);
    query.addEventListener("change", change);
    return () => query.removeEventListener("change", change);
  }, []);
  return wide;
}

/** What is in sight of a text: what the person chose, as far as the text and the window allow it. */
export function useViewMode(mode: EditorMode, characters: number) {
  const wide = useWide();
  const [wanted, setWanted] = useState<ViewMode>(() => savedViewMode(browserStorage, wide));
  const long = isLong(characters);
  const isMarkdown = mode === "rich";
  const viewMode: ViewMode = !isMarkdown || long ? "write" : wanted === "split" && !wide ? "live" : wanted;

  return {
    viewMode,
    wide,
    long,
    isMarkdown,
    isRendered: viewMode === "split" || viewMode === "read",
    choose(next: ViewMode) {
      setWanted(next);
      saveViewMode(browserStorage, next);
    },
  };
}

export type View = ReturnType<typeof useViewMode>;
