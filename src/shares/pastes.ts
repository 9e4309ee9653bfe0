import { Failure } from "#contract/failures";
import { MAX_CONTENT_BYTES, PREVIEW_CHARACTERS } from "#contract/limits";
import type { NewPaste, PasteChange } from "#contract/pastes";
import type { Limiter } from "../access/limiter.ts";
import type { Passwords } from "../access/passwords.ts";
import { type Caller, ownerName, owns } from "../access/principal.ts";
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { createGate, type Opening, type Visitor } from "./gate.ts";
import type { Grants } from "./grants.ts";
import { createHotTexts } from "./hot-texts.ts";
import { type FoundPaste, type OpenedText, type PastePage, type PasteRow, pastesTable } from "./pastes-table.ts";
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

const SLICE = 500;

/** Shared texts: made and changed by their owners, opened by anybody through the gate. */
export function createPastes({ db, clock, log, passwords, grants, limiter }: PastesRoom) {
  const table = pastesTable(db);
  const hot = createHotTexts();
  const changed = async <Result>(change: Promise<Result>): Promise<Result> => {
    try {
      return await change;
    } finally {
      hot.forget();
    }
  };
  const counter = createViewCounter((views) => changed(table.addViews(views)), log);

  const spend = async (share: FoundPaste, now: number): Promise<OpenedText | undefined> => {
    if (share.free_content === null) return await table.spend(share, now);
    return { views: share.views + counter.count(share.id), content: share.free_content };
  };
  const gated = { find: (slug: string) => hot.get(slug, table.findForVisitor), spend };
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
     * within a day gets the share of the first time.
     */
    async create(caller: Caller, wish: NewPaste, repeatable?: string): Promise<PasteRow> {
      const requestKey = repeatable === undefined ? null : `${ownerName(caller)} ${repeatable}`;
      const first = requestKey && (await table.findByRequestKey(requestKey));
      if (first) return first;
      const now = clock();
      const draft = {
        id: Bun.randomUUIDv7(),
        ...measured(wish.content),
        remark: wish.remark ?? null,
        password_hash: wish.password ? await passwords.hash(wish.password) : null,
        expires_at: futureOrNull(wish.expiresAt, now),
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
        const rival = requestKey && (await table.findByRequestKey(requestKey));
        if (rival) return rival;
        throw error;
      }
    },

    /** Opens for a visitor and spends a view. 404, 410, 401 password.wrong, 429. */
    open: (slug: string, visitor: Visitor): Promise<Opening<PasteRow, OpenedText>> => gate.open(slug, visitor),

    /** Opens at once what has neither password nor limit; of anything else only tells what it asks for. */
    async peek(slug: string, visitor: Visitor): Promise<Opening<PasteRow, OpenedText>> {
      const share = await gate.find(slug, visitor);
      const free = share.password_hash === null && share.max_views === 0;
      return free ? await gate.open(slug, visitor) : { open: false, share };
    },

    /** As `open`, for a share that has a password. 400 share.noPassword when it has none. */
    async unlock(slug: string, visitor: Visitor): Promise<Opening<PasteRow, OpenedText>> {
      const share = await gate.find(slug, visitor);
      if (share.password_hash === null) throw new Failure("share.noPassword");
      return await gate.open(slug, visitor);
    },

    /** What `open` would find, without spending a view. */
    async look(slug: string, visitor: Visitor): Promise<{ share: PasteRow; admitted: boolean }> {
      const share = await gate.find(slug, visitor);
      return { share, admitted: await gate.admits(share, visitor) };
    },

    async list(page: PastePage): Promise<{ rows: PasteRow[]; total: number }> {
      await counter.flush();
      return { rows: await table.page(page), total: await table.count(page.owner) };
    },

    async read(caller: Caller, slugOrId: string): Promise<{ row: PasteRow; content: string }> {
      const row = await owned(caller, slugOrId);
      return { row, content: await table.content(row.id) };
    },

    /** Changes what is given and keeps the rest; the views stay unless `resetViews`. Voids every grant. */
    async update(caller: Caller, slugOrId: string, wish: PasteChange): Promise<{ id: string; slug: string }> {
      const before = await owned(caller, slugOrId);
      const now = clock();
      const text = wish.content === undefined ? undefined : measured(wish.content);
      const after: PasteRow = {
        ...before,
        ...text,
        remark: wish.remark === undefined ? before.remark : wish.remark,
        password_hash: await newPasswordHash(before, wish),
        expires_at: wish.expiresAt === undefined ? before.expires_at : unchangedOrFuture(before, wish.expiresAt, now),
        max_views: wish.maxViews === undefined ? before.max_views : (wish.maxViews ?? 0),
        updated_at: now,
      };
      const save = (slug: string) =>
        changed(
          table.update({
            before,
            after: { ...after, slug },
            content: wish.content,
            resetViews: wish.resetViews === true,
          }),
        );
      if (wish.newSlug === undefined || wish.newSlug === before.slug) {
        await save(before.slug);
        return { id: before.id, slug: before.slug };
      }
      const slug = await claimSlug(wish.newSlug || undefined, async (wanted) => {
        if (await table.find(wanted)) return false;
        await save(wanted);
        return true;
      });
      return { id: before.id, slug };
    },

    /** Answers how many were removed; ids that are not there or belong to others are passed over. */
    remove: (caller: Caller, ids: readonly string[]) =>
      changed(table.remove(ids, caller.kind === "admin" ? undefined : ownerName(caller))),

    /** Removes everything that has expired or is used up by now. */
    clearGone: () => removeGone(clock()),

    /** Writes what is only counted in memory so far. */
    close: () => counter.flush(),

    /** Removes what has been gone for longer than `kept` milliseconds. */
    sweep: (kept: number) => removeGone(clock() - kept),

    /** Forgets the request keys of shares older than `kept` milliseconds. */
    forgetRequestKeys: (kept: number) => table.forgetRequestKeys(clock() - kept),
  };

  async function newPasswordHash(before: PasteRow, wish: PasteChange): Promise<string | null> {
    if (wish.clearPassword) return null;
    return wish.password ? await passwords.hash(wish.password) : before.password_hash;
  }
}

export type Pastes = ReturnType<typeof createPastes>;

/** Checks a text and takes its measures. */
function measured(content: string): { size: number; preview: string } {
  if (content.trim() === "") throw new Failure("content.empty");
  const size = Buffer.byteLength(content);
  if (size > MAX_CONTENT_BYTES) throw new Failure("content.tooLarge");
  const cut = content.slice(0, PREVIEW_CHARACTERS).toWellFormed();
  return { size, preview: content.length > PREVIEW_CHARACTERS ? `${cut}...` : cut };
}

function futureOrNull(expiresAt: string | null | undefined, now: number): number | null {
  if (expiresAt == null) return null;
  const instant = Date.parse(expiresAt);
  if (!(instant > now)) throw new Failure("expiry.past");
  return instant;
}

/** An edit form sends the old expiry back: that is no new expiry, even when it has passed. */
function unchangedOrFuture(before: PasteRow, expiresAt: string | null, now: number): number | null {
  if (expiresAt !== null && Date.parse(expiresAt) === before.expires_at) return before.expires_at;
  return futureOrNull(expiresAt, now);
}
