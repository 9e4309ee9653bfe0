import { Database as Engine, SQLiteError } from "bun:sqlite";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { randomToken } from "./secret.ts";

/** The database of a data folder. */
export const databaseFile = ({ dataDir }: { readonly dataDir: string }): string => join(dataDir, "satchel.db");

/** Whether a file is there and not empty. */
export const hasBytes = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;

/** Makes the folder when it is missing. */
export function openDataFolder(folder: string): void {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/**
 * Refuses a second server on the same folder: an exclusive transaction on a separate file, whose lock the kernel frees
 * however the process ends. Throws if another process holds it.
 */
export const lockDataFolder = (folder: string): { release(): void } =>
  lockFolder(folder, "satchel.lock", `Another Satchel is running on the data folder ${folder}.`);

/** Holds a lock of a folder, which the kernel frees however the process ends. Throws an Error with these words if another process holds it. */
export function lockFolder(folder: string, name: string, held: string): { release(): void } {
  const engine = new Engine(join(folder, name), { create: true });
  try {
    // Without a journal it writes nothing, which a full disk would refuse.
    engine.exec("pragma busy_timeout = 0; pragma journal_mode = memory; begin exclusive");
  } catch (error) {
    engine.close();
    if (!(error instanceof SQLiteError) || error.code !== "SQLITE_BUSY") throw error;
    throw new Error(held);
  }
  return { release: () => engine.close() };
}

const SHORTEST_SECRET = 16;

/**
 * The server's secret: the configured one, or the one in the folder, readable by its owner only, which is made unless `inUse` says that
 * something was made with another. Throws an Error with a sentence for the operator when it is missing, or too short to be one, as a
 * file that was cut off is.
 */
export function readSecret(folder: string, configured: string | undefined, inUse: boolean): string {
  if (configured) return configured;
  const file = join(folder, "secret.key");
  if (!existsSync(file)) {
    if (inUse) throw new Error(`The secret key is missing: there is no ${file}, and SECRET_KEY is not set. ${RESTORE}`);
    makeSecret(file);
  }
  const secret = readFileSync(file, "utf8").trim();
  if (secret.length >= SHORTEST_SECRET) return secret;
  throw new Error(`The secret in ${file} is cut off. ${RESTORE}`);
}

const RESTORE = "Nothing was changed. Restore it from a backup, or set SECRET_KEY to what it was.";

/** Written aside, flushed to the disk and renamed, so that a power cut leaves no half of it. */
function makeSecret(file: string): void {
  writeFileSync(`${file}.new`, `${randomToken(32)}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}

/** Reports whether there is a file in a folder, or in one below. A missing folder has none. */
export const holdsFiles = (folder: string): boolean =>
  existsSync(folder) &&
  readdirSync(folder, { withFileTypes: true }).some(
    (entry) => !entry.isDirectory() || holdsFiles(join(folder, entry.name)),
  );

/** The file system of a folder, in bytes. */
export interface Volume {
  readonly size: number;
  /** Bytes that an unprivileged process may still write. */
  readonly free: number;
}

/** Reads how full the file system of a folder is (statfs(2)). Throws when the folder is not there. */
export type ReadVolume = (folder: string) => Volume;

/** Synchronous, so that no request is admitted between reading and deciding; it takes microseconds. */
export const readVolume: ReadVolume = (folder) => {
  const { bsize, blocks, bavail } = statfsSync(folder);
  return { size: blocks * bsize, free: bavail * bsize };
};
