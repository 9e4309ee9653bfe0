import { isFailure } from "../../../api/failure.ts";
import type { Creation } from "../../../api/pastes.ts";
import { randomKey } from "../../../lib/random-key.ts";
import { newPasteOf, type ShareOptions } from "../../../ui/share-options/options.ts";

interface Attempt {
  readonly text: string;
  readonly options: ShareOptions;
  readonly creation: Creation;
}

/**
 * Remembers a creation that got no answer: it may have happened, so pressing the button again for the same text has to ask
 * the very same thing, or the person would own two shares and know of one.
 */
export function createUnanswered(now: () => number) {
  let last: Attempt | undefined;
  return {
    /** What to send for this text: what was sent before when that is unanswered, else something new. */
    creationOf(text: string, options: ShareOptions): Creation {
      if (last?.text === text && last.options === options) return last.creation;
      const creation = { body: newPasteOf(text, options, now()), requestKey: randomKey() };
      last = { text, options, creation };
      return creation;
    },
    /** Call with what came of it; only silence is remembered. */
    settle(error?: unknown): void {
      const silent = isFailure(error) && error.status === 0;
      if (!silent) last = undefined;
    },
  };
}
