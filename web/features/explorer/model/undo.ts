import { tabStorage } from "../../../lib/storage.ts";
import { createStore } from "../../../lib/store.ts";
import { UNDO } from "../../../page/personal-items.ts";
import type { Moved } from "./outcome.ts";
import { createOwnStorage } from "./own-storage.ts";

/** How many steps can be undone. */
const MOST = 20;

type Steps = readonly (readonly Moved[])[];

/** Where the steps survive a reload. */
interface UndoMemory {
  get(): Steps;
  set(steps: Steps): boolean;
}

/** Makes the undo history of moves, renames and deletions, the latest last. */
export function createUndo(memory?: UndoMemory) {
  const stack = createStore<Steps>([]);
  const keep = (steps: Steps): void => {
    stack.set(steps);
    // Where the browser refuses, the history ends with the page.
    memory?.set(steps);
  };
  return {
    stack,
    note(moves: readonly Moved[]): void {
      if (moves.length > 0) keep([...stack.get(), moves].slice(-MOST));
    },
    /** Removes a step (the last one by default) from the history and returns the moves that undo it; none if it is not there. */
    take(step?: readonly Moved[]): readonly Moved[] {
      const wanted = step ?? stack.get().at(-1);
      if (!wanted || !stack.get().includes(wanted)) return [];
      keep(stack.get().filter((one) => one !== wanted));
      return wanted.toReversed().map(({ from, to, ...rest }) => ({ ...rest, from: to, to: from }));
    },
    /** Resolves once this step can no longer be taken back: it has been, or it was forgotten. */
    over: (step: readonly Moved[]): Promise<void> =>
      new Promise((resolve) => {
        const unsubscribe = stack.subscribe(look);
        function look(): void {
          if (stack.get().includes(step)) return;
          unsubscribe();
          resolve();
        }
        look();
      }),
    /** Reads what was there before the page was loaded anew. */
    recall(): void {
      if (stack.get().length === 0 && memory) stack.set(memory.get());
    },
    forget: () => keep([]),
  };
}

export const undoing = createUndo(
  createOwnStorage(
    UNDO,
    (value): Steps => (Array.isArray(value) ? value.flatMap(stepIn).slice(-MOST) : []),
    tabStorage,
  ),
);

function stepIn(value: unknown): (readonly Moved[])[] {
  const moves = Array.isArray(value) ? value.flatMap(moveIn) : [];
  return moves.length > 0 ? [moves] : [];
}

function moveIn(value: unknown): Moved[] {
  const fields = new Map<string, unknown>(typeof value === "object" && value !== null ? Object.entries(value) : []);
  const [from, to, trash] = [fields.get("from"), fields.get("to"), fields.get("trash")];
  if (typeof from !== "string" || typeof to !== "string") return [];
  return [typeof trash === "string" ? { from, to, trash } : { from, to }];
}
