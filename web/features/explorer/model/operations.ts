import { join } from "#contract/paths";
import type { Call } from "../../../api/call.ts";
import { bare, isAtOrBelow } from "../../../lib/folder-path.ts";
import { createStore } from "../../../lib/store.ts";
import { foldersOf, makeFolder, named, namesIn, pathAt, remove, rename, renameAll } from "./acts.ts";
import { type Ask, type Placed, settle } from "./conflicts.ts";
import type { Entry } from "./entry.ts";
import { type JobPorts, type Transfer, transfer } from "./jobs.ts";
import { type Moved, noOutcome, type Outcome, together, troubleAt } from "./outcome.ts";
import type { createUndo } from "./undo.ts";

type Verb = "copy" | "move" | "remove" | "undo";

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
  readonly outcome: Outcome | undefined;
  readonly cancel?: () => void;
  readonly retry?: () => void;
}

interface Ports extends JobPorts {
  readonly call: Call;
  /** Visitors have no jobs. */
  readonly signedIn: () => boolean;
  /** Copies what the server can at once, and carries the rest through this browser. Never throws. */
  readonly copyInBrowser: (transfers: readonly Transfer[], signal: AbortSignal) => Promise<Outcome>;
  readonly ask: Ask;
  /** Reloads folders that have changed. */
  readonly renew: (...folders: string[]) => Promise<void>;
  readonly undo: ReturnType<typeof createUndo>;
  /** Called when an operation has succeeded; `step` is what undo needs to take moves back. */
  readonly onDone: (verb: Verb, outcome: Outcome, step: readonly Moved[] | undefined) => void;
}

