import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "#contract/failures";
import type { Locks } from "../../lib/locks.ts";
import type { DiskTable } from "./disk-table.ts";
import type { Keeping } from "./keeping.ts";
import { isDenied } from "./paths.ts";
import type { Reach } from "./reach.ts";
import type { FlushFolders } from "./rename.ts";
import type { DiskSpace } from "./space.ts";

/** A bucket of the built-in store, as all that works on its files shares it. */
export interface DiskBucket {
  readonly name: string;
  /** The folder of all buckets. */
  readonly folder: string;
  /** The real path of its own folder. */
  readonly root: string;
  readonly table: DiskTable;
  /** Held by key during a change, so that the database's attributes stay with the file; a folder's key covers all below. */
  readonly locks: Locks;
  readonly flush: FlushFolders;
  readonly reach: Reach;
  /** Whether a body that waits in a file of the data folder can be renamed into it. */
  readonly besideSpool: boolean;
  readonly keeping: Keeping;
  /** Of the file system of the folder. */
  readonly space: DiskSpace;
}

/** Where files of a bucket wait until they are whole: on the file system of what they will be, so that a rename publishes them. */
export interface Area {
  /** A folder for what nobody sees yet, or no more; the next start empties it. */
  readonly incoming: string;
  /** Another, for unfinished uploads in parts. */
  readonly parts: string;
  /** Of their file system. */
  readonly space: DiskSpace;
}

/** The area for the file or the folder of a key. */
export type AreaOf = (key: string) => Area;

/** The real path of a folder beside the buckets. Makes it when it is missing. 502 storage.denied. */
export function ownFolder(folder: string, name: string): string {
  const path = join(folder, name);
  try {
    mkdirSync(path, { recursive: true });
    return realpathSync(path);
  } catch (error) {
    throw isDenied(error) ? new Failure("storage.denied") : error;
  }
}
