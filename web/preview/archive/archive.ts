/** What an archive lists of one of its files or folders. */
export interface ArchiveEntry {
  /** Its place in the archive's list, by which it is taken out. */
  readonly index: number;
  /** The bytes of its name, as they stand there. */
  readonly rawName: Uint8Array;
  /** Whether the archive says that the name is UTF-8. */
  readonly isUtf8: boolean;
  readonly isFolder: boolean;
  readonly isEncrypted: boolean;
  /** Bytes, as the archive says. */
  readonly size: number;
  readonly packedSize: number;
  /** Epoch milliseconds. */
  readonly modified: number;
}

export interface ArchiveList {
  readonly entries: readonly ArchiveEntry[];
  /** Whether there are more than are listed. */
  readonly cut: boolean;
}

/** What the worker is asked for: the list, or one file of it. */
export interface ArchiveTask {
  readonly address: string;
  readonly take?: { readonly index: number; readonly password?: string | undefined };
}
