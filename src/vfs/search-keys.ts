import type { Sheet } from "./search-sheet.ts";
import type { NodeRow } from "./search-table.ts";

/** The names that a key consists of; those of folders keep their slash. Whatever S3 takes for a key comes out whole again. */
export function namesOf(key: string): string[] {
  const names: string[] = [];
  for (let begin = 0; begin < key.length; ) {
    const slash = key.indexOf("/", begin);
    const end = slash < 0 ? key.length : slash + 1;
    names.push(key.slice(begin, end));
    begin = end;
  }
  return names;
}

/** The first name of a key below a folder. */
export function nameBelow(folder: string, key: string): string {
  const slash = key.indexOf("/", folder.length);
  return slash < 0 ? key.slice(folder.length) : key.slice(folder.length, slash + 1);
}

/** What root nodes lie in. */
const NOWHERE = { id: 0, storage: 0 };

/** The node of a folder; made with all above it when it is missing. */
export async function folderAt(sheet: Sheet, storage: string, key: string): Promise<NodeRow> {
  let folder = (await sheet.find(0, storage)) ?? (await sheet.add(NOWHERE, storage));
  for (const name of namesOf(key)) folder = (await sheet.find(folder.id, name)) ?? (await sheet.add(folder, name));
  return folder;
}

/** The node of a key; of the storage itself for an empty one. */
export async function nodeAt(find: Sheet["find"], storage: string, key: string): Promise<NodeRow | undefined> {
  let node = await find(0, storage);
  for (const name of namesOf(key)) node = node && (await find(node.id, name));
  return node;
}
