import type { ObjectHead, Place } from "./store.ts";

/** The attributes that a storage reports for a written file. */
type WrittenFile = Pick<ObjectHead, "size" | "modified" | "etag" | "type">;

/** A change of objects by any caller, with what its reader needs of a file. A key that ends in a slash is a folder with everything below it. */
export type Change<File = WrittenFile> =
  | {
      readonly kind: "written";
      readonly at: Place;
      readonly file: File;
      /** Its tags in place of those that were there; undefined where what was there may be this file. */
      readonly tags?: string;
      /** The upload that remains as its record; undefined for a file that replaced another. */
      readonly record?: string;
    }
  | {
      readonly kind: "made";
      readonly at: Place;
      /** Epoch milliseconds. */
      readonly modified: number;
    }
  | { readonly kind: "removed"; readonly at: Place }
  | MovedChange;

export interface MovedChange {
  readonly kind: "moved";
  readonly from: Place;
  readonly to: Place;
  /** Whether followers may already know the new key: this change, or that it was written, was reported before. */
  readonly again?: true;
  /** Whether a file took the place of a file there, which was reported as written: what was kept of that one is now its own. */
  readonly over?: true;
  /** What is remembered of something that moves to the trash. */
  readonly trash?: Trashed;
}

/** What the trash remembers of a file or a folder, so that it can come back to its place. */
export interface Trashed {
  readonly id: string;
  readonly name: string;
  /** Of the mount that it was deleted in, which may be gone since. */
  readonly mount: string;
  /** Its key before; that of a folder ends in a slash. */
  readonly origin: string;
  /** A clean path in Unicode NFC, as it was shown. */
  readonly path: string;
  /** Bytes of all of it, and how many files that is; null where nobody knows. */
  readonly size: number | null;
  readonly files: number | null;
  /** Who deleted it, as records name owners. */
  readonly owner: string;
  /** Epoch milliseconds. */
  readonly deletedAt: number;
  readonly purgeAt: number;
}
