import type { Change, MovedChange } from "../transfers/changes.ts";
import type { Place } from "../transfers/transfers.ts";
import { parentKey } from "./listing.ts";
import { folderAt, namesOf, nodeAt } from "./search-keys.ts";
import type { FileFacts, Sheet } from "./search-sheet.ts";

/** Applies what happened to objects; answers the storage that has to be built anew when it told of something unknown. */
export async function applyChange(sheet: Sheet, change: Change): Promise<string | undefined> {
  switch (change.kind) {
    case "written":
      await write(sheet, change.at, change.file);
      return undefined;
    case "made":
      await folderAt(sheet, change.at.storage, change.at.key);
      return undefined;
    case "removed":
      await remove(sheet, change.at);
      return undefined;
    case "moved":
      return await move(sheet, change);
  }
}

const lastName = (key: string): string => namesOf(key).at(-1) ?? "";

async function write(sheet: Sheet, { storage, key }: Place, { size, modified }: FileFacts): Promise<void> {
  // The object of a folder's own key says no more than that there is the folder.
  if (key.endsWith("/") || key === "") return void (await folderAt(sheet, storage, key));
  const folder = await folderAt(sheet, storage, parentKey(key));
  const before = await sheet.find(folder.id, lastName(key));
  if (before?.size === size && before.modified === modified) return;
  if (before) await sheet.replace(before, folder, { size, modified });
  else await sheet.add(folder, lastName(key), { size, modified });
  await sheet.grow(folder.id, size - (before?.size ?? 0), before ? 0 : 1);
}

async function remove(sheet: Sheet, { storage, key }: Place): Promise<void> {
  const node = key === "" ? undefined : await nodeAt(sheet.find, storage, key);
  if (node) await sheet.remove(node);
}

async function move(sheet: Sheet, { from, to, again }: MovedChange): Promise<string | undefined> {
  if (again && !to.key.endsWith("/") && (await nodeAt(sheet.find, to.storage, to.key)))
    return void (await remove(sheet, from));
  const node = from.key === "" ? undefined : await nodeAt(sheet.find, from.storage, from.key);
  const fits = to.key !== "" && from.key.endsWith("/") === to.key.endsWith("/");
  if (node && from.storage === to.storage && fits) {
    // A folder that went into itself is nothing that can have happened.
    if (to.key.startsWith(from.key) && from.key.endsWith("/")) return to.storage;
    await remove(sheet, to);
    const folder = await folderAt(sheet, to.storage, parentKey(to.key));
    const current = await sheet.at(node.id);
    if (current) await sheet.move(current, folder, lastName(to.key));
    return undefined;
  }
  await remove(sheet, from);
  if (node && node.modified !== null && fits) {
    await write(sheet, to, { size: node.size, modified: node.modified });
    return undefined;
  }
  // Nobody knows what came with it.
  await remove(sheet, to);
  if (to.key.endsWith("/")) await folderAt(sheet, to.storage, to.key);
  return to.storage;
}
