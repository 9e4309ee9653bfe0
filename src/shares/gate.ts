import { Failure } from "#contract/failures";
import type { AddressKind, Limiter } from "../access/limiter.ts";
import type { Passwords } from "../access/passwords.ts";
import { limitedAddress } from "../lib/addresses.ts";
import type { Clock } from "../lib/clock.ts";
import type { Granted, Grants } from "./grants.ts";
import { type Gated, isExpired, isFree, isGone, isUploading, opensFreely, requireArrived } from "./share-state.ts";

/** What a view buys, with the views including this one. */
export interface Viewed {
  readonly views: number;
  /** Whether its owner has opened it, who spends none. */
  readonly own?: boolean | undefined;
}

/** The table behind a gate. */
interface GatedTable<Share extends Gated, Opened extends Viewed> {
  /** A share in memory: the most frequent look-ups need not wait for the database. */
  kept(slug: string): Share | undefined;
  find(slug: string): Promise<Share | undefined>;
  /** A share in memory of which only spending a view says whether it can be opened. */
  spendable?(slug: string): Share | undefined;
  /** Whether the content of a share was deleted. */
  hasLost?(share: Share): boolean;
  /**
   * Spends one view and returns what it bought, in one conditional statement: undefined if the share has changed,
   * expired or used up its views since it was found.
   */
  spend(share: Share, now: number): Promise<Opened | undefined> | Opened | undefined;
  /** What a view would buy, for the owner of a limited share, who spends none; undefined as for `spend`. */
  show(share: Share, now: number): Promise<Opened | undefined>;
}

/** A visitor and their credentials for a share. */
export interface Visitor {
  readonly address: string;
  /** User-Agent. */
  readonly agent?: string | null | undefined;
  readonly password?: string | undefined;
  readonly grant?: string | undefined;
  /** What the browser was given when it opened the share. */
  readonly reload?: string | undefined;
  /** Reports whether they are signed in as somebody who may change the share, each time it is called. */
  readonly owns?: ((share: Pick<Gated, "created_by">) => Promise<boolean>) | undefined;
}

/** A share that is loaded again, and for how many milliseconds it can be. */
export interface Reloaded<Share> {
  readonly share: Share;
  readonly left: number;
}

/** A share that was opened, or that waits for its password; if `admitted`, only for the decision to spend a view. */
export type Opening<Share, Opened> =
  | { readonly open: true; readonly share: Share; readonly opened: Opened }
  | { readonly open: false; readonly share: Share; readonly admitted?: boolean };

/** Spends the view of an answer, and returns what it bought. The last step before the content is sent. */
export type Spend<Opened> = () => Promise<Opened>;

/** Makes the answer of an open share. It may be called again if the share changes before its view was spent. */
type Answering<Share, Opened, Answer> = (share: Share, spend: Spend<Opened>) => Promise<Answer>;

/** A share is no longer as it was found: it was changed, expired or was used up before its view could be spent. */
class Changed extends Error {}

/** A share that was found, and whether the visitor may pass. */
export interface FoundShare<Share> {
  readonly share: Share;
  readonly admitted: boolean;
}

interface GateDeps<Share extends Gated, Opened extends Viewed> {
  kind: Granted["kind"];
  table: GatedTable<Share, Opened>;
  passwords: Passwords;
  grants: Grants;
  limiter: Limiter;
  clock: Clock;
  /** Told of each view that was spent; the visitor waits for it. */
  spent?: Spent | undefined;
  /** Told of who was refused. */
  refused?: Refused | undefined;
}

/** A view that was spent, and whether it was the last one. */
export interface SpentView extends Pick<Gated, "id" | "slug" | "filename" | "size"> {
  readonly kind: Granted["kind"];
  readonly isLast: boolean;
}

export type Spent = (view: SpentView, visitor: Visitor) => void;

/** A share that did not open: for a wrong password, or because it has expired or is used up. */
interface RefusedView extends Pick<Gated, "id"> {
  readonly kind: Granted["kind"];
  readonly why: "password" | "gone";
}

export type Refused = (view: RefusedView, visitor: Visitor) => void;

const TRIES = 3;

/** Reports whether an owner opens a share with a limit: their views do not count. */
const isOwnerView = (share: Gated, { owns }: Visitor): Promise<boolean> | boolean =>
  share.max_views > 0 && owns !== undefined && owns(share);

/** Called with a share right before its content is read, which waits for it. */
export type Prepare<Share> = (share: Share) => Promise<void> | undefined;

/** How a share is opened. */
interface Opens<Share> {
  readonly prepare?: Prepare<Share> | undefined;
  /** Saves the first look-up when the caller has just made it. */
  readonly found?: Share;
}

