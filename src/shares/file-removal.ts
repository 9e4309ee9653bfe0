import { Failure } from "#contract/failures";
import type { Caller } from "../access/principal.ts";
import { owns } from "../access/rights.ts";
import { clearEach } from "../transfers/cleanup.ts";
import type { FileRow, FilesTable, ListedFileRow, TakeOver } from "./files-table.ts";
import type { FilesDeps } from "./new-share.ts";

/** A share that could not be deleted. */
interface NotRemoved {
  readonly id: string;
  readonly failure: Failure;
}

type Removable = Pick<FileRow, "id" | "upload" | "storage">;

interface RemovalDeps extends Pick<FilesDeps, "clock" | "log" | "transfers"> {
  readonly table: FilesTable;
  /** A share that the caller owns. 404 share.missing. */
  readonly owned: (caller: Caller, id: string) => Promise<ListedFileRow>;
  /** Awaits a change, after which nothing that memory keeps of shares holds. */
  readonly changed: <Result>(change: Promise<Result>) => Promise<Result>;
}

/** Ends shares of files, with their objects where those are to go. */
export function createFileRemoval({ clock, log, transfers, table, owned, changed }: RemovalDeps) {
  /** The row is removed first, so that nobody opens a share whose file is being removed. */
  const removeOne = async (row: Pick<FileRow, "id" | "upload">, keepFile: boolean): Promise<void> => {
    const released = await changed(table.remove(row, keepFile));
    if (released && row.upload !== null) await transfers.uploads.drop(row.upload);
  };

  /** Removes a share and its file; what a failing storage does not remove now is left to the sweeper, because the share is gone. */
  const removeFor = async (row: Removable, keepFile: boolean, troubled: Set<string>): Promise<void> => {
    // Who deletes many shares must not wait for a silent storage once for each.
    const silent = troubled.has(row.storage);
    try {
      await (silent ? changed(table.remove(row, keepFile)) : removeOne(row, keepFile));
    } catch (error) {
      if (!(error instanceof Failure && error.code.startsWith("storage."))) throw error;
      troubled.add(row.storage);
      log.warn("object left to the sweeper", { upload: row.upload, error: error.code });
    }
  };

  /** The object of the share that gave way is dropped last; one that cannot be removed now is left to the sweeper. */
  const takeOver = async (file: FileRow, over: Omit<TakeOver, "now">): Promise<void> => {
    const released = await changed(table.takeOver(file, { ...over, now: clock() }));
    const { upload = null } = over.before ?? {};
    if (!released || upload === null) return;
    try {
      await transfers.uploads.drop(upload);
    } catch (trouble) {
      log.warn("object left to the sweeper", { upload, error: String(trouble) });
    }
  };

  return {
    removeOne,
    takeOver,

    /** Deletes shares, with their files or without; returns the failures. */
    async remove(caller: Caller, ids: readonly string[], keepFiles: boolean) {
      const failed: NotRemoved[] = [];
      const troubled = new Set<string>();
      let removed = 0;
      for (const id of new Set(ids)) {
        try {
          const row = await owned(caller, id);
          // A share that still waits has no file that anybody could want to keep.
          await removeFor(row, keepFiles && !row.pending, troubled);
          removed += 1;
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          failed.push({ id, failure: error });
        }
      }
      return { removed, failed };
    },

    /** Deletes a share with its file for whoever has its address of removal. 404 share.missing. */
    async discard(id: string): Promise<void> {
      const row = await table.findById(id);
      if (!row) throw new Failure("share.missing");
      await removeFor(row, false, new Set());
    },

    /** Deletes the caller's share of that slug with its file. 404 share.missing. */
    async removeAt(caller: Caller, slug: string): Promise<void> {
      const row = await table.find(slug);
      if (!row || !owns(caller, row.created_by)) throw new Failure("share.missing");
      await removeFor(row, false, new Set());
    },

    /** Removes shares that have been gone for longer than `kept` milliseconds; objects of silent storages are left for later. */
    sweep: (kept: number, silent: Set<string>) =>
      clearEach(
        (limit) => table.gone(clock() - kept, limit),
        (row) => removeFor(row, false, silent),
      ),

    /** Removes shares for whose file nothing has arrived for `kept` milliseconds; objects of silent storages are left for later. */
    sweepAbandoned: (kept: number, silent: Set<string>) =>
      clearEach(
        async (limit) => {
          const abandoned = await table.abandoned({ before: clock() - kept, now: clock() }, limit);
          return abandoned.filter(({ upload }) => !transfers.isArriving(upload));
        },
        (row) => removeFor(row, false, silent),
      ),
  };
}
