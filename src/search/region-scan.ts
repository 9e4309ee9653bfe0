import { compareBytes } from "#contract/paths";
import { createPace, createYielder } from "../lib/turns.ts";
import type { FoundNode, FoundTable } from "./nodes-table.ts";
import type { Region } from "./scope.ts";

/** Finds at most so many nodes of one region; undefined when it has too many folders. */
type ScanRegion = (words: readonly string[], region: Region, most: number) => Promise<FoundNode[] | undefined>;

/** Folders that are looked through at most. */
const MANY_FOLDERS = 2000;

export const createRegionScan = (table: FoundTable): ScanRegion =>
  table.engine === "postgres" ? inTwoStatements(table) : byFolders(table);

/** Asks for all folders, and then for what is in them, because each statement is a way to the database and back. */
function inTwoStatements(table: FoundTable): ScanRegion {
  return async (words, { folder, except }, most) => {
    const below = await table.foldersBelow(folder.id, [...except], MANY_FOLDERS + 1);
    if (below.length > MANY_FOLDERS) return undefined;
    const children = Map.groupBy(below, ({ parent }) => parent);
    const folders = [folder.id];
    for (const one of folders) {
      const inside = (children.get(one) ?? []).toSorted((left, right) => compareBytes(left.name, right.name));
      folders.push(...inside.map(({ id }) => id));
    }
    const found = await table.matchingIn(folders, words, most);
    return found.filter(({ id }) => !except.has(id));
  };
}

/** Looks through one folder after the other, in slices that let other work run. */
function byFolders(table: FoundTable): ScanRegion {
  const names = createPace({ first: 2000, least: 200, most: 8000 });
  return async (words, { folder, except }, most) => {
    const yielder = createYielder();
    const folders = [folder.id];
    const found: FoundNode[] = [];
    for (const one of folders) {
      for (let after: string | undefined = ""; after !== undefined && found.length < most; ) {
        const begin: string = after;
        const count = names.count();
        const end = await table.nameAfter(one, begin, count);
        const rows = await names.measure(end === undefined ? 0 : count, () =>
          table.matchingChildren(one, begin, end, words),
        );
        const inside = rows.filter(({ id }) => !except.has(id));
        folders.push(...inside.filter(({ modified }) => modified === null).map(({ id }) => id));
        found.push(...inside.filter(({ folded }) => words.every((word) => folded.includes(word))));
        after = end;
        await yielder.yieldIfDue();
      }
      if (folders.length > MANY_FOLDERS) return undefined;
    }
    return found;
  };
}
