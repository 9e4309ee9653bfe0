import { existsSync } from "node:fs";

/** What the operator calls a folder of the machine. */
export const FOLDER_ID = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Paths of open files, as Linux shows them to their process (proc(5)). Folders that others write to are reached by these. */
export const OPEN_FILES = "/proc/self/fd";

/** Reports whether this system can serve folders that others write to. */
export const canReach = (): boolean => existsSync(OPEN_FILES);

/** The permissions of new files and folders. */
export interface Modes {
  readonly file: number;
  readonly folder: number;
}

/** A folder of this machine that the operator lets administrators use as a storage. */
export interface NamedFolder {
  /** What a storage calls it, on every server that has it. */
  readonly id: string;
  readonly path: string;
  readonly readOnly: boolean;
}

/** The folders that may be used, and the permissions of what is made in them. */
export interface NamedFolders {
  readonly folders: readonly NamedFolder[];
  readonly modes: Modes;
}

/** Without FOLDERS, FOLDER_MODE and FOLDER_DIR_MODE. */
export const noFolders: NamedFolders = { folders: [], modes: { file: 0o644, folder: 0o755 } };
