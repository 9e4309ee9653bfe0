import type { KeyValue } from "../../../lib/storage.ts";

const KEY = "satchel-draft";
const DELAY = 1000;

export interface Draft {
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
  readonly storage: KeyValue;
  /** Told after each attempt; false when the text is too large for the browser's storage. */
  readonly onKept: (kept: boolean) => void;
  /** Milliseconds between the last change and the writing. */
  readonly delay?: number;
}

/** Keeps what is being written across reloads, in this browser only. */
export function createDraft({ storage, onKept, delay = DELAY }: DraftParts): Draft {
  let waiting: { text: string; timer: ReturnType<typeof setTimeout> } | undefined;

  const flush = () => {
    if (!waiting) return;
    clearTimeout(waiting.timer);
    const { text } = waiting;
    waiting = undefined;
    onKept(keep(storage, text));
  };

  return {
    restore: () => storage.get(KEY) ?? "",
    note(text) {
      if (waiting) clearTimeout(waiting.timer);
      waiting = { text, timer: setTimeout(flush, delay) };
    },
    flush,
    clear() {
      if (waiting) clearTimeout(waiting.timer);
      waiting = undefined;
      storage.remove(KEY);
    },
  };
}

function keep(storage: KeyValue, text: string): boolean {
  if (text !== "" && storage.set(KEY, text)) return true;
  // An old draft next to a text that did not fit would come back as if it were the newest.
  storage.remove(KEY);
  return text === "";
}
