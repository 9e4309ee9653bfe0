import { useState } from "react";
import { recognise, type TextKind } from "#contract/text-kind";
import { browserStorage } from "../../../lib/storage.ts";
import { useStore } from "../../../lib/store.ts";
import { type EditorMode, savedMode, saveMode } from "../editor/mode.ts";
import { writing } from "./writing.ts";

/** Letters that nobody types between two looks at a text: it was pasted, imported or cut. */
const PASTED = 8;

interface ModeOfText {
  readonly mode: EditorMode;
  /** What the text was recognised as, while it is shown for that. */
  readonly kind: TextKind | undefined;
  readonly choose: (mode: EditorMode) => void;
  /** Looks at a text that is about to take the place of another. */
  readonly look: (before: string, next: string) => void;
}

/**
 * How the text is written: as the person likes it, but pasted code, data and logs plainly, unless the person wants that one text
 * otherwise. Who types letter by letter is not interrupted.
 */
export function useMode(): ModeOfText {
  const [saved, setSaved] = useState(() => savedMode(browserStorage));
  const [kind, setKind] = useState(() => recognise(writing.text.get()));
  const chosen = useStore(writing.mode);
  const mode = chosen ?? (kind ? "plain" : saved);
  return {
    mode,
    kind: mode === "plain" ? kind : undefined,
    choose(next) {
      if (kind) return writing.mode.set(next);
      saveMode(browserStorage, next);
      setSaved(next);
    },
    look(before, next) {
      if (next !== "" && Math.abs(next.length - before.length) < PASTED) return;
      setKind(recognise(next));
      if (next === "") writing.mode.set(undefined);
    },
  };
}