/** Whether a caller knows what to do with a share whose file is on its way. */
interface Early {
  readonly early?: boolean;
}

/** Finds shares by their slugs, of which an address may guess a few. */
function createLookUp<Share extends Gated, Opened extends Viewed>(deps: GateDeps<Share, Opened>) {
  const { kind, table, limiter, clock, refused } = deps;

  /** 404 share.missing (429 when an address guesses too often), 410 file.gone. */
  const lookUp = async (slug: string, { address }: Visitor, spends = false): Promise<Share> => {
    const subject = limitedAddress(address);
    await limiter.check("missingShareByAddress", subject);
    const share =
      table.kept(slug) ??
      (spends ? table.spendable?.(slug) : undefined) ??
      (await limiter.guess([{ limited: "missingShareByAddress", subject }], () => table.find(slug)));
    if (!share) throw new Failure("share.missing");
    if (table.hasLost?.(share)) throw new Failure("file.gone");
    return share;
  };

  /** A share that is not gone; `spends` if a view of it is spent whatever it is. 404 share.missing, 410 file.gone, share.gone; 429. */
  const find = async (slug: string, visitor: Visitor, spends = false): Promise<Share> => {
    const share = await lookUp(slug, visitor, spends);
    if (!isGone(share, clock())) return share;
    refused?.({ kind, id: share.id, why: "gone" }, visitor);
    throw new Failure("share.gone");
  };

  /**
   * A share that anybody may see as often as they like, without opening it. Undefined for any other, for one that is gone or not there
   * yet, and for an address that guesses too often: who is told nothing cannot tell these apart.
   */
  const glance = async (slug: string, visitor: Visitor): Promise<Share | undefined> => {
    try {
      const share = await lookUp(slug, visitor);
      return opensFreely(share, clock()) && !isUploading(share) ? share : undefined;
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  };

  return { lookUp, find, glance };
}

/** Checks what a visitor brings for a share: nothing, a grant or its password, of which an address may guess a few. */
function createAdmission<Share extends Gated, Opened extends Viewed>(deps: GateDeps<Share, Opened>) {
  const { kind, passwords, grants, limiter, refused } = deps;

  const proves = async (share: Gated, password_hash: string, visitor: Visitor): Promise<boolean> => {
    if (visitor.grant && grants.isOwner({ kind, id: share.id, version: share.version }, visitor.grant)) return true;
    if (!visitor.password) return false;
    const { address, password } = visitor;
    const guarded = {
      byAddress: "sharePasswordByAddress",
      byStrangers: "sharePasswordByShare",
      subject: share.id,
    } as const;
    const verify = (who: AddressKind) => passwords.verify(password, password_hash, who);
    if (await limiter.guessPassword(guarded, limitedAddress(address), verify)) return true;
    refused?.({ kind, id: share.id, why: "password" }, visitor);
    throw new Failure("password.wrong");
  };

  /** Reports whether the visitor may pass; false when a password is needed and none was given. 401 password.wrong, 429 limit.wait. */
  return (share: Gated, visitor: Visitor): Promise<boolean> | boolean =>
    share.password_hash === null || proves(share, share.password_hash, visitor);
}

/**
 * Returns the function that gives the share to a visitor whose grant proves an earlier opening, even the last one; undefined without such a
 * grant. An invalid grant is refused where going on would cost a view: a player that requests ranges must not use up
 * a view with each. 403 grant.void, 410 share.gone, 503 share.uploading.
 */
function createReadmission<Share extends Gated, Opened extends Viewed>(
  { kind, grants, clock }: GateDeps<Share, Opened>,
  lookUp: (slug: string, visitor: Visitor) => Promise<Share>,
) {
  return async (slug: string, visitor: Visitor, { early = false }: Early = {}): Promise<Share | undefined> => {
    if (!visitor.grant || !grants.looksLikeVisitor(visitor.grant)) return undefined;
    const share = await lookUp(slug, visitor);
    if (!early) requireArrived(share);
    const now = clock();
    const version = { kind, id: share.id, version: share.version };
    if (!isExpired(share, now) && grants.isVisitor(version, visitor.grant, now)) return share;
    if (isGone(share, now)) throw new Failure("share.gone");
    if (share.password_hash !== null || share.max_views > 0) throw new Failure("grant.void");
    return undefined;
  };
}

/**
 * Returns the function that gives the share to the browser that has opened it some minutes ago, even for the last time; undefined for any
 * other, of which nothing is refused: it goes on as whoever comes for the first time.
 */
function createReload<Share extends Gated, Opened extends Viewed>(
  { kind, grants, clock }: GateDeps<Share, Opened>,
  lookUp: (slug: string, visitor: Visitor) => Promise<Share>,
) {
  return async (slug: string, visitor: Visitor): Promise<Reloaded<Share> | undefined> => {
    if (!visitor.reload) return undefined;
    const share = await lookUp(slug, visitor);
    const now = clock();
    if (isExpired(share, now) || isUploading(share)) return undefined;
    const left = grants.reloadLeft({ kind, id: share.id, version: share.version }, visitor.reload, now);
    return left > 0 ? { share, left } : undefined;
  };
}

const viewOf = (
  kind: Granted["kind"],
  { id, slug, filename, size, max_views }: Gated,
  { views }: Viewed,
): SpentView => {
  const isLast = max_views > 0 && views >= max_views;
  return filename === undefined ? { kind, id, slug, size, isLast } : { kind, id, slug, size, isLast, filename };
};

/** The one place that opens or refuses a share: found, not gone, password, and then exactly one view is spent, or none by its owner. */
export function createGate<Share extends Gated, Opened extends Viewed>(deps: GateDeps<Share, Opened>) {
  const { kind, table, clock, spent } = deps;
  const { lookUp, find, glance } = createLookUp(deps);
  const admits = createAdmission(deps);

  /**
   * Opens for an answer that spends the view itself, so that one without content costs none. `found` saves the first look-up
   * when the caller has just made it. 503 share.uploading unless `early`.
   */
  const openFor = async <Answer>(
    slug: string,
    visitor: Visitor,
    answer: Answering<Share, Opened, Answer>,
    { found, early = false }: Pick<Opens<Share>, "found"> & Early = {},
  ): Promise<Opening<Share, Answer>> => {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const share = attempt === 0 && found ? found : await find(slug, visitor);
      if (!(await admits(share, visitor))) return { open: false, share };
      if (!early) requireArrived(share);
      try {
        return { open: true, share, opened: await answer(share, () => spend(share, visitor)) };
      } catch (error) {
        if (!(error instanceof Changed)) throw error;
      }
    }
    throw new Failure("server.busy");
  };

  const spend = async (share: Share, visitor: Visitor): Promise<Opened> => {
    const isOwners = await isOwnerView(share, visitor);
    const opened = await (isOwners ? table.show(share, clock()) : table.spend(share, clock()));
    if (opened === undefined) throw new Changed();
    if (isOwners) return { ...opened, own: true };
    spent?.(viewOf(kind, share, opened), visitor);
    return opened;
  };

  /** Opens and spends a view, for callers that want only what it buys. */
  const open = async (
    slug: string,
    visitor: Visitor,
    { prepare, found }: Opens<Share> = {},
  ): Promise<Opening<Share, Opened>> => {
    const answer = (share: Share, spend: Spend<Opened>) => prepare?.(share)?.then(spend) ?? spend();
    return await openFor(slug, visitor, answer, { found: found ?? (await find(slug, visitor, true)) });
  };

  return {
    glance,

    openFor,

    readmit: createReadmission(deps, lookUp),
    reload: createReload(deps, lookUp),

    open,

    /** Opens a share without password and limit at once, and to its owner one without password; for any other, and one whose file is on its way, returns only what it requires. */
    async peek(slug: string, visitor: Visitor): Promise<Opening<Share, Opened>> {
      const share = await find(slug, visitor);
      const opens = isFree(share) || (share.password_hash === null && (await isOwnerView(share, visitor)));
      return opens && !isUploading(share) ? await open(slug, visitor, { found: share }) : { open: false, share };
    },

    /** Opens a share that has a password; a `peek` only proves the password where a view is scarce. 400 share.noPassword when it has none. */
    async unlock(
      slug: string,
      visitor: Visitor,
      { peek = false, prepare }: Opens<Share> & { peek?: boolean } = {},
    ): Promise<Opening<Share, Opened>> {
      const share = await find(slug, visitor);
      if (share.password_hash === null) throw new Failure("share.noPassword");
      if (peek && share.max_views > 0) return { open: false, share, admitted: await admits(share, visitor) };
      return await open(slug, visitor, { prepare, found: share });
    },

    /** A share that is not gone, for whoever only asks how it stands. 404 share.missing, 410 file.gone, share.gone; 429. */
    find: (slug: string, visitor: Visitor): Promise<Share> => find(slug, visitor),

    /** What `open` would find, without spending a view. 503 share.uploading. */
    async look(slug: string, visitor: Visitor, { early = false }: Early = {}): Promise<FoundShare<Share>> {
      const share = await find(slug, visitor);
      const admitted = await admits(share, visitor);
      if (admitted && !early) requireArrived(share);
      return { share, admitted };
    },
  };
}
