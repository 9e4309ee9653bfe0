import { Failure } from "#contract/failures";
import { MAX_CONTENT_BYTES } from "#contract/limits";
import type { NewPaste, PasteChange } from "#contract/pastes";
import type { Limiter } from "../access/limiter.ts";
import type { Passwords } from "../access/passwords.ts";
import { type Caller, ownerName, ownerNames } from "../access/principal.ts";
import { owns } from "../access/rights.ts";
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { editedExpiry, newExpiry } from "./expiry.ts";
import { createGate, type Opening, type Visitor } from "./gate.ts";
import type { Grants } from "./grants.ts";
import { createHotShares } from "./hot-shares.ts";
import { measured } from "./paste-draft.ts";
import { type FoundPaste, type OpenedText, type PastePage, type PasteRow, pastesTable } from "./pastes-table.ts";
import { answeredBefore, requestKeyOf } from "./request-key.ts";
import { claimSlug } from "./slugs.ts";
import { createViewCounter } from "./view-counter.ts";

interface PastesRoom {
  db: Database;
  clock: Clock;
  log: Log;
  passwords: Passwords;
  grants: Grants;
  limiter: Limiter;
}

/** Rows removed at once: of the largest texts, what takes a few milliseconds. */
const SLICE = 8;
const EDIT_TRIES = 5;