/** Makes the operations on files and folders, and publishes those that are running or have failed. */
export function createOperations(ports: Ports) {
  const { call, ask, renew, undo, onDone } = ports;
  const notes = createStore<readonly Note[]>([]);
  let made = 0;

  const change = (id: number, part: Partial<Note>) =>
    notes.set(notes.get().map((note) => (note.id === id ? { ...note, ...part } : note)));
  const dismiss = (id: number) => notes.set(notes.get().filter((note) => note.id !== id));

  interface Operation {
    readonly verb: Verb;
    readonly count: number;
    readonly act: (on: {
      readonly signal: AbortSignal;
      readonly note: (part: Partial<Note>) => void;
    }) => Promise<Outcome>;
    /** Retries what has failed. */
    readonly again: (paths: readonly string[]) => void;
    readonly step?: (outcome: Outcome) => readonly Moved[];
  }

  /** Runs an operation under a note, which stays if not all of it succeeded. */
  const run = async ({ verb, count, act, again, step }: Operation): Promise<Outcome> => {
    const id = ++made;
    const stop = new AbortController();
    const running = { id, verb, count, running: true, progress: undefined, outcome: undefined };
    notes.set([...notes.get(), { ...running, cancel: () => stop.abort() }]);
    const outcome = await act({ signal: stop.signal, note: (part) => change(id, part) });
    // What has failed may no longer exist.
    const failed = outcome.failed.map(({ path }) => ({ from: path, to: path }));
    await renew(...foldersOf([...outcome.done, ...failed]));
    const back = step?.(outcome);
    if (back) undo.note(back);
    if (outcome.failed.length === 0) {
      dismiss(id);
      if (outcome.done.length > 0) onDone(verb, outcome, back);
      return outcome;
    }
    const paths = outcome.failed.map(({ path }) => path);
    const retry = () => {
      dismiss(id);
      again(paths);
    };
    change(id, { running: false, outcome, retry });
    return outcome;
  };

  /** Asks what to do about names that are taken in the target; undefined if the person cancels. Throws ApiFailure. */
  const place = async (entries: readonly Entry[], target: string) => {
    const taken = await namesIn(call, target);
    return settle({ folder: target, coming: entries, taken, ask });
  };

  const transfersOf = (placed: readonly Placed<Entry>[], target: string): Transfer[] =>
    placed.map(({ item, name, replaces }) => ({ from: item.path, to: pathAt(item, target, name), replaces }));

  const failing = (entries: readonly Entry[], error: unknown): Outcome => ({
    ...noOutcome,
    failed: entries.map(({ path }) => troubleAt(path, error)),
  });

  /** Copies into a folder. Copies into the same folder get free names. */
  const copy = (entries: readonly Entry[], target: string): Promise<Outcome> =>
    run({
      verb: "copy",
      count: entries.length,
      again: (paths) => void copy(withPaths(entries, paths), target),
      async act({ signal, note }) {
        try {
          const here = entries.every(({ path }) => foldersOf([{ from: path, to: path }])[0] === bare(target));
          const settled = here ? await beside(entries, target) : await place(entries, target);
          if (!settled) return noOutcome;
          const transfers = transfersOf(settled.placed, target);
          const onProgress = (job: Counted) => note({ progress: progressOf(job) });
          const outcome = ports.signedIn()
            ? await carryUnreached(transfers, await transfer(ports, "copy", transfers, { signal, onProgress }), signal)
            : await ports.copyInBrowser(transfers, signal);
          await renew(target);
          return { ...outcome, skipped: outcome.skipped + settled.skipped };
        } catch (error) {
          return failing(entries, error);
        }
      },
    });

  /** Copies through this browser what the server could not, because it cannot reach a storage. What fails again keeps the server's reason. */
  const carryUnreached = async (transfers: readonly Transfer[], outcome: Outcome, signal: AbortSignal) => {
    const unreachable = outcome.failed.filter(({ code }) => code === "storage.unreachable");
    const unreached = transfers.filter(({ from }) => unreachable.some(({ path }) => isAtOrBelow(path, from)));
    if (unreached.length === 0 || signal.aborted) return outcome;
    const { done, skipped } = await ports.copyInBrowser(unreached, signal);
    const isThere = (path: string) => done.some(({ from }) => isAtOrBelow(path, from));
    return {
      done: [...outcome.done, ...done],
      skipped: outcome.skipped + skipped,
      failed: outcome.failed.filter(({ path }) => !isThere(path)),
    };
  };

  const beside = async (entries: readonly Entry[], target: string) =>
    settle({ folder: target, coming: entries, taken: await namesIn(call, target), ask: async () => keepBoth });

  /** Moves into a folder: within a mount by renaming, else by a job. */
  const move = (entries: readonly Entry[], target: string): Promise<Outcome> =>
    run({
      verb: "move",
      count: entries.length,
      again: (paths) => void move(withPaths(entries, paths), target),
      step: ({ done }) => done,
      async act({ signal, note }) {
        try {
          const settled = await place(entries, target);
          if (!settled) return noOutcome;
          const transfers = transfersOf(settled.placed, target);
          const { byJob, ...renamed } = await renameAll(
            call,
            transfers.filter(({ replaces }) => !replaces),
          );
          const rest = [
            ...transfers.filter(({ replaces }) => replaces),
            ...byJob.map((one) => ({ ...one, replaces: false })),
          ];
          const moved =
            rest.length === 0
              ? noOutcome
              : await transfer(ports, "move", rest, {
                  signal,
                  onProgress: (job) => note({ progress: progressOf(job) }),
                });
          await renew(target, ...foldersOf(rest));
          const all = together([renamed, moved]);
          return { ...all, skipped: all.skipped + settled.skipped };
        } catch (error) {
          return failing(entries, error);
        }
      },
    });

  return {
    notes,
    dismiss,
    copy,
    move,
    remove: (entries: readonly Entry[]): Promise<Outcome> => {
      const removing = (paths: readonly string[]): Promise<Outcome> =>
        run({
          verb: "remove",
          count: paths.length,
          act: () => remove(call, paths),
          again: (failed) => void removing(failed),
        });
      return removing(entries.map(({ path }) => path));
    },
    /** Renames an entry and returns its new path. Throws ApiFailure. */
    async rename(entry: Entry, name: string): Promise<string> {
      const [folder = "/"] = foldersOf([{ from: entry.path, to: entry.path }]);
      const move = { from: entry.path, to: pathAt(entry, folder, name) };
      const step = [move];
      try {
        await rename(call, move);
      } catch (error) {
        // It may no longer exist, or the name may be taken by something that is not shown yet.
        void renew(folder);
        throw error;
      }
      undo.note(step);
      onDone("move", { ...noOutcome, done: step }, step);
      await renew(folder);
      return move.to;
    },
    /** Makes a folder and returns its path. Throws ApiFailure; path.taken if the name is taken. */
    async makeFolder(folder: string, name: string): Promise<string> {
      const path = await makeFolder(call, folder, name);
      await renew(folder);
      return path;
    },
    /** Undoes a move; the last one by default. */
    async undo(step?: readonly Moved[]): Promise<Outcome> {
      const back = undo.take(step);
      if (back.length === 0) return noOutcome;
      const undoing = (moves: readonly Moved[]): Promise<Outcome> =>
        run({
          verb: "undo",
          count: moves.length,
          again: (paths) => void undoing(moves.filter(({ from }) => paths.some((path) => isAtOrBelow(path, from)))),
          async act({ signal, note }) {
            const { byJob, ...renamed } = await renameAll(call, moves);
            if (byJob.length === 0) return renamed;
            const rest = byJob.map((one) => ({ ...one, replaces: false }));
            const onProgress = (job: Parameters<typeof progressOf>[0]) => note({ progress: progressOf(job) });
            return together([renamed, await transfer(ports, "move", rest, { signal, onProgress })]);
          },
        });
      return undoing(back);
    },
  };
}

export type Operations = ReturnType<typeof createOperations>;

const keepBoth = { choice: "both", forAll: true } as const;

/** Returns the entries with one of these paths at or below them. */
const withPaths = (entries: readonly Entry[], paths: readonly string[]): readonly Entry[] =>
  entries.filter(({ path }) => paths.some((one) => isAtOrBelow(one, path)));

interface Counted {
  readonly done_files: number;
  readonly skipped_files: number;
  readonly failed_files: number;
  readonly total_files: number | null;
  readonly current: string | null;
}

const progressOf = ({ done_files, skipped_files, failed_files, total_files, current }: Counted): Note["progress"] => ({
  done: done_files + skipped_files + failed_files,
  total: total_files,
  current: current === null ? null : named(current),
});

/** Returns the path of a name in a folder. */
export const inFolder = (folder: string, name: string): string => join(folder, name);
