import type { Change } from "../transfers/changes.ts";
import { nameBelow } from "./search-keys.ts";

/** Changes that are remembered. */
const MOST = 10_000;

/** The places that something happened at. */
const placesOf = (change: Change) => (change.kind === "moved" ? [change.from, change.to] : [change.at]);

/** What of a listing is older than what was told meanwhile. */
export interface Outdated {
  /** Whether nothing of a folder's listing counts, because it may have been another folder. */
  whole(folder: string): boolean;
  /** Names in a folder of which the listing says nothing. */
  names(folder: string): ReadonlySet<string>;
}

/** Remembers what happened lately, because a listing that was asked for before may arrive after it. */
export function createRecent() {
  let places: { storage: string; key: string }[] = [];
  /** How many places there were before those. */
  let dropped = 0;

  return {
    add(change: Change): void {
      places.push(...placesOf(change));
      if (places.length < 2 * MOST) return;
      dropped += places.length - MOST;
      places = places.slice(-MOST);
    },

    /** To be taken before a storage is asked. */
    moment: (): number => dropped + places.length,

    /** What a listing that was asked for at a moment knows nothing of; undefined when that is too long ago to tell. */
    since(moment: number, storage: string): Outdated | undefined {
      if (moment < dropped) return undefined;
      const keys = places
        .slice(moment - dropped)
        .filter((place) => place.storage === storage)
        .map(({ key }) => key);
      return {
        whole: (folder) => keys.some((key) => key.endsWith("/") && folder.startsWith(key)),
        names: (folder) =>
          new Set(keys.filter((key) => key !== folder && key.startsWith(folder)).map((key) => nameBelow(folder, key))),
      };
    },
  };
}

export type Recent = ReturnType<typeof createRecent>;
