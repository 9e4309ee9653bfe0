import { Failure } from "#contract/failures";
import type { FileChange } from "#contract/files";
import type { Caller } from "../access/principal.ts";
import { owns } from "../access/rights.ts";
import type { Days } from "./days-table.ts";
import { createFileKinds } from "./file-kinds.ts";
import { createFileOpening } from "./file-opening.ts";
import { createFileProgress } from "./file-progress.ts";
import { createFileReceiving } from "./file-receiving.ts";
import { createFileRemoval } from "./file-removal.ts";
import { createFileUploads } from "./file-uploads.ts";
import { type FilePage, type FileRow, filesTable, type ListedFileRow } from "./files-table.ts";
import { createImportedFiles } from "./imported-shares.ts";
import { type Listing, readPage } from "./lists-table.ts";
import { type Asking, createEdit, type FilesDeps } from "./new-share.ts";
import { createResumableFiles } from "./resumable-files.ts";
import { createStoredFiles } from "./stored-files.ts";

/** Shared files: made and changed by their owners, opened by anybody through the gate. */
export function createFiles(deps: FilesDeps) {
  const { db, clock, settings, cluster } = deps;
  const table = filesTable(db, cluster.reading);
  const { opening, counter, shareCache, fileCache } = createFileOpening(table, deps);
  const { changed } = shareCache;
  const edit = createEdit<FileRow>(deps, table.slugIsFree);

  /** A share that the caller owns, ready or not; others' look missing. */
  const owned = async (caller: Caller, id: string): Promise<ListedFileRow> => {
    await counter.flush();
    const row = await table.findById(id);
    if (!row || !owns(caller, row.created_by)) throw new Failure("share.missing");
    return row;
  };

  /**
   * A share that the caller owns and whose file has arrived: nobody has seen the others, and a change would void what
   * their owner was given.
   */
  const ready = async (caller: Caller, id: string): Promise<ListedFileRow> => {
    const row = await owned(caller, id);
    if (row.pending) throw new Failure("share.missing");
    return row;
  };

  const { removeOne, takeOver, ...removal } = createFileRemoval({ ...deps, table, owned, changed });
  const { giveUp, settle, begin, ...uploads } = createFileUploads(deps, { table, owned, removeOne });

  return {
    ...opening,
    /** Of files that are on their way. */
    progress: createFileProgress({ ...deps, table }),
    begin,
    ...uploads,
    ...removal,
    ...createFileReceiving(deps, { table, begin, settle, giveUp, takeOver }),
    resumable: createResumableFiles(deps, { table, begin, settle, abort: uploads.abort }),
    ...createStoredFiles(deps, {
      table,
      async forget() {
        shareCache.forget();
        fileCache.cache.clear();
        await cluster.publish("file shares");
      },
    }),

    caches: [shareCache.cache, fileCache.cache],

    /** For shares of another server. */
    imported: createImportedFiles(table),

    /** Tells what files are for those who show them, as the settings say now. */
    kinds: createFileKinds(settings),

    async list(page: FilePage): Promise<Listing<ListedFileRow>> {
      await counter.flush();
      return await readPage(table, page, clock());
    },

    /** How many there are by storage, and how many were made on each of these days. */
    count: async (days: Days) => ({
      storages: new Map((await table.countByStorage()).map(({ storage, total }) => [storage, total])),
      days: await table.countByDay(days),
    }),

    /** 404 share.missing, also for one whose file has not arrived. */
    read: ready,

    /** Changes the given fields; the views stay unless `resetViews`. Voids every grant. */
    async update(
      caller: Caller,
      id: string,
      change: FileChange,
      { signal }: Asking = {},
    ): Promise<{ id: string; slug: string }> {
      const { slug, remark, expires_at: expiresAt, max_views: maxViews, use_proxy, resetViews = false } = change;
      const password = change.password === undefined ? undefined : change.password || null;
      const write = (before: FileRow, edited: FileRow) => {
        if (before.sealed !== null && password) throw new Failure("sealed.password");
        const after = use_proxy === undefined ? edited : { ...edited, use_proxy: Number(use_proxy) };
        return changed(table.update({ before, after, resetViews }));
      };
      const edited = { caller, slug, remark, password, expiresAt, maxViews, signal };
      return { id, slug: await edit(edited, () => ready(caller, id), write) };
    },

    /** Writes the views that are still in memory. */
    close: () => counter.flush(),

    /** Forgets the request keys of shares older than `kept` milliseconds. */
    forgetRequestKeys: (kept: number) => table.forgetRequestKeys(clock() - kept),
  };
}

export type Files = ReturnType<typeof createFiles>;
