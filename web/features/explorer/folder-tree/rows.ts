import { nameOf } from "#contract/paths";
import { asFolder, bare } from "../../../lib/folder-path.ts";
import { pathToAncestor } from "../bar/ancestors.ts";
import type { Entry } from "../model/entry.ts";

/** What is known of the folders in one. */
export interface Branch {
  /** Sorted by name; undefined until they are there. */
  readonly folders: readonly Entry[] | undefined;
  /** Not all of them were asked for. */
  readonly hasMore: boolean;
  readonly error: unknown;
  /** What it shows at least, as the server numbers changes. */
  readonly version: string | undefined;
}

interface PlacedRow {
  /** Tells rows apart. */
  readonly key: string;
  /** Of the folder, or of the one that something is said of. */
  readonly path: string;
  /** The root has 0. */
  readonly depth: number;
}

export interface FolderRow extends PlacedRow {
  readonly kind: "folder";
  readonly entry: Entry;
  /** Undefined of one in which no folders are. */
  readonly expanded: boolean | undefined;
  /** Which of how many folders in the same one; -1 where nobody knows how many there are. */
  readonly position: number;
  readonly count: number;
}

/** Says below an open folder that its folders are on their way or could not be loaded, or that there are more. */
export interface NoteRow extends PlacedRow {
  readonly kind: "loading" | "failed" | "more";
  readonly error: unknown;
}

export type TreeRow = FolderRow | NoteRow;

interface Shown {
  readonly root: Entry;
  /** Paths of open folders. */
  readonly open: ReadonlySet<string>;
  /** The folder on view. */
  readonly folder: string;
  readonly branchOf: (path: string) => Branch | undefined;
}

/** A folder of which only its path is known. */
export const folderEntry = (path: string): Entry => ({
  name: nameOf(path),
  path: asFolder(path),
  isDirectory: true,
  type: 1,
  typeName: "folder",
});

/** The rows that the tree shows, from the upper edge to the lower one. */
export function rowsOf(shown: Shown): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  addFolder(rows, shown, { entry: shown.root, depth: 0, position: 1, count: 1 });
  return rows;
}

function addFolder(rows: TreeRow[], shown: Shown, place: Pick<FolderRow, "entry" | "depth" | "position" | "count">) {
  const path = bare(place.entry.path);
  const branch = shown.branchOf(path);
  const isOpen = shown.open.has(path);
  const expanded = branch?.folders?.length === 0 && !branch.error ? undefined : isOpen;
  rows.push({ kind: "folder", key: path, path, expanded, ...place });
  if (!isOpen || expanded === undefined) return;
  const depth = place.depth + 1;
  const say = (kind: NoteRow["kind"]) =>
    rows.push({ kind, key: `${kind} ${path}`, path, depth, error: branch?.error ?? null });
  if (!branch?.folders) return void say(branch?.error ? "failed" : "loading");
  const folders = branch.hasMore ? withWay(path, branch.folders, shown.folder) : branch.folders;
  const count = branch.hasMore ? -1 : folders.length;
  for (const [index, entry] of folders.entries()) addFolder(rows, shown, { entry, depth, position: index + 1, count });
  if (branch.hasMore) say("more");
}

/** The folders in one, and the one of them that leads to the folder on view, be it among those that were asked for or not. */
function withWay(path: string, folders: readonly Entry[], folder: string): readonly Entry[] {
  const next = pathToAncestor(path, folder);
  const isThere = folders.some((one) => bare(one.path) === bare(next ?? ""));
  return next === undefined || isThere ? folders : [...folders, folderEntry(bare(next))];
}
