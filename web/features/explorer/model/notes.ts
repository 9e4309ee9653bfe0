import { createStore } from "../../../lib/store.ts";
import type { Moved, Outcome } from "./outcome.ts";
import { foldersOf, named } from "./tree-calls.ts";
import type { createUndo } from "./undo.ts";

type Verb = "copy" | "move" | "rename" | "remove" | "undo" | "unpack";

/** An operation that is running or has failed. One that has simply succeeded shows in the folder itself. */
export interface Note {
  readonly id: number;
  readonly verb: Verb;
  /** Number of files and folders that were asked for. */
  readonly count: number;
  readonly running: boolean;
  /** Files done, their total if known, and the current one. */
  readonly progress:
    | { readonly done: number; readonly total: number | null; readonly current: string | null }
    | undefined;
  /** It is done by this page, and not in the list of tasks. */
  readonly isHere: boolean;
  readonly outcome: Outcome | undefined;
  readonly cancel?: () => void;
  readonly retry?: () => void;
}

export interface NotePorts {
  /** Reloads folders that have changed. */
  readonly renew: (...folders: string[]) => Promise<void>;
  /** Shows what has moved away, got another name or was deleted. */
  readonly showMoved: (moves: readonly Moved[]) => void;
  readonly undo: ReturnType<typeof createUndo>;
  /** Called when an operation has succeeded; `step` is what undo needs to take moves back. */
  readonly onDone: (verb: Verb, outcome: Outcome, step: readonly Moved[] | undefined) => void;
}

/** How a running operation is cancelled, and tells how far it is. */
export interface RunningOperation {
  readonly signal: AbortSignal;
  readonly onProgress: (job: JobCounts) => void;
  /** Says how far this page is, which does it step by step itself. */
  readonly onStep: (done: number, current: string) => void;
}

interface Operation {
  readonly verb: Verb;
  readonly count: number;
  /** Never throws. */
  readonly act: (running: RunningOperation) => Promise<Outcome>;
  /** Retries what has failed. */
  readonly again: (paths: readonly string[]) => void;
  readonly step?: (outcome: Outcome) => readonly Moved[];
  /** Whether what is done is no longer where it was: in its folder it is gone, or has another name. */
  readonly isMove?: boolean;
}

/** How often this page says how far it is, in milliseconds. */
const TICK = 250;

/** Makes the notes of the operations that are running or have failed. */
export function createNotes({ renew, showMoved, undo, onDone }: NotePorts) {
  const notes = createStore<readonly Note[]>([]);
  let made = 0;

  const change = (id: number, part: Partial<Note>) =>
    notes.set(notes.get().map((note) => (note.id === id ? { ...note, ...part } : note)));
  const dismiss = (id: number) => notes.set(notes.get().filter((note) => note.id !== id));

  /** Runs an operation under a note, which stays if not all of it succeeded. */
  const run = async ({ verb, count, act, again, step, isMove = false }: Operation): Promise<Outcome> => {
    const id = ++made;
    const stop = new AbortController();
    let shown = Date.now();
    const running = { id, verb, count, running: true, progress: undefined, isHere: false, outcome: undefined };
    notes.set([...notes.get(), { ...running, cancel: () => stop.abort() }]);
    const outcome = await act({
      signal: stop.signal,
      onProgress: (job) => change(id, { isHere: false, progress: progressOf(job) }),
      onStep(done, current) {
        if (Date.now() - shown < TICK) return;
        shown = Date.now();
        change(id, { isHere: true, progress: { done, total: count, current: named(current) } });
      },
    });
    if (isMove) showMoved(outcome.done);
    // What has failed may no longer exist.
    const failed = outcome.failed.map(({ path }) => ({ from: path, to: path }));
    const renewed = renew(...foldersOf([...outcome.done, ...failed]));
    const back = step?.(outcome);
    if (back) undo.note(back);
    if (failed.length === 0) {
      dismiss(id);
      if (outcome.done.length > 0) onDone(verb, outcome, back);
    } else {
      const paths = outcome.failed.map(({ path }) => path);
      const retry = () => {
        dismiss(id);
        again(paths);
      };
      change(id, { running: false, outcome, retry });
    }
    // What comes to another folder is there once that is loaded.
    if (verb !== "remove" && verb !== "rename") await renewed;
    return outcome;
  };

  return { notes, dismiss, run };
}

interface JobCounts {
  readonly done_files: number;
  readonly skipped_files: number;
  readonly failed_files: number;
  readonly total_files: number | null;
  readonly current: string | null;
}

const progressOf = ({
  done_files,
  skipped_files,
  failed_files,
  total_files,
  current,
}: JobCounts): Note["progress"] => ({
  done: done_files + skipped_files + failed_files,
  total: total_files,
  current: current === null ? null : named(current),
});
