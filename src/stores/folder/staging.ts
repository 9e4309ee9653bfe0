import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { STAGING } from "#contract/paths";
import type { ReadVolume } from "../../lib/data-folder.ts";
import { OPEN_FILES } from "../../lib/named-folders.ts";
import type { Area } from "../disk/bucket.ts";
import { isConflict, isMissing, pathOfKey } from "../disk/paths.ts";
import type { Reach } from "../disk/reach.ts";
import { createDiskSpace } from "../disk/space.ts";
import { createFileSystems } from "./file-systems.ts";

/** The folder that is there while something is written. Its name begins as all do that no list shows and no key may have. */
const WRITES = `${STAGING}writes`;
const NAMES = ["incoming", "parts"] as const;

/** Folders that are held open while something is in them. */
interface Opened {
  readonly top: string;
  readonly incoming: number;
  readonly parts: number;
  readonly area: Area;
}

/** Something that a process which has ended left behind. */
export interface LeftBehind {
  readonly kind: (typeof NAMES)[number];
  readonly name: string;
  /** Epoch milliseconds. */
  readonly modified: number;
}

interface StagingOptions {
  readonly root: string;
  readonly reach: Reach;
  readonly volume: ReadVolume | undefined;
  /** Called before something is written on a file system for the first time, with what is there already. */
  readonly found: (top: string, left: readonly LeftBehind[]) => void;
}

/**
 * Where files wait until they are whole. A rename has to publish them, so each file system has a place of its own, in the topmost folder
 * on it: that of the root, and of every disk that is mounted below. It is made for a write and goes after it, so that nothing of ours
 * stays among the files; unfinished uploads in parts keep it.
 */
export function createStaging({ root, reach, volume, found }: StagingOptions) {
  const fileSystems = createFileSystems(root, reach);
  const opened = new Map<string, Opened>();
  /** File systems that were looked at since this process began. */
  const known = new Set<string>();
  let uses = 0;

  const openOne = (path: string): number => {
    reach.makeFolders(path);
    return reach.folder(path, (at) => openSync(at, constants.O_RDONLY | constants.O_DIRECTORY));
  };

  const open = (top: string): Opened => {
    const incoming = openOne(join(top, WRITES, "incoming"));
    try {
      const parts = openOne(join(top, WRITES, "parts"));
      const [folder, other] = [incoming, parts].map((file) => `${OPEN_FILES}/${file}`) as [string, string];
      const space = createDiskSpace({ folder: top === root ? root : folder, volume });
      return { top, incoming, parts, area: { incoming: folder, parts: other, space } };
    } catch (error) {
      closeSync(incoming);
      throw error;
    }
  };

  const close = ({ top, incoming, parts }: Opened): void => {
    closeSync(incoming);
    closeSync(parts);
    for (const path of [...NAMES.map((name) => join(top, WRITES, name)), join(top, WRITES)]) removeIfEmpty(reach, path);
  };

  /** Looks once at what was left on a file system, before anything is written there. */
  const look = (top: string): void => {
    if (known.has(top)) return;
    known.add(top);
    const left = NAMES.flatMap((kind) => namesIn(reach, join(top, WRITES, kind)).map((one) => ({ kind, ...one })));
    if (left.length > 0) found(top, left);
  };

  /** The area of a file system whose topmost folder this is. */
  const areaAt = (top: string, fileSystem: string): Area => {
    if (uses === 0) throw new Error("Nothing is being written.");
    look(top);
    const name = `${fileSystem} ${top}`;
    const before = opened.get(name);
    if (before && isThere(before)) return before.area;
    opened.delete(name);
    if (before) close(before);
    const now = open(top);
    opened.set(name, now);
    return now.area;
  };

  const enter = (): void => {
    uses += 1;
  };

  const leave = (): void => {
    uses -= 1;
    if (uses > 0) return;
    const all = [...opened.values()];
    opened.clear();
    for (const one of all) close(one);
  };

  return {
    /** The area for what is to be at a key. */
    areaOf(key: string): Area {
      const { top, fileSystem } = fileSystems.of(dirname(pathOfKey(root, key)));
      return areaAt(top, fileSystem);
    },

    /** The area of a topmost folder that `found` was called with. */
    areaAt: (top: string): Area => areaAt(top, fileSystems.of(top).fileSystem),

    enter,
    leave,

    /** Does something that writes. */
    async during<Result>(work: () => Promise<Result>): Promise<Result> {
      enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },

    /** Looks at all file systems that are mounted, for what was left there. */
    async lookAround(): Promise<void> {
      for (const top of fileSystems.tops()) look(top);
    },
  };
}

/** Whether the folders of an area still are in the tree: who tidies a folder may have removed them. */
const isThere = ({ incoming, parts }: Opened): boolean => [incoming, parts].every((file) => fstatSync(file).nlink > 0);

export type Staging = ReturnType<typeof createStaging>;

function removeIfEmpty(reach: Reach, path: string): void {
  try {
    reach.entry(path, rmdirSync);
  } catch (error) {
    if (!isMissing(error) && !isConflict(error)) throw error;
  }
}

function namesIn(reach: Reach, path: string): { name: string; modified: number }[] {
  try {
    return reach.folder(path, (at) =>
      readdirSync(at).map((name) => ({ name, modified: lstatSync(`${at}/${name}`).mtimeMs })),
    );
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
