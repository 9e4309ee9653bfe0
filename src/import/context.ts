import type { ImportKind, PrivateTexts } from "#contract/imports";
import type * as z from "#contract/schemas";
import type { Keys } from "../access/keys.ts";
import type { ImportedLinks } from "../links/imported-links.ts";
import type { Settings } from "../settings/settings.ts";
import type { ImportedFiles, ImportedPasswords, ImportedTexts } from "../shares/imported-shares.ts";
import type { Stores } from "../stores/stores.ts";
import type { Transfers } from "../transfers/transfers.ts";
import type { Vfs } from "../vfs/vfs.ts";
import type { Report, SourceHeading, Tally } from "./report.ts";

/** The rooms that an import writes to. Only files that are copied reach another host, where their storage is. */
export interface Rooms {
  readonly configs: Stores["configs"];
  readonly keys: Pick<Keys, "list" | "rowOf" | "insertAll">;
  readonly mounts: Pick<Vfs["mounts"], "list" | "rowOf" | "insertAll">;
  readonly settings: Settings;
  readonly texts: ImportedTexts;
  readonly files: ImportedFiles;
  readonly links: ImportedLinks;
  /** The tree, into which files are copied. */
  readonly tree: Pick<Vfs, "as">;
  /** Bytes of the largest file that may be uploaded, and where what is only read once is put. */
  readonly transfers: Pick<Transfers, "largest" | "temporary">;
}

/** Rows and bytes that are written in one transaction at most. */
export interface Slice {
  readonly rows: number;
  readonly bytes: number;
}

/** What every import works with, wherever its data comes from. */
export interface ImportContext {
  readonly rooms: Rooms;
  readonly passwords: ImportedPasswords;
  readonly report: Report;
  readonly privateTexts: PrivateTexts;
  /** The folder of the tree in which the bucket of the other program is to be seen. */
  readonly bucket: string | undefined;
  /** Whether it writes, or only says what it would write. */
  readonly isApplied: boolean;
  readonly slice: Slice;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Told how many rows of a kind are done; waits for whoever else wants to work, and throws when the import is to end. */
  readonly passed: (kind: ImportKind, rows: number) => Promise<void>;
  /** Told of bytes of files that have been copied. */
  readonly copied: (bytes: number) => void;
}

/** The data of another program, opened. */
export interface OpenedSource {
  /** What it says of itself. */
  readonly heading: SourceHeading;
  /** What comes of it, in this order. */
  readonly kinds: readonly ImportKind[];
  /** Imports all of it, or only counts in the report what that would do. */
  run(context: ImportContext): Promise<void>;
  close(): Promise<void>;
}

/** A row as it was found. */
interface FoundRow {
  readonly value: unknown;
  /** Counted from 1. */
  readonly number: number;
}

/** What a schema reads of a row; undefined, and counted as left out, where it cannot. */
export function readRow<S extends z.ZodMiniType>(schema: S, row: FoundRow, tally: Tally): z.output<S> | undefined {
  const read = schema.safeParse(row.value);
  if (read.success) return read.data;
  const field = read.error.issues[0]?.path[0];
  tally.left("row.unreadable", field === undefined ? `row ${row.number}` : `row ${row.number}: ${String(field)}`);
  return undefined;
}

/** When something was made there, in epoch milliseconds: a time that cannot be is now. */
export const pastInstant = (at: number | null, now: number): number => (at !== null && at >= 0 && at <= now ? at : now);

/** The last instant that an expiry may name; a later one is never. */
export const LAST_INSTANT = Date.UTC(9999, 11, 31);
