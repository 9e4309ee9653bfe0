import { useState } from "react";
import type { TextKind } from "#contract/text/kind";
import { browserStorage } from "../../../lib/storage.ts";
import { useStore } from "../../../lib/store.ts";
import { type EditorMode, savedMode, saveMode } from "../editor/mode.ts";
import { writing } from "./writing.ts";

interface ModeOfText {
  readonly mode: EditorMode;
  /** What the text was recognised as, while it is shown for that. */
  readonly kind: TextKind | undefined;
  readonly choose: (mode: EditorMode) => void;
}

/** How the text is written: as the person likes it, but code, data and logs plainly, unless the person wants that one text otherwise. */
export function useMode(): ModeOfText {
  const [saved, setSaved] = useState(() => savedMode(browserStorage));
  const kind = useStore(writing.kind);
  const mode = useStore(writing.mode) ?? (kind ? "plain" : saved);
  const isEmpty = useStore(writing.text) === "";
  return {
    mode,
    kind: mode === "plain" && !isEmpty ? kind : undefined,
    choose(next) {
      if (kind) return writing.mode.set(next);
      saveMode(browserStorage, next);
      setSaved(next);
    },
  };
}
