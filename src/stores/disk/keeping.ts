import { appendFileSync, existsSync, linkSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { lockFolder } from "../../lib/data-folder.ts";
import { stampOf } from "./attributes.ts";
import { BACKUP, isMissing, statNow } from "./paths.ts";

/**
 * What a server leaves for a backup that runs beside it. The backup copies the objects of one moment, which takes hours, while the server
 * goes on changing them. As long as the folder of the backup is there, a file that loses its name gets another one in it (a hard link, so no
 * byte is copied), a folder that is removed goes there whole, and whatever moves is written down. The backup removes the folder
 * when it ends; of one that was killed, the next start or sweep does.
 */
export interface Keeping {
  /** Called right before the file at a path loses its name. A path without a file is passed over. */
  keep(path: string): void;
  /** Called right before a file or a folder moves, or, without a target, right before an empty folder goes. */
  moving(from: string, to?: string): void;
  /** Where a folder that is removed has to go; undefined when no backup runs. */
  folderAside(): string | undefined;
}

/** Names of what is in the folder of a backup. */
export const KEPT = { files: "files", folders: "folders", moves: "moves.jsonl" } as const;

/** The name of a kept file: that of no other file that was or will be there. */
export const keptName = (stamp: string): string => stamp.replace(":", "-");

/** One move, with the paths as the server knows them; without a target an empty folder has gone. */
export interface MoveNote {
  readonly from: string;
  readonly to?: string | undefined;
}

/** The folder of the backup that runs on the folder of all buckets. */
const backupFolder = (folder: string): string => join(folder, BACKUP);

/** Keeps for a backup what loses its name below the folder of all buckets. It costs one look at the disk when no backup runs. */
export function createKeeping(folder: string): Keeping {
  const aside = backupFolder(folder);
  const isOn = (): boolean => existsSync(aside);

  return {
    keep(path) {
      if (!isOn()) return;
      const stat = statNow(path);
      if (stat?.isFile()) unlessEnded(() => linkSync(path, join(aside, KEPT.files, keptName(stampOf(stat)))));
    },

    moving(from, to) {
      const note: MoveNote = { from, to };
      if (isOn()) unlessEnded(() => appendFileSync(join(aside, KEPT.moves), `${JSON.stringify(note)}\n`));
    },

    folderAside: () => (isOn() ? join(aside, KEPT.folders, Bun.randomUUIDv7()) : undefined),
  };
}

/** The backup may end, and with it its folder, at any moment; a file that it has already stays as it is. */
function unlessEnded(note: () => void): void {
  try {
    note();
  } catch (error) {
    if (!isMissing(error) && !(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

/** A backup that holds the folder of all buckets. */
interface BackupHold extends Disposable {
  /** Where servers keep for it what it still has to read; it may put its own temporary files there too. */
  readonly folder: string;
}

const HELD = "Another backup of this data folder is running.";

/**
 * Has every server on the folder of all buckets keep what a backup has to read, until this is disposed of. Throws a sentence for the operator when another
 * backup runs, and for a disk without hard links.
 */
export function holdForBackup(folder: string): BackupHold {
  mkdirSync(folder, { recursive: true });
  const lock = lockFolder(folder, LOCK, HELD);
  const aside = backupFolder(folder);
  try {
    rmSync(aside, { recursive: true, force: true });
    for (const name of [KEPT.files, KEPT.folders]) mkdirSync(join(aside, name), { recursive: true });
    appendFileSync(join(aside, KEPT.moves), "");
    requireLinks(aside);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    lock.release();
    throw error;
  }
  return {
    folder: aside,
    [Symbol.dispose]() {
      rmSync(aside, { recursive: true, force: true });
      lock.release();
    },
  };
}

/** Beside the buckets; the kernel frees it however the backup ends. */
const LOCK = ".backup.lock";

function requireLinks(aside: string): void {
  try {
    linkSync(join(aside, KEPT.moves), join(aside, "link"));
    rmSync(join(aside, "link"));
  } catch (error) {
    if (
      !(
        error instanceof Error &&
        "code" in error &&
        ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(`${error.code}`)
      )
    )
      throw error;
    throw new Error("The disk of the data folder has no hard links, which a backup needs.");
  }
}

/** Removes what a killed backup has left. Returns 1 when there was something, as sweeps do, and 0 while a backup runs. */
export function clearKept(folder: string): number {
  if (!existsSync(backupFolder(folder))) return 0;
  let lock: { release(): void };
  try {
    lock = lockFolder(folder, LOCK, HELD);
  } catch (error) {
    if (error instanceof Error && error.message === HELD) return 0;
    throw error;
  }
  try {
    rmSync(backupFolder(folder), { recursive: true, force: true });
    return 1;
  } finally {
    lock.release();
  }
}
