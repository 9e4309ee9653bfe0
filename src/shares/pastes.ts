import { Failure } from "#contract/failures";
import { MAX_CONTENT_BYTES, PREVIEW_CHARACTERS } from "#contract/limits";
import type { NewPaste, PasteChange } from "#contract/pastes";
import type { Limiter } from "../access/limiter.ts";
import type { Passwords } from "../access/passwords.ts";
import { type Caller, ownerName, ownerNames } from "../access/principal.ts";
import { owns } from "../access/rights.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { removeInSlices } from "../lib/turns.ts";
import type { DiskSpace } from "../stores/disk/space.ts";
import type { Days } from "./days-table.ts";
import { createGate, type Grants, isGone, type Opening, type Prepare, type Spent, type Visitor } from "./gate.ts";
import { type Listing, readPage } from "./lists-table.ts";
import { createShareCache, createViewCounter } from "./memory.ts";
import {
  type Asking,
  answeredBefore,
  claimSlug,
  createEdit,
  newExpiry,
  ownKey,
  Repeated,
  type RequestKey,
  requestKeyOf,
} from "./new-share.ts";
import { type FoundPaste, type OpenedText, type PastePage, type PasteRow, pastesTable } from "./pastes-table.ts";
import { quotaBytes, quotaOf, type TextQuotas } from "./text-quotas.ts";

interface PastesDeps {
  db: Database;
  clock: Clock;
  log: Log;
  passwords: Passwords;
  grants: Grants;
  limiter: Limiter;
  quotas: TextQuotas;
  /** The disk of the database. */
  disk: Pick<DiskSpace, "requireForDatabase">;
  cluster: Pick<Cluster, "follow">;
  spent?: Spent | undefined;
}

/** A change as it was asked for. */
interface Asked {
  readonly request: PasteChange;
  readonly requestKey: RequestKey | undefined;
  readonly base: number;
}

/** Rows removed at once: of the largest texts, what takes a few milliseconds. */
const SLICE = 8;
const EDIT_TRIES = 5;

