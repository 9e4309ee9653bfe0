import { Failure } from "#contract/failures";
import { isFilename, isTooDeep, join, nameOf, treePath } from "#contract/paths";
import { FOLDER_TYPE } from "../lib/mime.ts";
import type { ObjectHead } from "../stores/store.ts";
import type { ShownMountRow } from "./mounts-table.ts";

/** Where a path leads. */
export interface Location {
  /** Clean; the letters of its mount's path, and below it those that were sent. */
  readonly path: string;
  /** Whether it was sent with a slash at its end, and so means a folder. */
  readonly folder: boolean;
  /** The mount that it lies in; undefined above all mounts, and in one that the caller does not see. */
  readonly mount: ShownMountRow | undefined;
  /** Below the mount; empty at its root, never with a slash at the end. */
  readonly key: string;
}

/** A location in a mount. */
export interface MountedLocation extends Location {
  readonly mount: ShownMountRow;
}

export const isMounted = (location: Location): location is MountedLocation => location.mount !== undefined;

/** Path and intent of what somebody sent. 400 path.invalid, path.tooDeep. */
export function parsePath(sent: string, staging?: string): Pick<Location, "path" | "folder"> {
  const path = treePath(sent, staging);
  if (path === undefined) throw new Failure("path.invalid");
  if (isTooDeep(path)) throw new Failure("path.tooDeep");
  return { path, folder: sent.endsWith("/") };
}

/** The path of a file in a folder. 400 filename.invalid. */
export function filePath(folder: string, name: string): string {
  if (!isFilename(name)) throw new Failure("filename.invalid");
  return join(folder.length > 1 && folder.endsWith("/") ? folder.slice(0, -1) : folder, name);
}

/** A file or a folder of the tree, as every front shows it. */
export interface Entry {
  /** The last segment of its path; empty for the root. */
  readonly name: string;
  /** A clean path: no slash at the end, `/` for the root. */
  readonly path: string;
  readonly kind: "file" | "folder";
  /** Bytes; of a folder all that lies below it, as far as the index knows. */
  readonly size: number;
  /** Epoch milliseconds; of a folder the newest time of what lies below it, as far as the index knows; null where nobody knows. */
  readonly modified: number | null;
  /** Without quotes; null for folders. */
  readonly etag: string | null;
  readonly type: string;
  /** Whether it only leads to mounts and is in no storage itself. */
  readonly virtual: boolean;
}

export const fileEntry = (path: string, head: ObjectHead): Entry => namedFile(path, nameOf(path), head);

/** As `fileEntry`, of a file whose name is known: to cut it out of its path copies the whole path, of each of thousands. */
export const namedFile = (path: string, name: string, { size, modified, etag, type }: ObjectHead): Entry => ({
  name,
  path,
  kind: "file",
  size,
  modified,
  etag,
  type,
  virtual: false,
});

/** What is known of a folder. */
interface FolderFacts {
  readonly size?: number;
  readonly newest?: number | null;
  readonly virtual?: boolean;
}

export const folderEntry = (path: string, { size = 0, newest = null, virtual = false }: FolderFacts = {}): Entry => ({
  name: nameOf(path),
  path,
  kind: "folder",
  size,
  modified: newest,
  etag: null,
  type: FOLDER_TYPE,
  virtual,
});

/** What is at a location. */
export interface Found {
  readonly entry: Entry;
  /** Where it was found, in the letters of its storage. */
  readonly location: Location;
  /** What its storage says of a file. */
  readonly head?: ObjectHead;
}

/** A file at a location. */
export interface FoundFile extends Found {
  readonly location: MountedLocation;
  readonly head: ObjectHead;
}

export const isFile = (found: Found): found is FoundFile => found.head !== undefined;
