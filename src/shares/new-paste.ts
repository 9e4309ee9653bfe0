import { Failure } from "#contract/failures";
import { MAX_CONTENT_BYTES, PREVIEW_CHARACTERS } from "#contract/limits";
import type { NewPaste } from "#contract/pastes";
import { recognise } from "#contract/text/kind";
import type { Passwords } from "../access/passwords.ts";
import { type Caller, ownerName } from "../access/principal.ts";
import type { Clock } from "../lib/clock.ts";
import type { DiskSpace } from "../stores/disk/space.ts";
import { answeredBefore, askedExpiry, claimSlug, requestKeyOf } from "./new-share.ts";
import type { PasteRow, PastesTable } from "./pastes-table.ts";
import type { ShareLimits } from "./share-limits.ts";
import { quotaBytes, quotaOf, type TextQuotas } from "./text-quotas.ts";

/** What making and changing texts depends on. */
export interface WritingDeps {
  readonly table: PastesTable;
  readonly clock: Clock;
  readonly passwords: Passwords;
  readonly quotas: TextQuotas;
  readonly limits: ShareLimits;
  /** The disk of the database. */
  readonly disk: Pick<DiskSpace, "requireForDatabase">;
}

/**
 * Returns the function that shares a text.
 * 400 content.empty, slug.*, expiry.past, expiry.tooLong; 403 visitors.shares; 409 slug.taken; 413 content.tooLarge; 507 storage.full. A caller that
 * repeats a request key within a day gets the first share; 409 request.differs for another request.
 */
export function createNewPaste({ table, clock, passwords, quotas, limits, disk }: WritingDeps) {
  return async (caller: Caller, request: NewPaste, repeatable?: string): Promise<PasteRow> => {
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
      expires_at: await limits.expiry(caller, askedExpiry({ expires_at: request.expiresAt }, now)),
      max_views: request.maxViews ?? 0,
      // Not before its key is made: the same request stays the same, whatever is recognised by then.
      plain: Number(request.plain ?? recognise(request.content) !== undefined),
      views: 0,
      version: 1,
      created_by: ownerName(caller),
      created_at: now,
      updated_at: now,
    };
    const claim = (slug: string) =>
      limits.within(caller, () =>
        quotas.within(room, (taken) =>
          table.insert({ row: { ...draft, slug }, content: request.content, requestKey, room: taken }),
        ),
      );
    try {
      return { ...draft, slug: await claimSlug(request.slug ?? undefined, claim) };
    } catch (error) {
      // The same request may have come twice at once: what took the slug or the key is then the other one.
      const earlier = requestKey && answeredBefore(requestKey, await table.findByRequestKey(requestKey.key));
      if (earlier) return earlier;
      throw error;
    }
  };
}

/** Bytes and preview of a text. 400 content.empty, 413 content.tooLarge. */
export function measured(content: string): { size: number; preview: string } {
  if (content.trim() === "") throw new Failure("content.empty");
  const size = Buffer.byteLength(content);
  if (size > MAX_CONTENT_BYTES) throw new Failure("content.tooLarge");
  const cut = content.slice(0, PREVIEW_CHARACTERS).toWellFormed();
  return { size, preview: content.length > PREVIEW_CHARACTERS ? `${cut}...` : cut };
}
