import { createStore } from "../../../lib/store.ts";
import type { Moved } from "./outcome.ts";

/** How many steps can be undone. */
const MOST = 20;

/** Makes the undo history of moves and renames, the latest last. */
export function createUndo() {
  const stack = createStore<readonly (readonly Moved[])[]>([]);
  return {
    stack,
    note(moves: readonly Moved[]): void {
      if (moves.length > 0) stack.set([...stack.get(), moves].slice(-MOST));
    },
    /** Removes a step (the last one by default) from the history and returns the moves that undo it; none if it is not there. */
    take(step?: readonly Moved[]): readonly Moved[] {
      const wanted = step ?? stack.get().at(-1);
      if (!wanted || !stack.get().includes(wanted)) return [];
      stack.set(stack.get().filter((one) => one !== wanted));
      return wanted.toReversed().map(({ from, to }) => ({ from: to, to: from }));
    },
    forget: () => stack.set([]),
  };
}

export const undoing = createUndo();
