import { statSync } from "node:fs";
import { Failure } from "#contract/failures";
import { DISK_RESERVE, DISK_RESERVE_SHARE, sizeText } from "#contract/limits";
import { type ReadVolume, readVolume } from "../../lib/data-folder.ts";

/** Bytes that a body of unknown size reserves ahead, and the largest share of the free bytes that it reserves so. */
const AHEAD = 8 * 1024 * 1024;
const AHEAD_SHARE = 1 / 16;
/** The share of the reserve that writes to the database may not use. */
const DATABASE_SHARE = 1 / 2;

interface DiskSpaceOptions {
  /** Any folder of the file system. */
  readonly folder: string;
  readonly volume?: ReadVolume | undefined;
}

/** Disk space reserved for a write. Disposing of it ends the reservation. */
export interface HeldSpace extends Disposable {
  /**
   * Reserves so many bytes in all, and up to 8 MiB ahead so that not every chunk needs a call. Returns how many it
   * reserved. Throws 507 storage.full and keeps the reservation as it was if the bytes do not fit.
   */
  grow(bytes: number): number;
}

interface Write {
  /** The file that grows; undefined when its size does not say how much was written. */
  readonly path: string | undefined;
  bytes: number;
}

/**
 * Tracks the free space of a file system. Files cannot use a reserve, so that SQLite can still write when they have filled the rest:
 * people can sign in and delete. Everything here is synchronous, so two writes never count on the same bytes.
 */
export function createDiskSpace({ folder, volume = readVolume }: DiskSpaceOptions) {
  const writes = new Set<Write>();
  /** Bytes that running writes have reserved, whatever they have written of them. */
  let reserved = 0;

  const reserve = (write: Write, bytes: number): void => {
    reserved += bytes - write.bytes;
    write.bytes = bytes;
  };

  /** Free bytes above a share of the reserve; below 0 when that is used. */
  const above = (share: number): number => {
    const { size, free } = volume(folder);
    return free - Math.floor(share * Math.min(DISK_RESERVE, size * DISK_RESERVE_SHARE));
  };

  /** Bytes that running writes have reserved and not written yet. */
  const outstanding = (but?: Write): number => {
    let bytes = 0;
    for (const write of writes) if (write !== but) bytes += Math.max(0, write.bytes - writtenOf(write));
    return bytes;
  };

  const refuse = (bytes: number, free: number): never => {
    throw new Failure("storage.full", { size: sizeText(bytes), free: sizeText(Math.max(0, free)), bound: "disk" });
  };

  /** Reserves so many bytes for a write and answers how many more would fit at least. 507 storage.full. */
  const admit = (write: Write, bytes: number): number => {
    const free = above(1);
    // Too little by what the writes have written, which is not free any more: to ask the system of each costs more than a small write.
    let left = free - (reserved - write.bytes) - bytes;
    if (left < 0) {
      const beside = free - outstanding(write);
      left = beside - (bytes - writtenOf(write));
      if (left < 0) refuse(bytes, beside);
    }
    reserve(write, bytes);
    return left;
  };

  const admitAhead = (write: Write, bytes: number): number => {
    const left = admit(write, bytes);
    reserve(write, bytes + Math.min(AHEAD, Math.floor(left * AHEAD_SHARE)));
    return write.bytes;
  };

  return {
    /** Bytes of the whole file system. */
    capacity: (): number => volume(folder).size,

    /** Bytes that files may still use; 0 when only the reserve is left. */
    free: (): number => Math.max(0, above(1) - outstanding()),

    /** Reports whether only the reserve is left, so that no file can be written. */
    isUsedUp: (): boolean => above(1) <= 0,

    /** Reserves space for a file of so many bytes. Bytes already written at the path count once. 507 storage.full. */
    hold(path: string | undefined, bytes: number): HeldSpace {
      const write = { path, bytes: 0 };
      admit(write, bytes);
      writes.add(write);
      return {
        grow: (more) => admitAhead(write, more),
        [Symbol.dispose]() {
          if (writes.delete(write)) reserve(write, 0);
        },
      };
    },

    /**
     * Throws 507 storage.full for a write that would make the database grow into the lower half of the reserve, which deleting and
     * signing in need. SQLite writes the bytes twice, to the WAL and at the checkpoint (sqlite.org, "Write-Ahead Logging").
     */
    requireForDatabase(bytes: number): void {
      const free = above(DATABASE_SHARE);
      if (2 * bytes > free) refuse(bytes, free);
    },
  };
}

const writtenOf = ({ path }: Write): number =>
  path === undefined ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);

export type DiskSpace = ReturnType<typeof createDiskSpace>;
