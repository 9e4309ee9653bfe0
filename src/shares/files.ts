import { Failure } from "#contract/failures";
import type { FileChange } from "#contract/files";
import { LIMITED_ADDRESS_LIFE, VISITOR_GRANT_LIFE } from "#contract/limits";
import type { Caller } from "../access/principal.ts";
import { owns } from "../access/rights.ts";
import { steadyClock } from "../lib/clock.ts";
import { disposition, servedType } from "../lib/mime.ts";
import { clearEach } from "../transfers/cleanup.ts";
import type { Days } from "./days-table.ts";
import { createFileKinds } from "./file-kinds.ts";
import { createFileReceiving } from "./file-receiving.ts";
import { createFileUploads } from "./file-uploads.ts";
import { type FilePage, type FileRow, filesTable, type ListedFileRow, type TakeOver } from "./files-table.ts";
import { createGate, isGone, type Looked, type Opening, type Visitor } from "./gate.ts";
import { type Listing, readPage } from "./lists-table.ts";
import { createFileCache, createShareCache, createViewCounter } from "./memory.ts";
import { type Asking, createEdit, type FilesDeps } from "./new-share.ts";
import { createStoredFiles } from "./stored-files.ts";

/** What a view of a file buys; the bytes are fetched separately. */
export interface FileOpening {
  /** Views including this one. */
  readonly views: number;
}

/** A share that could not be deleted. */
interface NotRemoved {
  readonly id: string;
  readonly failure: Failure;
}

/** Reports whether the file of a share was deleted in the tree. */
const hasLost = ({ file_gone_at }: FileRow): boolean => file_gone_at !== null;

type Removable = Pick<FileRow, "id" | "upload" | "storage">;

