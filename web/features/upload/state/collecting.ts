import { isFilename } from "#contract/paths";
import { createStore } from "../../../lib/store.ts";
import type { Uploads } from "../../../transfer/uploads.ts";

/** Rows of the list: more would slow the page down. */
export const MAX_ROWS = 1000;

/** Files found at a drop or in a picker. */
interface FileSelection {
  readonly files: readonly File[];
  /** Folders that could not be read. */
  readonly unreadable?: readonly string[];
  /** The largest file that may be uploaded, in bytes; undefined while that is not known. */
  readonly limit: number | undefined;
}

/** What became of it, where there is something to say. */
export interface CollectNote {
  readonly tooLarge: readonly File[];
  readonly limit: number;
  /** Names that no file can have on the server. */
  readonly misnamed: readonly string[];
  readonly passedOver: number;
  /** The one file that was offered, when it was one. */
  readonly only: string | undefined;
  readonly leftOut: number;
  readonly unreadable: readonly string[];
  /** Nothing was found at all. */
  readonly nothing: boolean;
}

/** Nothing to say. */
const silence: CollectNote = {
  tooLarge: [],
  limit: 0,
  misnamed: [],
  passedOver: 0,
  only: undefined,
  leftOut: 0,
  unreadable: [],
  nothing: false,
};

/** Adds files to the list, and keeps the notice about refused ones. */
export function createCollecting(uploads: Uploads) {
  const note = createStore<CollectNote | undefined>(undefined);

  return {
    note,
    take({ files, unreadable = [], limit = Number.POSITIVE_INFINITY }: FileSelection): void {
      const named = files.filter(({ name }) => isFilename(name));
      const misnamed = files.filter(({ name }) => !isFilename(name)).map(({ name }) => name);
      const tooLarge = named.filter(({ size }) => size > limit);
      const fitting = named.filter(({ size }) => size <= limit);
      const room = Math.max(0, MAX_ROWS - uploads.items.get().length);
      const passedOver = uploads.add(fitting.slice(0, room));
      const leftOut = Math.max(0, fitting.length - room);
      const nothing = files.length + unreadable.length === 0;
      const silent = tooLarge.length + misnamed.length + passedOver + leftOut + unreadable.length === 0 && !nothing;
      const only = files.length === 1 ? files[0]?.name : undefined;
      note.set(silent ? undefined : { tooLarge, limit, misnamed, passedOver, only, leftOut, unreadable, nothing });
    },
    /** Takes out again what turns out to be too large, once the limit is known. */
    sift(limit: number): void {
      const above = uploads.items.get().filter(({ state, file }) => state === "idle" && file.size > limit);
      if (above.length === 0) return;
      for (const { id } of above) uploads.remove(id);
      const tooLarge = above.map(({ file }) => file);
      note.set({ ...silence, tooLarge, limit });
    },
    dismiss: () => note.set(undefined),
  };
}
