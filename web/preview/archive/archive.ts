import type { archiveFormat } from "#contract/archive/formats";

/** How the files of an archive are packed. */
export type Packing = NonNullable<ReturnType<typeof archiveFormat>>;

/** What an archive lists of one of its files or folders. */
export interface ArchiveEntry {
  /** Its place in the archive's list, by which it is taken out. */
  readonly index: number;
  /** The bytes of its name, as they stand there. */
  readonly rawName: Uint8Array;
  /** Whether the archive says that the name is UTF-8. */
  readonly isUtf8: boolean;
  readonly isFolder: boolean;
  /** Links and devices have no bytes that could be taken out. */
  readonly isLink: boolean;
  readonly isEncrypted: boolean;
  /** Bytes, as the archive says; undefined when only its end tells. */
  readonly size: number | undefined;
}

export interface ArchiveList {
  readonly entries: readonly ArchiveEntry[];
  /**
   * Why there are more than are listed: too `many`, too `long` to be read through, or `unread`, as behind a damage or where a browser unpacks
   * no further.
   */
  readonly cut?: "many" | "long" | "unread" | undefined;
}

/** What the worker is asked for: the list, or one file of it. */
export interface ArchiveTask {
  readonly address: string;
  readonly packing: Packing;
  /** The name of the file in an archive that is only packed. */
  readonly stem: string;
  readonly take?: { readonly index: number; readonly password?: string | undefined };
}
