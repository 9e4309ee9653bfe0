import { createStore } from "../../lib/store.ts";

/** What was dropped on a page or pasted into it. */
export interface Dropped {
  readonly files: readonly File[];
  /** Folders, whose files are still to be found. */
  readonly folders: readonly FileSystemDirectoryEntry[];
  /** From the clipboard, where pictures have no name of their own. */
  readonly pasted: boolean;
  /** Where on the page. */
  readonly onto: EventTarget | null;
}

const isFolder = (entry: FileSystemEntry | null | undefined): entry is FileSystemDirectoryEntry =>
  entry?.isDirectory ?? false;

/** Reads what a drop or paste brings, while its event lasts: afterwards the browser empties it. */
export function droppedIn(transfer: DataTransfer, { type, target }: Event): Dropped {
  const entries = Array.from(transfer.items ?? [])
    .filter(({ kind }) => kind === "file")
    .map((item) => item.webkitGetAsEntry?.());
  return {
    // A folder is among the files too, as one that cannot be read.
    files: Array.from(transfer.files).filter((_, index) => !isFolder(entries[index])),
    folders: entries.filter(isFolder),
    pasted: type === "paste",
    onto: target,
  };
}

/** What one page took and another one is to have: it waits here while that page loads. */
export const handedOver = createStore<Dropped | undefined>(undefined);
