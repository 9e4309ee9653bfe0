import { asFolder, isAtOrBelow } from "../../../lib/folder-path.ts";
import type { Entry } from "./entry.ts";
import { freeName } from "./entry.ts";

/** What to do if a name is taken. */
export type Choice = "replace" | "both" | "skip";

/** What tells two files of one name apart; what nobody knows is undefined. */
export interface FileFacts {
  readonly size?: number | undefined;
  /** An ISO time, or epoch milliseconds. */
  readonly modified?: string | number | null | undefined;
}

/** A name that is taken in the target folder. */
export interface Conflict {
  readonly name: string;
  /** What comes, and what is there. */
  readonly coming?: FileFacts | undefined;
  readonly there?: FileFacts | undefined;
  readonly isFolder: boolean;
  readonly folder: string;
  /** How many more conflicts follow. */
  readonly more: number;
}

/** The person's choice, for this conflict or for all that follow; undefined cancels everything. */
export type Answer = { readonly choice: Choice; readonly forAll: boolean } | undefined;
export type Ask = (conflict: Conflict) => Promise<Answer>;

/** Something that is to be put into a folder. */
export interface IncomingItem extends FileFacts {
  readonly name: string;
  readonly isDirectory: boolean;
}

/** The name that an item gets, and whether it replaces what has that name. */
export interface Placed<Item> {
  readonly item: Item;
  readonly name: string;
  readonly replaces: boolean;
}

interface Resolving<Item extends IncomingItem> {
  readonly folder: string;
  readonly coming: readonly Item[];
  /** The names in the folder, with what has them. */
  readonly taken: ReadonlyMap<string, FileFacts>;
  readonly ask: Ask;
}

/** Resolves conflicts of names, one after the other; undefined if the person cancels. */
export async function settle<Item extends IncomingItem>(
  given: Resolving<Item>,
): Promise<{ readonly placed: readonly Placed<Item>[]; readonly skipped: number } | undefined> {
  const { folder, coming, ask } = given;
  const taken = new Set(given.taken.keys());
  const placed: Placed<Item>[] = [];
  let left = coming.filter(({ name }) => taken.has(name)).length;
  let skipped = 0;
  let choiceForAll: Choice | undefined;
  for (const item of coming) {
    const { name, isDirectory } = item;
    if (!taken.has(name)) {
      taken.add(name);
      placed.push({ item, name, replaces: false });
      continue;
    }
    left = Math.max(0, left - 1);
    const answer = choiceForAll
      ? { choice: choiceForAll, forAll: true }
      : await ask({ name, coming: item, there: given.taken.get(name), isFolder: isDirectory, folder, more: left });
    if (!answer) return undefined;
    if (answer.forAll) choiceForAll = answer.choice;
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

/** Reports whether the target is one of these folders, or below one. */
export const intoItself = (entries: readonly Pick<Entry, "path">[], target: string): boolean =>
  entries.some(({ path }) => isAtOrBelow(asFolder(target), path));
