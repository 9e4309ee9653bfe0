import { nameOf } from "#contract/paths";
import { FOLDER_TYPE } from "../lib/mime.ts";
import type { ObjectHead } from "../stores/store.ts";

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

export const fileEntry = (path: string, { size, modified, etag, type }: ObjectHead): Entry => ({
  name: nameOf(path),
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
