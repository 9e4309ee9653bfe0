import { LIMITED_ADDRESS_LIFE, VISITOR_GRANT_LIFE } from "#contract/limits";
import { limitedAddress } from "../lib/addresses.ts";
import { steadyClock } from "../lib/clock.ts";
import { disposition, servedType } from "../lib/mime.ts";
import type { GrowingFile } from "../transfers/growing.ts";
import { type FileRow, type FilesTable, hasLost } from "./files-table.ts";
import { createGate, type FoundShare, type Opening, type Visitor } from "./gate.ts";
import { createFileCache, createShareCache, createViewCounter } from "./memory.ts";
import type { FilesDeps } from "./new-share.ts";
import { isGone, isUploading, notArrived, opensFreely } from "./share-state.ts";

/** What a view of a file buys; the bytes are fetched separately. */
export interface FileOpening {
  /** Views including this one. */
  readonly views: number;
  readonly own?: boolean | undefined;
}

/** One whose file is on its way changes without a word to other servers. */
const isKept = (share: FileRow): boolean => share.max_views === 0 && !isUploading(share);

/** Opens files: their shares through the gate, and their bytes from memory or from their storage. */
export function createFileOpening(table: FilesTable, deps: FilesDeps) {
  const { clock, log, passwords, grants, limiter, transfers, cluster, spent, refused } = deps;
  const shareCache = createShareCache<FileRow>("file shares", isKept, cluster);
  const { changed } = shareCache;
  const counter = createViewCounter((views) => changed(table.addViews(views, clock())), log);

  const opens = (share: FileRow) => opensFreely(share, clock()) && !isUploading(share) && !hasLost(share);
  const find = (slug: string) => shareCache.keep(slug, (wanted) => table.findForVisitor(wanted, opens));
  /** A share as it was found. Checking a password takes time: one that was deleted or changed in between no longer opens. */
  const presentOf = async (share: FileRow, now: number): Promise<FileRow | undefined> => {
    const present = shareCache.kept(share.slug) ?? (await find(share.slug));
    if (present?.id !== share.id || present.version !== share.version) return undefined;
    return hasLost(present) || isGone(present, now) ? undefined : present;
  };
  const spend = async (share: FileRow, now: number): Promise<FileOpening | undefined> => {
    if (share.max_views > 0) return await table.spend(share, now);
    const present = await presentOf(share, now);
    return present && { views: present.views + counter.count(share.id) };
  };
  const show = async (share: FileRow, now: number): Promise<FileOpening | undefined> => {
    const present = await presentOf(share, now);
    return present && { views: present.views };
  };
  const gated = { kept: shareCache.kept, find, spend, show, hasLost };
  const gate = createGate({ kind: "file", table: gated, passwords, grants, limiter, clock, spent, refused });
  const fileCache = createFileCache(steadyClock(clock), transfers);

  const opening = {
    /** Opens for a visitor and spends a view. 404, 410, 401 password.wrong, 429. */
    open: (slug: string, visitor: Visitor): Promise<Opening<FileRow, FileOpening>> => gate.open(slug, visitor),

    /** Opens for an answer that spends the view itself, once it is sure to carry content. 404, 410, 401 password.wrong, 429. */
    openFor: gate.openFor,

    /** Whether a sealed file has this slug, whether or not it still opens. */
    isSealed: async (slug: string): Promise<boolean> => ((await find(slug))?.sealed ?? null) !== null,

    /** A share that is not gone, for whoever only asks how it stands. 404, 410, 429. */
    find: gate.find,

    peek: gate.peek,
    glance: gate.glance,
    /** The share for the browser that has opened it some minutes ago; spends nothing. Undefined for any other. */
    reload: gate.reload,
    unlock: gate.unlock,

    /** What `open` would find, without spending a view, also for a visitor who has opened the share before. */
    async look(slug: string, visitor: Visitor, how?: { early: boolean }): Promise<FoundShare<FileRow>> {
      const again = await gate.readmit(slug, visitor, how);
      return again ? { share: again, admitted: true } : await gate.look(slug, visitor, how);
    },

    /** The share for a visitor who has opened it before and says so with a grant; spends nothing. */
    readmit: gate.readmit,

    /** The file of a share that is on its way, to read as it comes. 503 share.uploading where that cannot be, or not yet. */
    async arriving({ upload }: FileRow, { address }: Pick<Visitor, "address">): Promise<GrowingFile> {
      const growing = upload === null ? undefined : await transfers.growing.open(upload, limitedAddress(address));
      if (!growing) throw notArrived();
      return growing;
    },

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
  };
  return { opening, counter, shareCache, fileCache };
}
