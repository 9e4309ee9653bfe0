import { nameOf, parentOf } from "#contract/paths";
import { bare } from "../../../lib/folder-path.ts";
import { freeName } from "../model/entry.ts";
import type { Moved } from "../model/outcome.ts";
import { pathAt } from "../model/tree-calls.ts";

/** Renames that have to be made in this order. */
interface Line {
  readonly moves: readonly Moved[];
  /** All of them or none: they pass names on in a circle, and one waits under a name of its own until another has left. */
  readonly isCircle: boolean;
}

/**
 * Orders renames within a folder so that each name is given up before another gets it. `taken` are the names in the folder; no two of the new
 * ones are the same.
 */
export function linesOf(wanted: readonly Moved[], taken: ReadonlySet<string>): Line[] {
  const byFrom = new Map(wanted.map((move) => [bare(move.from), move]));
  const byTo = new Map(wanted.map((move) => [bare(move.to), move]));
  const left = new Set(wanted);
  const used = new Set([...taken, ...wanted.map(({ to }) => nameOf(bare(to)))]);
  const lines: Line[] = [];
  /** Takes a rename, and then those that wait for the name that it gives up. */
  const following = (first: Moved): Moved[] => {
    const moves: Moved[] = [];
    for (let next: Moved | undefined = first; next && left.delete(next); next = byTo.get(bare(next.from)))
      moves.push(next);
    return moves;
  };
  for (const move of wanted) if (!byFrom.has(bare(move.to))) lines.push({ moves: following(move), isCircle: false });
  for (const move of wanted) {
    if (!left.has(move)) continue;
    const [first = move, ...others] = following(move);
    const aside = asideOf(first, used);
    used.add(nameOf(bare(aside)));
    const moves = [{ from: first.from, to: aside }, ...others, { from: aside, to: first.to }];
    lines.push({ moves, isCircle: true });
  }
  return lines;
}

/** A path beside another under which nothing is, by which a person still sees what it was called. */
function asideOf({ from }: Moved, used: ReadonlySet<string>): string {
  const isDirectory = from.endsWith("/");
  const name = nameOf(bare(from));
  return pathAt({ isDirectory }, parentOf(bare(from)), freeName(name, isDirectory, used));
}
