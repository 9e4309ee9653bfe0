import { Database as Engine, SQLiteError } from "bun:sqlite";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { randomToken } from "./secret.ts";

/** The database of a data folder. */
export const databaseFile = ({ dataDir }: { readonly dataDir: string }): string => join(dataDir, "satchel.db");

/** Whether a file is there and not empty. */
export const hasBytes = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;

/** What keeps this user from a folder, and what to do about it; a sentence each. */
interface Obstacle {
  readonly found: string;
  readonly advice: string;
}

/** What keeps this user from using a folder for data, or from making it; undefined when nothing does. */
export function obstacleOf(folder: string): Obstacle | undefined {
  const path = resolve(folder);
  const above = nearest(path);
  const stat = statSync(above);
  if (!stat.isDirectory())
    return { found: `${above} is not a folder.`, advice: "Name another with --data or DATA_DIR." };
  if (mayWrite(above)) return undefined;
  if (above !== path)
    return {
      found: `${path} is not there, and this user may not make it.`,
      advice: `Make it, or let this user write to ${above}.`,
    };
  const user = process.getuid?.();
  return {
    found: `This user (${user}) may not write to ${path}, which belongs to ${stat.uid} (${modeOf(stat.mode)}).`,
    advice: `Run this as user ${stat.uid}, or give the folder to this one: chown -R ${user} ${path}`,
  };
}

/** The permissions of a file as chmod takes them. */
export const modeOf = (mode: number): string => (mode & 0o777).toString(8).padStart(4, "0");

/** The nearest folder above that is there. */
export const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)));

const mayWrite = (folder: string): boolean => {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    // What keeps it from being written is said with its owner and mode.
    return false;
  }
};

/** Makes the folder when it is missing. Throws a sentence for the operator when this user may not use it. */
export function openDataFolder(folder: string): void {
  const obstacle = obstacleOf(folder);
  if (obstacle) throw new Error(`The data folder cannot be used. ${obstacle.found} ${obstacle.advice}`);
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
