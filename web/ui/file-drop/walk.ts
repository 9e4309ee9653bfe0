import { noteOrigin } from "../../lib/file-origin.ts";
import type { Dropped } from "./dropped.ts";

/** What systems leave in folders and nobody means to share. */
const litter = new Set([".DS_Store", "Thumbs.db", "desktop.ini"]);

interface Walk {
  readonly files: File[];
  /** Names of folders that could not be read. */
  readonly unreadable: string[];
  /** The walk ends when it has found so many. */
  readonly enough: number;
}

/** The files that were dropped, with those of the folders; it stops at `enough`. */
export async function filesIn({ files, folders }: Dropped, enough: number): Promise<Walk> {
  const walk: Walk = { files: [...files], unreadable: [], enough };
  for (const folder of folders) await into(folder, walk);
  return walk;
}

async function into(folder: FileSystemDirectoryEntry, walk: Walk): Promise<void> {
  try {
    for (const entry of await entriesOf(folder)) {
      if (walk.files.length >= walk.enough) return;
      if (isFolder(entry)) await into(entry, walk);
      else if (isFile(entry) && !litter.has(entry.name))
        walk.files.push(noteOrigin(await fileOf(entry), entry.fullPath));
    }
  } catch {
    walk.unreadable.push(folder.name);
  }
}

/** A folder tells its entries in portions; an empty one is the last. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const fileOf = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject));