/** Shared texts: made and changed by their owners, opened by anybody through the gate. */
export function createPastes(deps: PastesDeps) {
  const { db, clock, log, passwords, grants, limiter, quotas, disk, cluster, spent } = deps;
  const table = pastesTable(db);
  const isFree = ({ free_content }: FoundPaste) => free_content !== null;
  // Their views are counted where all servers see them, and the statement that spends one asks whether the text is as it was found.
  const isLimited = (share: FoundPaste) => share.password_hash === null && share.views < share.max_views;
  const shareCache = createShareCache<FoundPaste>("texts", (share) => isFree(share) || isLimited(share), cluster);
  const { changed } = shareCache;
  const counter = createViewCounter((views) => changed(table.addViews(views, clock())), log);

  const spend = async (share: FoundPaste, now: number): Promise<OpenedText | undefined> => {
    if (share.password_hash !== null || share.max_views > 0) return await table.spend(share, now);
    const content = share.free_content ?? (await table.content(share));
    return content === undefined ? undefined : { views: share.views + counter.count(share.id), content };
  };
  const keptIf = (isGood: (share: FoundPaste) => boolean) => (slug: string) => {
    const share = shareCache.kept(slug);
    return share && isGood(share) ? share : undefined;
  };
  const find = (slug: string) => shareCache.keep(slug, table.findForVisitor);
  // One that has expired here may have got longer at another server.
  const isSpendable = (share: FoundPaste) => isLimited(share) && !isGone(share, clock());
  const gated = { kept: keptIf(isFree), spendable: keptIf(isSpendable), find, spend };
  const edit = createEdit<PasteRow>({ clock, passwords }, async (slug) => !(await table.find(slug)));
  const gate = createGate({ kind: "paste", table: gated, passwords, grants, limiter, clock, spent });

  /** A share that the caller owns, by slug first and then by id; others' look missing. */
  const owned = async (caller: Caller, slugOrId: string): Promise<PasteRow> => {
    await counter.flush();
    const row = (await table.find(slugOrId)) ?? (await table.findById(slugOrId));
    if (!row || !owns(caller, row.created_by)) throw new Failure("share.missing");
    return row;
  };

  const removeGone = (before: number): Promise<number> =>
    removeInSlices((limit) => changed(table.removeGone(before, limit)), SLICE);

  return {
    /**
     * 400 content.empty, slug.*, expiry.past; 409 slug.taken; 413 content.tooLarge; 507 storage.full. A caller that
     * repeats a request key within a day gets the first share; 409 request.differs for another request.
     */
    async create(caller: Caller, request: NewPaste, repeatable?: string): Promise<PasteRow> {
      const requestKey = repeatable === undefined ? undefined : requestKeyOf(caller, repeatable, request);
      const first = requestKey && answeredBefore(requestKey, await table.findByRequestKey(requestKey.key));
      if (first) return first;
      const now = clock();
      const text = { ...measured(request.content), remark: request.remark ?? null };
      const room = { quota: quotaOf(caller), bytes: quotaBytes(text) };
      disk.requireForDatabase(room.bytes);
      const draft = {
        id: Bun.randomUUIDv7(),
        ...text,
        quota: room.quota,
        quota_bytes: room.bytes,
        password_hash: request.password ? await passwords.hash(request.password) : null,
        expires_at: newExpiry(request.expiresAt, now),
        max_views: request.maxViews ?? 0,
        plain: Number(request.plain ?? false),
        views: 0,
        version: 1,
        created_by: ownerName(caller),
        created_at: now,
        updated_at: now,
      };
      const claim = (slug: string) =>
        quotas.within(room, (taken) =>
          table.insert({ row: { ...draft, slug }, content: request.content, requestKey, room: taken }),
        );
      try {
        return { ...draft, slug: await claimSlug(request.slug ?? undefined, claim) };
      } catch (error) {
        // The same request may have come twice at once: what took the slug or the key is then its twin.
        const twin = requestKey && answeredBefore(requestKey, await table.findByRequestKey(requestKey.key));
        if (twin) return twin;
        throw error;
      }
    },

    /** Opens for a visitor and spends a view. 404, 410, 401 password.wrong, 429. */
    open: (slug: string, visitor: Visitor, prepare?: Prepare<PasteRow>): Promise<Opening<FoundPaste, OpenedText>> =>
      gate.open(slug, visitor, { prepare }),

    peek: gate.peek,
    unlock: gate.unlock,
    look: gate.look,

    async list(page: PastePage): Promise<Listing<PasteRow>> {
      await counter.flush();
      const now = clock();
      const outlook = await table.outlook(page, now);
      return await readPage(page, {
        rows: (wider) => table.page(wider, now, outlook),
        count: () => table.count(page, now, outlook),
      });
    },

    /** How many there are, and how many were made on each of these days. */
    count: async (days: Days) => ({
      total: await table.countAll(),
      days: await table.countByDay(days),
    }),

    /**
     * Returns the texts of listed shares by id, at most MAX_CONTENT_BYTES together: later ones are left out, and those
     * changed in the meantime.
     */
    async texts(rows: readonly PasteRow[]): Promise<ReadonlyMap<string, string>> {
      const texts = new Map<string, string>();
      let bytes = 0;
      for (const row of rows) {
        bytes += row.size;
        if (bytes > MAX_CONTENT_BYTES) break;
        const content = await table.content(row);
        if (content !== undefined) texts.set(row.id, content);
      }
      return texts;
    },

    async read(
      caller: Caller,
      slugOrId: string,
      prepare?: Prepare<PasteRow>,
    ): Promise<{ row: PasteRow; content: string }> {
      for (let attempt = 0; attempt < EDIT_TRIES; attempt++) {
        const row = await owned(caller, slugOrId);
        await prepare?.(row);
        const content = await table.content(row);
        if (content !== undefined) return { row, content };
      }
      throw new Failure("server.busy");
    },

    /**
     * Changes the given fields; the views stay unless `resetViews`. Voids every grant. 507 storage.full if the text
     * grows beyond its owner's quota; 409 share.changed if the share has another version than the request names, unless it
     * is as wanted already, or was left so by the same caller's request of that key or of one in `after`: a client that
     * got no answer asks again, perhaps for more. A request that is repeated changes nothing; 409 request.differs.
     */
    async update(
      caller: Caller,
      slugOrId: string,
      request: PasteChange,
      { repeatable, signal }: Asking = {},
    ): Promise<{ id: string; slug: string }> {
      const requestKey = repeatable === undefined ? undefined : requestKeyOf(caller, repeatable, request);
      const own = new Set((request.after ?? []).map((key) => ownKey(caller, key)));
      const found = await owned(caller, slugOrId);
      const { id } = found;
      if (requestKey) own.add(requestKey.key);
      if ((request.version ?? found.version) < found.version && (await isAsWanted(found, request)))
        return { id, slug: found.slug };
      const text = {
        ...(request.content !== undefined && measured(request.content)),
        ...(request.plain !== undefined && { plain: Number(request.plain) }),
      };
      const { newSlug, remark, expiresAt, maxViews } = request;
      const password = request.clearPassword ? null : request.password || undefined;
      const change = { slug: newSlug, remark, password, expiresAt, maxViews, signal };
      let base = found.version;
      const write = (before: PasteRow, after: PasteRow) =>
        changed(replace(before, { ...after, ...text }, { request, requestKey, base }));
      const find = async () => {
        const row = await owned(caller, id);
        const last = own.size > 0 ? await table.lastChange(row) : undefined;
        if (requestKey && last?.change_key === requestKey.key && answeredBefore(requestKey, last))
          throw new Repeated(row.slug);
        const isOwn = last !== undefined && own.has(last.change_key);
        base = isOwn ? last.change_base : row.version;
        const { version = row.version } = request;
        // Somebody else's change may lie before the first of one's own.
        if (version !== row.version && !(isOwn && base <= version)) throw new Failure("share.changed");
        return row;
      };
      try {
        return { id, slug: await edit(change, find, write) };
      } catch (error) {
        if (error instanceof Repeated) return { id, slug: error.slug };
        throw error;
      }
    },

    /** Answers how many were removed, and which ids are not there or belong to others. */
    async remove(caller: Caller, ids: readonly string[]): Promise<{ removed: number; missing: string[] }> {
      const owners = caller.kind === "admin" ? undefined : ownerNames(caller);
      // Sorted, so that two who remove the same texts at once never wait for each other.
      const wanted = [...new Set(ids)].sort();
      const missing: string[] = [];
      for (let start = 0; start < wanted.length; start += SLICE) {
        missing.push(...(await changed(table.remove(wanted.slice(start, start + SLICE), owners))));
        await Bun.sleep(0);
      }
      return { removed: wanted.length - missing.length, missing };
    },

    /** Removes everything that has expired or is used up by now. */
    clearGone: () => removeGone(clock()),

    cache: shareCache.cache,

    /** Writes the views that are still in memory. */
    close: () => counter.flush(),

    /** Removes texts that have been gone for longer than `kept` milliseconds. */
    sweep: (kept: number) => removeGone(clock() - kept),

    /** Forgets the request keys of shares older than `kept` milliseconds. */
    forgetRequestKeys: (kept: number) => table.forgetRequestKeys(clock() - kept),
  };

  /** Reports whether a change would leave a share as it is. */
  async function isAsWanted(row: PasteRow, wanted: PasteChange): Promise<boolean> {
    const { content, newSlug, remark, expiresAt, maxViews, password, clearPassword, resetViews, plain } = wanted;
    if (password || resetViews || (clearPassword && row.password_hash !== null)) return false;
    const expires = expiresAt == null ? null : Date.parse(expiresAt);
    return (
      (newSlug === undefined || newSlug === row.slug) &&
      (remark === undefined || remark === row.remark) &&
      (expiresAt === undefined || expires === row.expires_at) &&
      (maxViews === undefined || (maxViews ?? 0) === row.max_views) &&
      (plain === undefined || Number(plain) === row.plain) &&
      (content === undefined || content === (await table.content(row)))
    );
  }

  /** Reports whether it was written; not if the share changed in the meantime. 507 storage.full. */
  async function replace(before: PasteRow, written: PasteRow, { request, requestKey, base }: Asked): Promise<boolean> {
    const after = { ...written, quota_bytes: quotaBytes(written) };
    const growth = after.quota_bytes - before.quota_bytes;
    if (growth > 0) disk.requireForDatabase(growth);
    const change = {
      before,
      after,
      content: request.content,
      resetViews: request.resetViews === true,
      requestKey,
      base,
    };
    return await quotas.within({ quota: before.quota, bytes: growth }, (room) => table.update({ ...change, room }));
  }
}

/** Bytes and preview of a text. 400 content.empty, 413 content.tooLarge. */
function measured(content: string): { size: number; preview: string } {
  if (content.trim() === "") throw new Failure("content.empty");
  const size = Buffer.byteLength(content);
  if (size > MAX_CONTENT_BYTES) throw new Failure("content.tooLarge");
  const cut = content.slice(0, PREVIEW_CHARACTERS).toWellFormed();
  return { size, preview: content.length > PREVIEW_CHARACTERS ? `${cut}...` : cut };
}

export type Pastes = ReturnType<typeof createPastes>;
