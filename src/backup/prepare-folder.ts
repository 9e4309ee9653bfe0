/** Looks, before backups go to a folder of the server, whether they can. */
import { constants, existsSync } from "node:fs";
import { access, mkdir, stat } from "node:fs/promises";
import { Failure, type FailureCode } from "#contract/failures";
import type { NamedFolder } from "../lib/named-folders.ts";
import { isWithinFolder } from "./destination.ts";

/** Milliseconds for an answer of the system: a disk in the network may give none. */
const PATIENCE = 10_000;

/** Folders that no backup may lie in. */
interface TakenFolders {
  /** Its files are backed up. */
  readonly objects: string;
  /** Storages may show them, so whoever reads there would read the backups. */
  readonly shared: readonly Pick<NamedFolder, "path">[];
}

const reasons: Readonly<Record<string, FailureCode>> = {
  ENOENT: "backup.folderMissing",
  ENOTDIR: "backup.folderFile",
  EEXIST: "backup.folderFile",
};

/**
 * Makes sure that there is a folder and that the server may write into it. Only the last of a path is made: where more is missing, a disk
 * is likely not mounted. 400 backup.folderMissing, backup.folderFile, backup.folderDenied, backup.folderWithin, backup.folderShared.
 */
export async function prepareFolder(folder: string, taken: TakenFolders): Promise<void> {
  const silent = Promise.withResolvers<never>();
  const timer = setTimeout(() => silent.reject(new Failure("backup.folderDenied")), PATIENCE);
  try {
    await Promise.race([prepare(folder, taken), silent.promise]);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(reasons[(error as NodeJS.ErrnoException).code ?? ""] ?? "backup.folderDenied");
  } finally {
    clearTimeout(timer);
  }
}

async function prepare(folder: string, { objects, shared }: TakenFolders): Promise<void> {
  const there = await isThere(folder);
  if (isWithinFolder(folder, objects)) throw new Failure("backup.folderWithin");
  if (shared.some(({ path }) => existsSync(path) && isWithinFolder(folder, path)))
    throw new Failure("backup.folderShared");
  if (!there) await mkdir(folder, { mode: 0o700 });
  await access(folder, constants.W_OK | constants.X_OK);
}

/** 400 backup.folderFile for a file. */
async function isThere(folder: string): Promise<boolean> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (found && !found.isDirectory()) throw new Failure("backup.folderFile");
  return found !== undefined;
}
