import { realpathSync } from "node:fs";
import { basename, isAbsolute, resolve, sep } from "node:path";
import type { Values } from "./config-values.ts";
import { canReach, FOLDER_ID, type NamedFolder, type NamedFolders } from "./lib/named-folders.ts";

/** Reads FOLDERS, FOLDER_MODE and FOLDER_DIR_MODE. */
export function readFolders({ given, check }: Values, dataDir: string, problems: string[]): NamedFolders {
  const entries = (given("FOLDERS") ?? "").split(",").flatMap((entry) => entry.trim() || []);
  const folders = entries.flatMap((entry) => folderOf(entry, problems) ?? []);
  for (const { id } of folders)
    if (folders.filter((one) => one.id === id).length > 1 && !problems.some((line) => line.includes(`"${id}"`)))
      problems.push(`FOLDERS names more than one folder "${id}".`);
  const data = realOf(dataDir);
  for (const { path } of folders)
    if (overlap(realOf(path), data))
      problems.push(`FOLDERS must leave the data folder alone: ${path} has to do with it.`);
  if (folders.length > 0 && !canReach()) problems.push("FOLDERS needs Linux, with /proc mounted.");
  return {
    folders,
    modes: {
      file: check(
        "FOLDER_MODE",
        given("FOLDER_MODE") ?? "644",
        mode(0o600),
        "an octal mode such as 640, with 6 for the owner",
      ),
      folder: check(
        "FOLDER_DIR_MODE",
        given("FOLDER_DIR_MODE") ?? "755",
        mode(0o700),
        "an octal mode such as 750, with 7 for the owner",
      ),
    },
  };
}

const WANTED =
  "FOLDERS must be PATH:NAME or PATH:NAME:ro, with commas between, where NAME has lowercase letters, digits and hyphens";

/** A folder as it is named; a problem is noted for what is none. The name is the last of the path unless one is given. */
function folderOf(entry: string, problems: string[]): NamedFolder | undefined {
  const parts = entry.split(":");
  const readOnly = parts.length > 1 && parts.at(-1) === "ro";
  if (readOnly) parts.pop();
  const id = parts.length > 1 ? (parts.pop() ?? "") : basename(parts.join(":"));
  const path = resolve(parts.join(":"));
  if (isAbsolute(parts.join(":")) && path !== sep && FOLDER_ID.test(id)) return { id, path, readOnly };
  problems.push(`${WANTED}: ${entry} is none.`);
  return undefined;
}

/** Reads the permissions of a file or folder, which its owner needs in any case. */
const mode = (own: number) => (text: string) => {
  const value = Number.parseInt(text, 8);
  return /^0?[0-7]{3}$/.test(text) && (value & own) === own ? value : undefined;
};

/** The real path, or the given one where nothing is yet. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

const overlap = (one: string, other: string): boolean =>
  `${one}${sep}`.startsWith(`${other}${sep}`) || `${other}${sep}`.startsWith(`${one}${sep}`);
