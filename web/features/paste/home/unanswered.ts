import { isFailure } from "../../../api/failure.ts";
import type { Creation } from "../../../api/pastes.ts";
import { randomKey } from "../../../lib/random-key.ts";
import { newPasteOf, type ShareOptions } from "../../../ui/share-options/options.ts";

interface Attempt {
  readonly text: string;
  readonly options: ShareOptions;
  readonly plain: boolean;
  readonly creation: Creation;
}

/**
 * Remembers a creation without an answer: it may have succeeded, so pressing the button again for the same text must
 * send the very same request, or the person would own two shares and know of one.
 */
export function createUnanswered(now: () => number) {
  let last: Attempt | undefined;
  return {
    /** Returns the request for this text: the unanswered one sent before, else a new one. */
    creationOf(text: string, options: ShareOptions, plain: boolean): Creation {
      if (last?.text === text && last.options === options && last.plain === plain) return last.creation;
      // Said either way: without it the server would recognise what the person has seen and may have chosen otherwise.
      const body = { ...newPasteOf(text, options, now()), plain };
      const creation = { body, requestKey: randomKey() };
      last = { text, options, plain, creation };
      return creation;
    },
    /** Call with the result; only silence is remembered. */
    settle(error?: unknown): void {
      const silent = isFailure(error) && error.status === 0;
      if (!silent) last = undefined;
    },
  };
}