/** Shared files: made and changed by their owners, opened by anybody through the gate. */
export function createFiles(deps: FilesDeps) {
  const { db, clock, log, passwords, grants, limiter, settings, transfers, cluster, spent } = deps;
  const table = filesTable(db);
  const shareCache = createShareCache<FileRow>("file shares", ({ max_views }) => max_views === 0, cluster);
  const { changed } = shareCache;
  const counter = createViewCounter((views) => changed(table.addViews(views, clock())), log);

  const find = (slug: string) => shareCache.keep(slug, table.find);
  const spend = async (share: FileRow, now: number): Promise<FileOpening | undefined> => {
    if (share.max_views > 0) return await table.spend(share, now);
    // Checking a password takes time: a share that was deleted or changed in between no longer opens.
    const present = shareCache.kept(share.slug) ?? (await find(share.slug));
    if (present?.id !== share.id || present.version !== share.version) return undefined;
    if (hasLost(present) || isGone(present, now)) return undefined;
    return { views: present.views + counter.count(share.id) };
  };
  const gated = { kept: shareCache.kept, find, spend, hasLost };
  const gate = createGate({ kind: "file", table: gated, passwords, grants, limiter, clock, spent });
  const edit = createEdit<FileRow>({ clock, passwords }, table.slugIsFree);
  const fileCache = createFileCache(steadyClock(clock), transfers);

  /** A share that the caller owns, ready or not; others' look missing. */
  const owned = async (caller: Caller, id: string): Promise<ListedFileRow> => {
    await counter.flush();
    const row = await table.findById(id);
    if (!row || !owns(caller, row.created_by)) throw new Failure("share.missing");
    return row;
  };

  /**
   * As `owned`, without shares whose file has not arrived: nobody has seen them, and a change would void what their
   * owner was given.
   */
  const ready = async (caller: Caller, id: string): Promise<ListedFileRow> => {
    const row = await owned(caller, id);
    if (row.pending) throw new Failure("share.missing");
    return row;
  };

  /** The row is removed first, so that nobody opens a share whose file is being removed. */
  const removeOne = async (row: Pick<FileRow, "id" | "upload">, keepFile: boolean): Promise<void> => {
    const released = await changed(table.remove(row, keepFile));
    if (released && row.upload !== null) await transfers.uploads.drop(row.upload);
  };

  /** As `removeOne`; what a failing storage does not remove now is left to the sweeper, because the share is gone. */
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

  const { giveUp, settle, begin, ...uploads } = createFileUploads(deps, { table, owned, removeOne });

  return {
    begin,
    ...uploads,
    ...createFileReceiving(deps, { table, begin, settle, giveUp, takeOver }),
    ...createStoredFiles(deps, {
      table,
      async forget() {
        shareCache.forget();
        fileCache.cache.clear();
        await cluster.publish("file shares");
      },
    }),

    /** Opens for a visitor and spends a view. 404, 410, 401 password.wrong, 429. */
    open: (slug: string, visitor: Visitor): Promise<Opening<FileRow, FileOpening>> => gate.open(slug, visitor),

    /** Opens for an answer that spends the view itself, once it is sure to carry content. As `open`. */
    openFor: gate.openFor,

    peek: gate.peek,
    unlock: gate.unlock,

    /** As the gate's, also for a visitor who has opened the share before. */
    async look(slug: string, visitor: Visitor): Promise<Looked<FileRow>> {
      const again = await gate.readmit(slug, visitor);
      return again ? { share: again, admitted: true } : await gate.look(slug, visitor);
    },

    /** The share for a visitor who has opened it before and says so with a grant; spends nothing. */
    readmit: gate.readmit,

    /** Returns the attributes of a share's file; undefined if it is gone. */
    headOf: fileCache.head,

    /** The file of a share; undefined when it is no longer there. */
    fileOf: fileCache.find,

    /**
     * Returns the address at which the share's storage serves the file, for as long as its addresses are valid;
     * undefined if it has to pass through this server.
     */
    directUrl(share: FileRow, kind: "inline" | "attachment"): Promise<string | undefined> {
      const guarded = share.password_hash !== null || share.max_views > 0;
      const left = share.expires_at === null ? VISITOR_GRANT_LIFE : share.expires_at - clock();
      // Such an address cannot be revoked, so where it would bypass a password or a limit it is short-lived.
      const life = Math.min(left, guarded ? LIMITED_ADDRESS_LIFE : VISITOR_GRANT_LIFE);
      const answer = {
        disposition: disposition(kind, share.filename),
        type: servedType(share.content_type),
        seconds: life / 1000,
      };
      // The storage's public host takes no response headers, so it can only serve files inline.
      return transfers.directUrl(share, {
        ...answer,
        open: !guarded && share.expires_at === null && kind === "inline",
      });
    },

    caches: [shareCache.cache, fileCache.cache],

    /** Tells what files are for those who show them, as the settings say now. */
    kinds: createFileKinds(settings),

    async list(page: FilePage): Promise<Listing<ListedFileRow>> {
      await counter.flush();
      const now = clock();
      const outlook = await table.outlook(page, now);
      return await readPage(page, {
        rows: (wider) => table.page(wider, now, outlook),
        count: () => table.count(page, now, outlook),
      });
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
        const after = use_proxy === undefined ? edited : { ...edited, use_proxy: Number(use_proxy) };
        return changed(table.update({ before, after, resetViews }));
      };
      const edited = { slug, remark, password, expiresAt, maxViews, signal };
      return { id, slug: await edit(edited, () => ready(caller, id), write) };
    },

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

    /** Writes the views that are still in memory. */
    close: () => counter.flush(),

    /** Removes shares that have been gone for longer than `kept` milliseconds; objects of silent storages are left for later. */
    sweep: (kept: number, silent: Set<string>) =>
      clearEach(
        (limit) => table.gone(clock() - kept, limit),
        (row) => removeFor(row, false, silent),
      ),

    /** Forgets the request keys of shares older than `kept` milliseconds. */
    forgetRequestKeys: (kept: number) => table.forgetRequestKeys(clock() - kept),

    /** As `sweep`: shares for whose file nothing has arrived for `kept` milliseconds. */
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

export type Files = ReturnType<typeof createFiles>;
