import type { FailureCode } from "#contract/failures";
import type { ByteRange } from "../lib/conditional.ts";

/** An archive where it is stored. */
export interface ArchiveSource {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Its bytes, or a range of them. */
  readonly read: (range?: ByteRange) => AsyncIterable<Uint8Array>;
}

/** A file or folder of an archive; its name is what somebody wrote there. */
export interface ArchiveEntry {
  /** Its place in the archive, from 0 on. */
  readonly index: number;
  readonly name: string;
  /** A link may be a device too. */
  readonly kind: "file" | "folder" | "link";
  /** Bytes; undefined when only its end tells. */
  readonly size: number | undefined;
  /** Why its bytes cannot be had. */
  readonly problem?: FailureCode | undefined;
  /** Its bytes, checked to the last; of a tar once, and before the next entry is asked for. 400 archive.broken. */
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

export interface Archive {
  /** How many of its entries may be read at the same time. */
  readonly width: number;
  /** What it says that it holds; undefined where all of it would have to be read for that. */
  readonly amount: { readonly files: number; readonly bytes: number } | undefined;
  /** Always the same entries in the same order. */
  entries(): AsyncGenerator<ArchiveEntry>;
}
