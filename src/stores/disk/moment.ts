import { type BigIntStats, readFileSync } from "node:fs";
import { type FileHandle, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { stampOf } from "./attributes.ts";
import { KEPT, keptName, type MoveNote } from "./keeping.ts";
import { isMissing, isSegment, isShortKey, pathOfKey, statNow } from "./paths.ts";
import type { FoundFile } from "./read-opened.ts";

/** A file of the built-in storage as the database knew it at one moment. */
export interface KnownFile {
  readonly bucket: string;
  readonly key: string;
  /** Of the attributes: the inode and the time of the file. */
  readonly stamp: string;
}

type FileName = Pick<KnownFile, "bucket" | "key">;

interface MomentOptions {
  /** The real path of the folder of all buckets. */
  readonly folder: string;
  /** That of the backup, where servers keep what they change (keeping.ts). */
  readonly kept: string;
}

/** Times that a file is looked for again because something moved meanwhile. */
const TRIES = 5;

/** Finds the files of one moment, while servers go on changing what is there and keep what they change. */
export function createMoment({ folder, kept }: MomentOptions) {
  const rootOf = (bucket: string) => join(folder, bucket);
  /** How many moves were noted at the moment. */
  let movedBefore = 0;

  const nameOf = (path: string): FileName | undefined => {
    const [bucket = "", ...segments] = path.slice(folder.length + 1).split("/");
    return isWithin(path, kept) ? undefined : { bucket, key: segments.join("/") };
  };

  /** What has moved since the backup began, in order. The last line may be half written. */
  const moves = (): MoveNote[] =>
    readFileSync(join(kept, KEPT.moves), "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as MoveNote);

  /** The places where a path may be by now, the latest first. */
  const placesOf = (path: string): string[] => {
    const places = [path];
    for (const { from, to } of moves()) {
      const now = places[0] ?? path;
      if (to !== undefined && isWithin(now, from)) places.unshift(to + now.slice(from.length));
    }
    return places;
  };

  const statIfSame = (path: string, stamp: string): FoundFile | undefined => {
    const stat = statNow(path);
    return stat?.isFile() && stampOf(stat) === stamp ? { path, stat } : undefined;
  };

  /** The same file where it is now; undefined when it is nowhere. `isMoved` says that it is at a key that it did not have. */
  const find = ({ bucket, key, stamp }: KnownFile): (FoundFile & { readonly isMoved: boolean }) | undefined => {
    const own = pathOfKey(rootOf(bucket), key);
    for (let tries = 0; tries < TRIES; tries++) {
      const here = statIfSame(own, stamp);
      if (here) return { ...here, isMoved: false };
      const aside = statIfSame(join(kept, KEPT.files, keptName(stamp)), stamp);
      if (aside) return { ...aside, isMoved: false };
      for (const place of placesOf(own)) {
        const moved = statIfSame(place, stamp);
        if (moved) return { ...moved, isMoved: true };
      }
    }
    return undefined;
  };

  return {
    /** The real path of the folder of all buckets. */
    root: folder,
    find,

    /** Called right before the moment: what moved until then has its names of the moment already. */
    begin(): void {
      movedBefore = moves().length;
    },

    /**
     * The names that a path has had since the backup began, the latest first, and the one that it had at the moment. A path outside of all buckets is none.
     */
    namesOf(path: string): { readonly all: readonly FileName[]; readonly atMoment: FileName | undefined } {
      const all = [path];
      let before = path;
      const noted = moves();
      for (let at = noted.length - 1; at >= 0; at--) {
        const { from = "", to } = noted[at] ?? {};
        const now = all.at(-1) ?? path;
        if (to === undefined || !isWithin(now, to)) continue;
        all.push(from + now.slice(to.length));
        if (at >= movedBefore) before = all.at(-1) ?? path;
      }
      return { all: all.flatMap((one) => nameOf(one) ?? []), atMoment: nameOf(before) };
    },

    /** Folders that were removed from buckets since the backup began, and are kept for it. */
    removed: (): string[] => moves().flatMap(({ to }) => (to !== undefined && isWithin(to, kept) ? to : [])),

    /** Paths of empty folders that were removed since then. */
    emptied: (): string[] => moves().flatMap(({ from, to }) => (to === undefined ? from : [])),

    /** Opens a file of the moment for reading; undefined when it is nowhere. Whoever opened it closes it. */
    async open(known: KnownFile): Promise<{ readonly handle: FileHandle; readonly stat: BigIntStats } | undefined> {
      for (let tries = 0; tries < TRIES; tries++) {
        const found = find(known);
        if (!found) return undefined;
        const handle = await openIfThere(found.path);
        const stat = await handle?.stat({ bigint: true });
        if (handle && stat && stampOf(stat) === known.stamp) return { handle, stat };
        await handle?.close();
      }
      return undefined;
    },
  };
}

export type Moment = ReturnType<typeof createMoment>;

/** Opens a file for reading; undefined when it is gone. */
export async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** What is in a folder that keys can name. */
interface FolderContent {
  readonly path: string;
  readonly files: readonly string[];
  /** Whether nothing is in it. */
  readonly isEmpty: boolean;
}

/** Goes through a folder and those below it that keys can name. Links are not followed, as lists do not; a folder that goes is passed over. */
export async function* walkFolders(path: string, depth = 0): AsyncGenerator<FolderContent> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (!entries) return;
  const named = entries.filter(({ name }) => isSegment(name));
  yield {
    path,
    files: named.flatMap((entry) => (entry.isFile() ? entry.name : [])),
    isEmpty: entries.length === 0 && depth > 0,
  };
  for (const entry of named) if (entry.isDirectory()) yield* walkFolders(join(path, entry.name), depth + 1);
}

/** Reports whether a key can be one of a file or an empty folder. */
export const isWholeKey = (key: string): boolean =>
  isShortKey(key) && (key.endsWith("/") ? key.slice(0, -1) : key).split("/").every(isSegment);
