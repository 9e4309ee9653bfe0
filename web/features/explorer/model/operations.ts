import { join } from "#contract/paths";
import { bare, isAtOrBelow } from "../../../lib/folder-path.ts";
import { renameLines } from "../rename/rename-lines.ts";
import { type Begun, type CopyMovePorts, copyInto, moveAll, moveInto } from "./copy-move.ts";
import type { Entry } from "./entry.ts";
import { createNotes, type NotePorts } from "./notes.ts";
import { type Moved, noOutcome, type Outcome } from "./outcome.ts";
import { foldersOf, makeFile, makeFolder, named, pathAt, remove, rename, restoreAll } from "./tree-calls.ts";
import { type Unpacked, unpack } from "./unpack.ts";

type Ports = CopyMovePorts & NotePorts;

/** Makes the operations on files and folders, and publishes those that are running or have failed. */
export function createOperations(ports: Ports) {
  const { call, renew, showMoved, undo, onDone } = ports;
  const { notes, dismiss, run } = createNotes(ports);

  const copy = (entries: readonly Entry[], target: string, begun: Begun = new Map()): Promise<Outcome> =>
    run({
      verb: "copy",
      count: entries.length,
      act: (running) => copyInto(ports, { entries, target, begun }, running),
      again: (paths) => void copy(withPaths(entries, paths), target, begun),
    });

  const move = (entries: readonly Entry[], target: string, begun: Begun = new Map()): Promise<Outcome> =>
    run({
      verb: "move",
      count: entries.length,
      act: (running) => moveInto(ports, { entries, target, begun }, running),
      again: (paths) => void move(withPaths(entries, paths), target, begun),
      step: ({ done }) => done,
      isMove: true,
    });

  return {
    notes,
    dismiss,
    copy: (entries: readonly Entry[], target: string) => copy(entries, target),
    move: (entries: readonly Entry[], target: string) => move(entries, target),
    unpack: unpacking(ports, run),
    /** Deletes: to the trash where there is one, unless for ever. */
    remove: removing(ports, run),
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
      showMoved(step);
      undo.note(step);
      onDone("move", { ...noOutcome, done: step }, step);
      void renew(folder);
      return move.to;
    },
    renameAll: renamingMany(ports, run),
    /** Makes a folder and returns its path. Throws ApiFailure; path.taken if the name is taken. */
    async makeFolder(folder: string, name: string): Promise<string> {
      const path = await makeFolder(call, folder, name);
      await renew(folder);
      return path;
    },
    /** Makes an empty file. Throws ApiFailure. */
    async makeFile(folder: string, name: string): Promise<string> {
      const path = await makeFile(call, folder, name);
      await renew(folder);
      return path;
    },
    /** Undoes a move or a deletion; the last one by default. */
    async undo(step?: readonly Moved[]): Promise<Outcome> {
      const back = undo.take(step);
      if (back.length === 0) return noOutcome;
      const undoing = (moves: readonly Moved[]): Promise<Outcome> =>
        run({
          verb: "undo",
          count: moves.length,
          act: (running) => (moves[0]?.trash === undefined ? moveAll(ports, moves, running) : restoreAll(call, moves)),
          isMove: moves[0]?.trash === undefined,
          again: (paths) => void undoing(moves.filter(({ from }) => paths.some((path) => isAtOrBelow(path, from)))),
        });
      return undoing(back);
    },
  };
}

type Run = ReturnType<typeof createNotes>["run"];

export type Operations = ReturnType<typeof createOperations>;

function removing({ call }: Ports, run: Run) {
  return (entries: readonly Entry[], forever = false): Promise<Outcome> => {
    const removeThese = (paths: readonly string[]): Promise<Outcome> =>
      run({
        verb: "remove",
        count: paths.length,
        act: () => remove(call, paths, forever),
        again: (failed) => void removeThese(failed),
        step: ({ done }) => done.filter(({ trash }) => trash !== undefined),
        isMove: true,
      });
    return removeThese(entries.map(({ path }) => path));
  };
}

/** Makes what renames several entries of a folder, among whose names are theirs; tries again with those that have failed. */
function renamingMany({ call }: Ports, run: Run) {
  const renameThese = (wanted: readonly Moved[], taken: ReadonlySet<string>): Promise<Outcome> => {
    let done: readonly Moved[] = [];
    return run({
      verb: "rename",
      count: wanted.length,
      async act(running) {
        const outcome = await renameLines(call, { wanted, taken }, running);
        done = outcome.done;
        return outcome;
      },
      again: (paths) =>
        void renameThese(
          paths.flatMap((path) => leftAt(path, wanted, done)),
          new Set([...taken, ...paths.map(named)]),
        ),
      step: (outcome) => outcome.done,
      isMove: true,
    });
  };
  return renameThese;
}

/** What remains of a rename whose entry is at a path; nothing where another entry has that name by now. */
function leftAt(path: string, wanted: readonly Moved[], done: readonly Moved[]): Moved[] {
  const aside = done.find(({ to }) => to === path);
  if (aside && wanted.some(({ to }) => to === path)) return [];
  const start = aside?.from ?? path;
  return wanted.filter(({ from }) => from === start).map(({ to }) => ({ from: path, to }));
}

function unpacking(ports: Ports, run: Run) {
  const unpackOne = (path: string, how: Unpacked): Promise<Outcome> => {
    let next = how;
    return run({
      verb: "unpack",
      count: 1,
      async act(running) {
        const outcome = await unpack(ports, path, how, running);
        const [made] = outcome.done;
        // The folder that was made gets what it lacks.
        if (made) next = { target: bare(made.to), onConflict: "skip" };
        return outcome;
      },
      again: () => void unpackOne(path, next),
    });
  };
  return unpackOne;
}

/** Returns the entries with one of these paths at or below them. */
const withPaths = (entries: readonly Entry[], paths: readonly string[]): readonly Entry[] =>
  entries.filter(({ path }) => paths.some((one) => isAtOrBelow(one, path)));

/** Returns the path of a name in a folder. */
export const inFolder = (folder: string, name: string): string => join(folder, name);
