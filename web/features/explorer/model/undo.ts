import { createStore } from "../../../lib/store.ts";
import type { Moved } from "./outcome.ts";

/** Steps back that are remembered. */
const MOST = 20;

/** Moves and renames that can be taken back, the last one last. */
export function createUndo() {
  const stack = createStore<readonly (readonly Moved[])[]>([]);
  return {
    stack,
    note(moves: readonly Moved[]): void {
      if (moves.length > 0) stack.set([...stack.get(), moves].slice(-MOST));
    },
    /** The moves that take a step back (the last one unless said), which is forgotten with it; none when there is nothing. */
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
