import { Failure } from "#contract/failures";
import type { ImportKind, ImportSource, PrivateTexts } from "#contract/imports";
import type { Passwords } from "../access/passwords.ts";
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { createImportedPasswords } from "../shares/imported-shares.ts";
import { openCloudPaste } from "./cloudpaste/source.ts";
import type { ImportContext, OpenedSource, Rooms, Slice } from "./context.ts";
import { isPingvin } from "./pingvin/folder.ts";
import { openPingvin } from "./pingvin/source.ts";
import { createReport, type Report } from "./report.ts";

/** One transaction beside requests takes a few milliseconds; where nobody else works it may be long. */
const BESIDE_REQUESTS: Slice = { rows: 100, bytes: 1024 * 1024 };
const ALONE: Slice = { rows: 5000, bytes: 16 * 1024 * 1024 };

interface ImportOptions {
  /** Whose data it is; what is there says so unless it is given. */
  readonly from?: ImportSource | undefined;
  readonly privateTexts: PrivateTexts;
  /** The folder of the tree in which the bucket of the other program is to be seen. */
  readonly bucket?: string | undefined;
  /** Whether a backup is taken whose checksum is not that of its content. */
  readonly ignoreChecksum?: boolean;
  readonly signal?: AbortSignal;
  /** Throws when whoever wants it may not import any more. */
  readonly recheck?: () => Promise<void>;
  /** Told how many rows of a kind are done. */
  readonly progress?: (kind: ImportKind, rows: number) => void;
  /** Told of bytes of files that have been copied. */
  readonly copied?: (bytes: number) => void;
}

interface ImportsDeps {
  readonly db: Pick<Database, "ready">;
  readonly clock: Clock;
  readonly passwords: Passwords;
  readonly rooms: Rooms;
}

/** Imports the data of other programs into the rooms of this server. */
export function createImports({ db, clock, passwords, rooms }: ImportsDeps) {
  let isRunning = false;

  const open = async (path: string, { from, ignoreChecksum = false }: ImportOptions): Promise<OpenedSource> => {
    const source = from ?? ((await isPingvin(path)) ? "pingvin" : "cloudpaste");
    return await (source === "pingvin" ? openPingvin(path, rooms.transfers) : openCloudPaste(path, ignoreChecksum));
  };

  const walk = async (path: string, options: ImportOptions, slice: Slice | undefined): Promise<Report> => {
    const source = await open(path, options);
    try {
      const report = createReport({ heading: source.heading, kinds: source.kinds, dryRun: slice === undefined });
      const context: ImportContext = {
        rooms,
        passwords: createImportedPasswords(passwords),
        report,
        privateTexts: options.privateTexts,
        bucket: options.bucket,
        isApplied: slice !== undefined,
        slice: slice ?? BESIDE_REQUESTS,
        now: clock(),
        async passed(kind, rows) {
          options.progress?.(kind, rows);
          await mayGoOn(options);
          await db.ready();
        },
        copied: (bytes) => options.copied?.(bytes),
      };
      await mayGoOn(options);
      await source.run(context);
      return report;
    } finally {
      await source.close();
    }
  };

  return {
    /** What an import would do. Writes nothing. 400 import.malformed, import.bounds, import.checksum; an Error with a sentence for what only the command line takes. */
    plan: (path: string, options: ImportOptions): Promise<Report> => walk(path, options, undefined),

    /**
     * Imports the data of another program and reports what it did. A kind is written in one transaction as long as that is short, and in several
     * otherwise; what is here stays as it is, so an import that was interrupted is completed by another one. 409 import.running, 507 storage.full
     * and those of `plan`.
     */
    async run(path: string, options: ImportOptions & { readonly alone?: boolean }): Promise<Report> {
      if (isRunning) throw new Failure("import.running");
      isRunning = true;
      try {
        return await walk(path, options, options.alone ? ALONE : BESIDE_REQUESTS);
      } finally {
        isRunning = false;
      }
    },
  };
}

async function mayGoOn({ signal, recheck }: ImportOptions): Promise<void> {
  signal?.throwIfAborted();
  await recheck?.();
}
