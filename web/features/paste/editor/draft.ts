import type { DraftStorage } from "../../../page/draft-storage.ts";

const DELAY = 1000;

interface Draft {
  /** The text of an earlier visit, or an empty text. */
  restore(): string;
  /** Keeps the text a second after the last change. */
  note(text: string): void;
  /** Keeps it now, as when the page is left. */
  flush(): void;
  /** Forgets it: it has become a share. */
  clear(): void;
}

interface DraftParts {
  readonly kept: Pick<DraftStorage, "get" | "set" | "remove">;
  /** Called after each attempt; false when the text is too large for the browser's storage. */
  readonly onKept: (kept: boolean) => void;
  /** Milliseconds between the last change and the writing. */
  readonly delay?: number;
}

/** Keeps the unsaved text across reloads, in this browser only. */
export function createDraft({ kept, onKept, delay = DELAY }: DraftParts): Draft {
  let waiting: { text: string; timer: ReturnType<typeof setTimeout> } | undefined;
  /** What this tab has put there or found there; anything else belongs to another tab. */
  let mine: string | null = null;

  const forget = () => {
    if (kept.get() === mine) kept.remove();
  };
  const keep = (text: string): boolean => {
    if (text !== "" && kept.set(text)) {
      mine = text;
      return true;
    }
    // An old draft next to a text that did not fit would come back as if it were the newest.
    forget();
    return text === "";
  };

  const flush = () => {
    if (!waiting) return;
    clearTimeout(waiting.timer);
    const { text } = waiting;
    waiting = undefined;
    onKept(keep(text));
  };

  return {
    restore() {
      mine = kept.get();
      return mine ?? "";
    },
    note(text) {
      if (waiting) clearTimeout(waiting.timer);
      waiting = { text, timer: setTimeout(flush, delay) };
    },
    flush,
    clear() {
      if (waiting) clearTimeout(waiting.timer);
      waiting = undefined;
      forget();
    },
  };
}
