import { statSync } from "node:fs";
import { Failure } from "#contract/failures";
import { DISK_RESERVE, DISK_RESERVE_SHARE, sizeText } from "#contract/limits";
import { type ReadVolume, readVolume } from "../../lib/data-folder.ts";

/** Bytes that a body reserves before they have come, and the largest share of the free bytes that it reserves so. */
const AHEAD = 8 * 1024 * 1024;
const AHEAD_SHARE = 1 / 16;
/** How long a body may go on as fast as it came so far, and have the room for that, in milliseconds; and how long it comes before its speed is known. */
const [FORESEEN, KNOWN_AFTER] = [60_000, 1000];
/** How long the file of a body that was refused may still be there, in milliseconds. */
const LEAVING = 1000;
/** The share of the reserve that writes to the database may not use. */
const DATABASE_SHARE = 1 / 2;

interface DiskSpaceOptions {
  /** Any folder of the file system. */
  readonly folder: string;
  readonly volume?: ReadVolume | undefined;
  /** Milliseconds; for tests. */
  readonly elapsed?: () => number;
}

/** Disk space for a body that somebody sends. Disposing of it ends the reservation. */
export interface ArrivingSpace extends Disposable {
  /** Whether all of the body is reserved until the end, however slowly it comes; of one of unknown size nobody can say so. */
  readonly isWhole: boolean;
  /** Says how many bytes have come. 507 storage.full when the disk has no room for those. */
  reached(bytes: number): void;
}

interface Write {
  /** Reserved, with those that are written. */
  bytes: number;
  /** Bytes that are written. */
  readonly written: () => number;
  /** Bytes that whoever sends them is expected to need by now; undefined for one that keeps what it has reserved. */
  readonly needed?: () => number;
}

/** What running writes have reserved of a file system. Everything here is synchronous, so two writes never count on the same bytes. */
function createLedger({ folder, volume = readVolume, elapsed = () => performance.now() }: DiskSpaceOptions) {
  const writes = new Set<Write>();
  /** Bytes of bodies that were refused, whose files go at once, and until when they may be there. */
  let leaving: { readonly bytes: number; readonly until: number }[] = [];
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

  /** Bytes that running writes have reserved and not written yet. One that waits for its sender keeps what it is expected to need. */
  const outstanding = (but?: Write): number => {
    let bytes = 0;
    for (const write of writes) {
      if (write === but) continue;
      reserve(write, Math.min(write.bytes, write.needed?.() ?? write.bytes));
      bytes += Math.max(0, write.bytes - write.written());
    }
    return bytes;
  };

  /** Bytes that are free again as soon as the files of refused bodies are gone. */
  const soonFree = (): number => {
    leaving = leaving.filter(({ until }) => until > elapsed());
    return leaving.reduce((sum, { bytes }) => sum + bytes, 0);
  };

  const refuse = (bytes: number, free: number): never => {
    throw new Failure("storage.full", { size: sizeText(bytes), free: sizeText(Math.max(0, free)), bound: "disk" });
  };

  /** Reserves so many bytes for a write and answers how many more would fit at least. 507 storage.full. */
  const admit = (write: Write, bytes: number): number => {
    // Too little by what the writes have written, which is not free any more: to ask the system of each costs more than a small write.
    let left = above(1) - (reserved - write.bytes) - bytes;
    if (left < 0) {
      const free = above(1) - outstanding(write);
      left = free - (bytes - write.written());
      if (left < 0) refuse(bytes, free);
    }
    reserve(write, bytes);
    return left;
  };

  /** Reserves what a body of so many bytes needs by now, or what is left of that. 507 storage.full when what has come of it has no room. */
  const admitArriving = (write: Write, length: number): void => {
    const needed = write.needed?.() ?? length;
    // Whoever looks at a file may be late.
    if (needed <= write.bytes || !writes.has(write)) return;
    if (needed - write.bytes <= above(1) - reserved) {
      reserve(write, needed);
      return;
    }
    const come = write.written();
    const free = above(1) - outstanding(write);
    if (free + soonFree() < 0) {
      // Of several that go beyond the disk together one goes, so that there is room for the others.
      leaving.push({ bytes: come, until: elapsed() + LEAVING });
      refuse(length, free);
    }
    reserve(write, Math.min(needed, come + Math.max(0, free)));
  };

  const begin = (write: Write): Disposable => {
    writes.add(write);
    return {
      [Symbol.dispose]() {
        if (writes.delete(write)) reserve(write, 0);
      },
    };
  };

  return { above, outstanding, refuse, reserve, admit, admitArriving, begin, elapsed };
}

type Ledger = ReturnType<typeof createLedger>;

const createArriving = ({ elapsed, reserve, admit, admitArriving, begin }: Ledger) => ({
  /**
   * Reserves space for a body of so many bytes, which must fit now; but few of them before it comes, because some who say much and send nothing would
   * keep everybody else from the disk. From then on it has as much again as has come, so that nobody takes the room of one that is half there, and what comes
   * in a minute at its speed. 507 storage.full.
   */
  arriving(length: number): ArrivingSpace {
    let [come, first] = [0, 0];
    const began = elapsed();
    const factor = () => Math.max(1, FORESEEN / Math.max(KNOWN_AFTER, elapsed() - began));
    const needed = () => Math.min(length, come + Math.max(first, come * factor()));
    const write: Write = { bytes: 0, written: () => come, needed };
    first = aheadOf(admit(write, length) + length);
    reserve(write, Math.min(length, first));
    return {
      isWhole: first >= length,
      reached(bytes) {
        come = bytes;
        admitArriving(write, length);
      },
      ...begin(write),
    };
  },

  /** Reserves space for a body of unknown size as it comes, and some ahead so that not every chunk needs a call. 507 storage.full. */
  growing(): ArrivingSpace {
    let come = 0;
    const write: Write = { bytes: 0, written: () => come };
    admit(write, 0);
    return {
      isWhole: false,
      reached(bytes) {
        if (bytes > write.bytes) reserve(write, bytes + aheadOf(admit(write, bytes)));
        come = bytes;
      },
      ...begin(write),
    };
  },
});

/**
 * Tracks the free space of a file system. Files cannot use a reserve, so that SQLite can still write when they have filled the rest:
 * people can sign in and delete.
 */
export function createDiskSpace(options: DiskSpaceOptions) {
  const { folder, volume = readVolume } = options;
  const ledger = createLedger(options);
  const { above, outstanding, refuse, admit, begin } = ledger;

  return {
    /** Bytes of the whole file system. */
    capacity: (): number => volume(folder).size,

    /** Bytes that files may still use; 0 when only the reserve is left. */
    free: (): number => Math.max(0, above(1) - outstanding()),

    /** Reports whether only the reserve is left, so that no file can be written. */
    isUsedUp: (): boolean => above(1) <= 0,

    /** Reserves space for a file of so many bytes until it is disposed of. Bytes already written at the path count once. 507 storage.full. */
    hold(path: string | undefined, bytes: number): Disposable {
      const write = { bytes: 0, written: () => sizeAt(path) };
      admit(write, bytes);
      return begin(write);
    },

    ...createArriving(ledger),

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

const aheadOf = (free: number): number => Math.min(AHEAD, Math.floor(free * AHEAD_SHARE));

const sizeAt = (path: string | undefined): number =>
  path === undefined ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);

export type DiskSpace = ReturnType<typeof createDiskSpace>;
