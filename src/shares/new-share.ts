import { createHash } from "node:crypto";
import { Failure } from "#contract/failures";
import { RANDOM_SLUG_CHARACTERS } from "#contract/limits";
import { slugProblem } from "#contract/paths";
import type { NewFile, ShareOptions } from "#contract/uploads";
import type { Callers } from "../access/callers.ts";
import type { Limiter } from "../access/limiter.ts";
import type { Passwords } from "../access/passwords.ts";
import { type Caller, ownerName } from "../access/principal.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { randomText } from "../lib/secret.ts";
import type { Settings } from "../settings/settings.ts";
import type { Transfers } from "../transfers/transfers.ts";
import type { Refused, Spent } from "./gate.ts";
import type { Grants } from "./grants.ts";
import type { ShareLimits } from "./share-limits.ts";
import type { Gated } from "./share-state.ts";

/** What file shares depend on. */
export interface FilesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly passwords: Passwords;
  readonly grants: Grants;
  readonly limiter: Limiter;
  readonly settings: Settings;
  readonly transfers: Transfers;
  readonly callers: Callers;
  readonly limits: ShareLimits;
  readonly cluster: Cluster;
  readonly spent?: Spent | undefined;
  readonly refused?: Refused | undefined;
}

/** Returns a new share without its slug and file. 400 expiry.past, expiry.tooLong. */
export async function draftFor(
  { clock, passwords, settings, limits }: FilesDeps,
  caller: Caller,
  request: ShareOptions & Pick<NewFile, "sealed">,
) {
  const now = clock();
  return {
    id: Bun.randomUUIDv7(),
    remark: request.remark ?? null,
    expires_at: await limits.expiry(caller, askedExpiry(request, now)),
    password_hash: request.password ? await passwords.hash(request.password) : null,
    max_views: request.max_views ?? 0,
    views: 0,
    use_proxy: Number(request.use_proxy ?? settings.get("default_use_proxy")),
    version: 1,
    created_by: ownerName(caller),
    created_at: now,
    updated_at: now,
    sealed: request.sealed ?? null,
    file_gone_at: null,
  };
}

/** The instant that a share was asked for with, or with hours of which 0 are for ever; null is never, undefined says nothing. */
export function askedExpiry(
  { expires_at, expires_in }: Pick<ShareOptions, "expires_at" | "expires_in">,
  now: number,
): number | null | undefined {
  if (expires_at != null) return Date.parse(expires_at);
  if (expires_in != null) return expires_in === 0 ? null : now + expires_in * HOUR;
  return expires_at === null ? null : undefined;
}

const HOUR = 3_600_000;

/** Without the characters that people mistake for one another when they read a link aloud: 0 O o, 1 l I i. */
const alphabet = "23456789abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ";
const TRIES = 5;

export const randomSlug = (): string => randomText(alphabet, RANDOM_SLUG_CHARACTERS);

/**
 * Finds a slug and hands it to `claim`, which answers whether it was free: the wanted one, or a random one, tried again a
 * few times. 400 slug.invalid and slug.reserved, 409 slug.taken.
 */
export async function claimSlug(
  wanted: string | undefined,
  claim: (slug: string) => Promise<boolean>,
): Promise<string> {
  const problem = wanted === undefined ? undefined : slugProblem(wanted);
  if (problem) throw new Failure(problem);
  const tries = wanted === undefined ? TRIES : 1;
  for (let attempt = 0; attempt < tries; attempt++) {
    const slug = wanted ?? randomSlug();
    if (await claim(slug)) return slug;
  }
  throw new Failure("slug.taken");
}

/** A request's key, and a digest of the request. */
export interface RequestKey {
  readonly key: string;
  readonly digest: string;
}

/** A request that has been answered before, and left the share under this slug. */
export class Repeated extends Error {
  constructor(readonly slug: string) {
    super("The request has been answered before.");
  }
}

/** Returns the key of a request that may be repeated, separate from other callers' keys, and a digest of the request. */
export function requestKeyOf(caller: Caller, key: string, request: Readonly<Record<string, unknown>>): RequestKey {
  // Not the password itself: a digest beside the share would let a thief of the database try passwords quickly.
  const text = JSON.stringify({ ...request, password: Boolean(request.password) });
  return { key: ownKey(caller, key), digest: createHash("sha256").update(text).digest("base64url") };
}

/** A request's key as it is kept, separate from other callers' keys. */
export const ownKey = (caller: Caller, key: string): string => `${ownerName(caller)} ${key}`;

/** What the same request made before. 409 request.differs when the key stood for another request. */
export function answeredBefore<Row extends { readonly request_digest: string }>(
  { digest }: RequestKey,
  row: Row | undefined,
): Row | undefined {
  if (row && row.request_digest !== digest) throw new Failure("request.differs");
  return row;
}

type EditedRow = Gated & { readonly remark: string | null };

/** How an edit is asked for. */
export interface Asking {
  /** The key of a request that may be repeated. */
  readonly repeatable?: string | undefined;
  /** Aborts when who asked has given up. */
  readonly signal?: AbortSignal | undefined;
}

/** An edit of a share. Undefined fields stay unchanged. */
interface ShareEdit {
  readonly caller: Caller;
  /** null or empty is a new random one. */
  readonly slug: string | null | undefined;
  readonly remark: string | null | undefined;
  /** null removes the password. */
  readonly password: string | null | undefined;
  readonly expiresAt: string | null | undefined;
  /** null is no limit. */
  readonly maxViews: number | null | undefined;
  readonly signal: AbortSignal | undefined;
}

const EDIT_TRIES = 5;

/** Returns the function that edits shares; `isFree` reports whether a share may have a slug. */
export function createEdit<Row extends EditedRow>(
  { clock, passwords, limits }: Pick<FilesDeps, "clock" | "passwords" | "limits">,
  isFree: (slug: string, before: Row) => Promise<boolean>,
) {
  /**
   * Edits the share that `find` returns, and returns its slug. `write` gets it before and after, and reports whether it was
   * written: an edit that lost a race is repeated. 400 slug.*, expiry.past, expiry.tooLong; 409 slug.taken; 503 server.busy, also when who asked has given
   * up: a server that stood still would otherwise write over what the same person has had another one write meanwhile.
   */
  return async (
    { caller, slug, remark, password, expiresAt, maxViews, signal }: ShareEdit,
    find: () => Promise<Row>,
    write: (before: Row, after: Row) => Promise<boolean>,
  ): Promise<string> => {
    const hash = password ? await passwords.hash(password) : null;
    for (let attempt = 0; attempt < EDIT_TRIES; attempt++) {
      const before = await find();
      const isSame = slug === undefined || slug === before.slug;
      const now = clock();
      const after = {
        ...before,
        slug: isSame ? before.slug : await claimSlug(slug || undefined, (free) => isFree(free, before)),
        remark: remark === undefined ? before.remark : remark,
        password_hash: password === undefined ? before.password_hash : hash,
        expires_at: await limits.editedExpiry(caller, before.expires_at, expiresAt),
        max_views: maxViews === undefined ? before.max_views : (maxViews ?? 0),
        updated_at: now,
      };
      if (signal?.aborted) break;
      if (await write(before, after)) return after.slug;
    }
    throw new Failure("server.busy");
  };
}
