import { folderSegments, isFilename, join } from "#contract/paths";
import { noteOrigin, originOf } from "../../../lib/file-origin.ts";
import type { IncomingItem } from "../model/conflicts.ts";

/** A file that is to go into the tree. */
export interface IncomingFile extends IncomingItem {
  readonly file: File;
  /** The folder that it goes into. */
  readonly folder: string;
}

/** Files by the folders that they go into, and those whose names no file of the tree can have. */
interface Gathered {
  readonly byFolder: ReadonlyMap<string, readonly IncomingFile[]>;
  readonly misnamed: readonly string[];
}

/** Sorts files into folders below the one on view, as they lay in the folder that was dropped or picked. */
export function gather(files: readonly File[], folder: string): Gathered {
  const byFolder = new Map<string, IncomingFile[]>();
  const misnamed: string[] = [];
  for (const file of files) {
    const way = folderSegments(originOf(file))?.slice(0, -1);
    if (!way || !isFilename(file.name)) {
      misnamed.push(file.name);
      continue;
    }
    const target = way.length === 0 ? folder : join(folder, way.join("/"));
    const there = byFolder.get(target) ?? [];
    there.push({ file, folder: target, name: file.name, isDirectory: false });
    byFolder.set(target, there);
  }
  return { byFolder, misnamed };
}

/** Notes where a file goes, so that the same file picked again goes on with what was begun for this place. */
export const destined = (file: File, path: string): File => noteOrigin(file, path);
