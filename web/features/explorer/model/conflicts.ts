import { asFolder, isAtOrBelow } from "../../../lib/folder-path.ts";
import type { Entry } from "./entry.ts";
import { freeName } from "./entry.ts";

/** What is to be done where a name is taken. */
export type Choice = "replace" | "both" | "skip";

/** A name that is taken in the folder where something is to go. */
export interface Conflict {
  readonly name: string;
  readonly isFolder: boolean;
  readonly folder: string;
  /** How many more there are after it. */
  readonly more: number;
}

/** An answer, for this one or for all that come after it; undefined calls the whole off. */
export type Answer = { readonly choice: Choice; readonly forAll: boolean } | undefined;
export type Ask = (conflict: Conflict) => Promise<Answer>;

/** Something with a name that is to go into a folder. */
export interface Coming {
  readonly name: string;
  readonly isDirectory: boolean;
}

/** What is to happen with one: the name that it gets, and whether it replaces what has that; undefined is left out. */
export interface Placed<Item> {
  readonly item: Item;
  readonly name: string;
  readonly replaces: boolean;
}

interface Resolving<Item extends Coming> {
  readonly folder: string;
  readonly coming: readonly Item[];
  /** The names that are there already. */
  readonly taken: ReadonlySet<string>;
  readonly ask: Ask;
}

/** Settles what happens where names are taken, one after the other; undefined when it was called off. */
export async function settle<Item extends Coming>(
  given: Resolving<Item>,
): Promise<{ readonly placed: readonly Placed<Item>[]; readonly skipped: number } | undefined> {
  const { folder, coming, ask } = given;
  const taken = new Set(given.taken);
  const placed: Placed<Item>[] = [];
  let left = coming.filter(({ name }) => taken.has(name)).length;
  let skipped = 0;
  let standing: Choice | undefined;
  for (const item of coming) {
    const { name, isDirectory } = item;
    if (!taken.has(name)) {
      taken.add(name);
      placed.push({ item, name, replaces: false });
      continue;
    }
    left = Math.max(0, left - 1);
    const answer = standing
      ? { choice: standing, forAll: true }
      : await ask({ name, isFolder: isDirectory, folder, more: left });
    if (!answer) return undefined;
    if (answer.forAll) standing = answer.choice;
    if (answer.choice === "skip") skipped += 1;
    else if (answer.choice === "replace") placed.push({ item, name, replaces: true });
    else {
      const free = freeName(name, isDirectory, taken);
      taken.add(free);
      placed.push({ item, name: free, replaces: false });
    }
  }
  return { placed, skipped };
}

/** Entries that cannot go into a folder: itself, or one below it. */
export const intoItself = (entries: readonly Pick<Entry, "path">[], target: string): boolean =>
  entries.some(({ path }) => isAtOrBelow(asFolder(target), path));
