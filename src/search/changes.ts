/** The changes that the index records, and the last of them. */
import type { Change as AnyChange } from "../stores/changes.ts";
import type { ObjectHead, Place } from "../stores/store.ts";

/** What the index has of a file. */
export type FileStat = Pick<ObjectHead, "size" | "modified">;

/** A change that the index records; it replaces what was at its key. */
export type Change = AnyChange<FileStat>;

/** The direct content of a folder. */
export interface Listing extends Place {
  readonly files: readonly (FileStat & { readonly key: string })[];
  /** Their keys. */
  readonly folders: readonly string[];
}

/**
 * Splits a key into its names; those of folders keep their slash. Joined they are the key again, whatever characters
 * S3 allows in one.
 */
export const namesOf = (key: string): string[] => key.match(/[^/]*\/|[^/]+/g) ?? [];

/** The first name of a key below a folder. */
export const nameBelow = (folder: string, key: string): string => namesOf(key.slice(folder.length))[0] ?? "";

/** The places that a change happens at. */
export const placesOf = (change: Change): readonly Place[] =>
  change.kind === "moved" ? [change.from, change.to] : [change.at];

/** The part of a listing that changes recorded since it was requested outdate. */
export interface Outdated {
  /** Whether the whole listing is, because the folder may have been another one. */
  whole(folder: string): boolean;
  /** Names in a folder of which the listing says nothing. */
  names(folder: string): ReadonlySet<string>;
}

/** Changes that are remembered. */
const MAX_REMEMBERED = 10_000;

/** Remembers the last changes, because a listing requested before them may arrive after them. */
export function createRecent() {
  let places: Place[] = [];
  let dropped = 0;

  return {
    add(...changed: readonly Place[]): void {
      places.push(...changed);
      if (places.length < 2 * MAX_REMEMBERED) return;
      dropped += places.length - MAX_REMEMBERED;
      places = places.slice(-MAX_REMEMBERED);
    },

    /** Anything may have changed. */
    forget(): void {
      dropped += places.length + 1;
      places = [];
    },

    /** Counts the changes so far. Read it before requesting a listing. */
    moment: (): number => dropped + places.length,

    /** Returns the changes of a storage since a count; undefined if it is too long ago. */
    since(moment: number, storage: string): Outdated | undefined {
      if (moment < dropped) return undefined;
      const later = places.slice(moment - dropped).filter((place) => place.storage === storage);
      return {
        whole: (folder) => later.some(({ key }) => key.endsWith("/") && folder.startsWith(key)),
        names: (folder) =>
          new Set(
            later.flatMap(({ key }) => (key.startsWith(folder) ? namesOf(key.slice(folder.length)).slice(0, 1) : [])),
          ),
      };
    },
  };
}

export type Recent = ReturnType<typeof createRecent>;