/** Shared texts: made and changed by their owners, opened by anybody through the gate. */
export function createPastes({ db, clock, log, passwords, grants, limiter }: PastesRoom) {
  const table = pastesTable(db);
  const hot = createHotShares<FoundPaste>("texts", ({ free_content }) => free_content !== null);
  /** Every change goes through here. */
  const changed = async <Result>(change: Promise<Result>): Promise<Result> => {
    try {
      return await change;
    } finally {
      hot.forget();
    }
  };
  const counter = createViewCounter((views) => changed(table.addViews(views, clock())), log);

  const spend = async (share: FoundPaste, now: number): Promise<OpenedText | undefined> => {
    if (share.password_hash !== null || share.max_views > 0) return await table.spend(share, now);
    const content = share.free_content ?? (await table.content(share));
    return content === undefined ? undefined : { views: share.views + counter.count(share.id), content };
  };
  const gated = { kept: hot.kept, find: (slug: string) => hot.keep(slug, table.findForVisitor), spend };
  const gate = createGate({ kind: "paste", table: gated, passwords, grants, limiter, clock });

  /** A share that the caller owns, by slug first and then by id; others' look missing. */
  const owned = async (caller: Caller, slugOrId: string): Promise<PasteRow> => {
    await counter.flush();
    const row = (await table.find(slugOrId)) ?? (await table.findById(slugOrId));
    if (!row || !owns(caller, row.created_by)) throw new Failure("share.missing");
    return row;
  };

  const removeGone = async (before: number): Promise<number> => {
    let removed = 0;
    for (;;) {
      const slice = await changed(table.removeGone(before, SLICE));
      removed += slice;
      if (slice < SLICE) return removed;
      await Bun.sleep(0);
    }
  };

  return {
    /**
     * 400 content.empty, slug.*, expiry.past; 409 slug.taken; 413 content.tooLarge. A caller that repeats a request key
     * within a day gets the share of the first time; 409 request.differs when it asks for something else.
     */
    async create(caller: Caller, wish: NewPaste, repeatable?: string): Promise<PasteRow> {
      const requestKey = repeatable === undefined ? undefined : requestKeyOf(caller, repeatable, wish);
      const first = requestKey && answeredBefore(requestKey, await table.findByRequestKey(requestKey.key));
      if (first) return first;
      const now = clock();
      const draft = {
        id: Bun.randomUUIDv7(),
        ...measured(wish.content),
        remark: wish.remark ?? null,
        password_hash: wish.password ? await passwords.hash(wish.password) : null,
        expires_at: newExpiry(wish.expiresAt, now),
        max_views: wish.maxViews ?? 0,
        views: 0,
        version: 1,
        created_by: ownerName(caller),
        created_at: now,
        updated_at: now,
      };
      const claim = (slug: string) => table.insert({ row: { ...draft, slug }, content: wish.content, requestKey });
      try {
        return { ...draft, slug: await claimSlug(wish.slug ?? undefined, claim) };
      } catch (error) {
        // The same request may have come twice at once: what took the slug or the key is then its twin.
        const twin = requestKey && answeredBefore(requestKey, await table.findByRequestKey(requestKey.key));
        if (twin) return twin;
        throw error;
      }
    },

    /** Opens for a visitor and spends a view. 404, 410, 401 password.wrong, 429. */
    open: (slug: string, visitor: Visitor): Promise<Opening<FoundPaste, OpenedText>> => gate.open(slug, visitor),

    peek: gate.peek,
    unlock: gate.unlock,
    look: gate.look,

    async list(page: PastePage): Promise<{ rows: PasteRow[]; total: number }> {
      await counter.flush();
      return { rows: await table.page(page), total: await table.count(page.owners) };
    },

    /**
     * The texts of listed shares by id, at most MAX_CONTENT_BYTES of them together: those that come after are left out, and
     * those that were changed meanwhile.
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

    async read(caller: Caller, slugOrId: string): Promise<{ row: PasteRow; content: string }> {
      for (let attempt = 0; attempt < EDIT_TRIES; attempt++) {
        const row = await owned(caller, slugOrId);
        const content = await table.content(row);
        if (content !== undefined) return { row, content };
      }
      throw new Failure("server.busy");
    },

    /** Changes what is given and keeps the rest; the views stay unless `resetViews`. Voids every grant. */
    async update(caller: Caller, slugOrId: string, wish: PasteChange): Promise<{ id: string; slug: string }> {
      const { id } = await owned(caller, slugOrId);
      const text = wish.content === undefined ? undefined : measured(wish.content);
      const passwordHash = await wishedPasswordHash(wish);
      for (let attempt = 0; attempt < EDIT_TRIES; attempt++) {
        const before = await owned(caller, id);
        const now = clock();
        const after: PasteRow = {
          ...before,
          ...text,
          remark: wish.remark === undefined ? before.remark : wish.remark,
          password_hash: passwordHash === undefined ? before.password_hash : passwordHash,
          expires_at: editedExpiry(before.expires_at, wish.expiresAt, now),
          max_views: wish.maxViews === undefined ? before.max_views : (wish.maxViews ?? 0),
          slug: await wishedSlug(before, wish.newSlug),
          updated_at: now,
        };
        const update = { before, after, content: wish.content, resetViews: wish.resetViews === true };
        if (await changed(table.update(update))) return { id, slug: after.slug };
      }
      throw new Failure("server.busy");
    },

    /** Answers how many were removed; ids that are not there or belong to others are passed over. */
    async remove(caller: Caller, ids: readonly string[]): Promise<number> {
      const owners = caller.kind === "admin" ? undefined : ownerNames(caller);
      let removed = 0;
      for (let start = 0; start < ids.length; start += SLICE) {
        removed += await changed(table.remove(ids.slice(start, start + SLICE), owners));
        await Bun.sleep(0);
      }
      return removed;
    },

    /** Removes everything that has expired or is used up by now. */
    clearGone: () => removeGone(clock()),

    cache: hot.cache,

    /** Writes what is only counted in memory so far. */
    close: () => counter.flush(),

    /** Removes what has been gone for longer than `kept` milliseconds. */
    sweep: (kept: number) => removeGone(clock() - kept),

    /** Forgets the request keys of shares older than `kept` milliseconds. */
    forgetRequestKeys: (kept: number) => table.forgetRequestKeys(clock() - kept),
  };

  /** undefined keeps the present password, null takes it away. */
  async function wishedPasswordHash({ clearPassword, password }: PasteChange): Promise<string | null | undefined> {
    if (clearPassword) return null;
    return password ? await passwords.hash(password) : undefined;
  }

  /** The slug an edit asks for: null or empty is a new random one. 409 slug.taken. */
  async function wishedSlug(before: PasteRow, wanted: string | null | undefined): Promise<string> {
    if (wanted === undefined || wanted === before.slug) return before.slug;
    return await claimSlug(wanted || undefined, async (slug) => (await table.find(slug)) === undefined);
  }
}

export type Pastes = ReturnType<typeof createPastes>;
