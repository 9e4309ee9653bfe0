import { Failure } from "#contract/failures";
import { VISITOR_GRANT_LIFE } from "#contract/limits";
import type { AddressKind, Limiter } from "../access/limiter.ts";
import type { Passwords } from "../access/passwords.ts";
import { limitedAddress } from "../lib/addresses.ts";
import type { Clock } from "../lib/clock.ts";
import { deriveKey, mac, sameText } from "../lib/secret.ts";

/** What a grant is bound to: any edit raises the version and so voids it. */
interface Granted {
  readonly kind: "paste" | "file";
  readonly id: string;
  readonly version: number;
}

export interface Grants {
  /** Opens the share in place of its password, for as long as the share stays as it is. Views are spent all the same. */
  owner(share: Granted): string;
  /** Whether a grant stands in for the password. */
  admits(share: Granted, grant: string): boolean;
  /** Lets a visitor who has opened the share fetch it again for six hours without spending another view. */
  visitor(share: Granted, now: number): string;
  /** Whether a grant has the shape of a visitor's. */
  isVisitors(grant: string): boolean;
  /** Whether a grant is that of a visitor who has opened the share, and holds. */
  readmits(share: Granted, grant: string, now: number): boolean;
}

export function createGrants(secret: string): Grants {
  const key = deriveKey(secret, "share grants");
  const owner = ({ kind, id, version }: Granted) => mac(key, `owner ${kind} ${id} ${version}`).toString("base64url");
  const visitor = ({ kind, id, version }: Granted, until: string) =>
    `${until}.${mac(key, `visitor ${kind} ${id} ${version} ${until}`).toString("base64url")}`;

  return {
    owner,
    admits: (share, grant) => sameText(owner(share), grant),
    visitor: (share, now) => visitor(share, (now + VISITOR_GRANT_LIFE).toString(36)),
    isVisitors: (grant) => grant.includes("."),
    readmits(share, grant, now) {
      const until = grant.slice(0, Math.max(0, grant.indexOf(".")));
      return sameText(visitor(share, until), grant) && Number.parseInt(until, 36) > now;
    },
  };
}

/** What the gate must know of a share, whatever it shares. */
export interface Gated {
  readonly id: string;
  readonly password_hash: string | null;
  readonly expires_at: number | null;
  readonly max_views: number;
  readonly views: number;
  readonly version: number;
}

/** The table behind a gate. */
interface GatedTable<Share extends Gated, Opened> {
  /** A share that is in memory: the look-ups that are asked for most need not wait for the database. */
  kept(slug: string): Share | undefined;
  find(slug: string): Promise<Share | undefined>;
  /** Whether what a share shows was deleted. */
  hasLost?(share: Share): boolean;
  /**
   * Spends one view and answers what it bought, in one conditional statement: undefined when the share has changed, expired
   * or used up its views since it was found.
   */
  spend(share: Share, now: number): Promise<Opened | undefined>;
}

/** Who stands before the gate, and with what. */
export interface Visitor {
  readonly address: string;
  readonly password?: string | undefined;
  readonly grant?: string | undefined;
}

/** A share that was opened, or that waits for its password. */
export type Opening<Share, Opened> =
  | { readonly open: true; readonly share: Share; readonly opened: Opened }
  | { readonly open: false; readonly share: Share };

/** Spends the view that an answer costs, and answers what it bought. The last thing to do before the content is given away. */
export type Spend<Opened> = () => Promise<Opened>;

/** Makes an answer of an open share. It may be asked again when the share changes before its view was spent. */
type Answering<Share, Opened, Answer> = (share: Share, spend: Spend<Opened>) => Promise<Answer>;

/** A share is no longer as it was found: it was changed, expired or was used up before its view could be spent. */
class Changed extends Error {}

/** A share that was found, and whether the visitor may pass. */
export interface Looked<Share> {
  readonly share: Share;
  readonly admitted: boolean;
}

interface GateDeps<Share extends Gated, Opened> {
  kind: Granted["kind"];
  table: GatedTable<Share, Opened>;
  passwords: Passwords;
  grants: Grants;
  limiter: Limiter;
  clock: Clock;
}

const TRIES = 3;

const isExpired = ({ expires_at }: Gated, now: number): boolean => expires_at !== null && expires_at <= now;

/** Whether nobody can open a share any more. */
export const isGone = (share: Gated, now: number): boolean =>
  isExpired(share, now) || (share.max_views > 0 && share.views >= share.max_views);

/** The one place that opens or refuses a share: found, not gone, password, and then exactly one view is spent. */
export function createGate<Share extends Gated, Opened>(deps: GateDeps<Share, Opened>) {
  const { kind, table, passwords, grants, limiter, clock } = deps;

  /** 404 share.missing (429 when an address guesses too often), 410 file.gone. */
  const lookUp = async (slug: string, { address }: Visitor): Promise<Share> => {
    const subject = limitedAddress(address);
    limiter.check("missingShareByAddress", subject);
    const share =
      table.kept(slug) ??
      (await limiter.guess([{ limited: "missingShareByAddress", subject }], () => table.find(slug)));
    if (!share) throw new Failure("share.missing");
    if (table.hasLost?.(share)) throw new Failure("file.gone");
    return share;
  };

  /** As `lookUp`, and 410 share.gone. */
  const find = async (slug: string, visitor: Visitor): Promise<Share> => {
    const share = await lookUp(slug, visitor);
    if (isGone(share, clock())) throw new Failure("share.gone");
    return share;
  };

  /** Whether the visitor may pass; false when a password is needed and none was given. 401 password.wrong, 429 limit.wait. */
  const admits = async (share: Share, visitor: Visitor): Promise<boolean> => {
    if (share.password_hash === null) return true;
    if (visitor.grant && grants.admits({ kind, id: share.id, version: share.version }, visitor.grant)) return true;
    if (!visitor.password) return false;
    const { password_hash } = share;
    const { address, password } = visitor;
    const guarded = {
      byAddress: "sharePasswordByAddress",
      byStrangers: "sharePasswordByShare",
      subject: share.id,
    } as const;
    const verify = (who: AddressKind) => passwords.verify(password, password_hash, who);
    if (await limiter.guessPassword(guarded, limitedAddress(address), verify)) return true;
    throw new Failure("password.wrong");
  };

  /**
   * Opens for an answer that spends the view itself, so that one without content costs none. `found` saves the first look-up
   * when the caller has just made it.
   */
  const openFor = async <Answer>(
    slug: string,
    visitor: Visitor,
    answer: Answering<Share, Opened, Answer>,
    found?: Share,
  ): Promise<Opening<Share, Answer>> => {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const share = attempt === 0 && found ? found : await find(slug, visitor);
      if (!(await admits(share, visitor))) return { open: false, share };
      try {
        return { open: true, share, opened: await answer(share, () => spend(share)) };
      } catch (error) {
        if (!(error instanceof Changed)) throw error;
      }
    }
    throw new Failure("server.busy");
  };

  const spend = async (share: Share): Promise<Opened> => {
    const opened = await table.spend(share, clock());
    if (opened === undefined) throw new Changed();
    return opened;
  };

  /** As `openFor`, for those who want nothing but what the view buys. */
  const open = (slug: string, visitor: Visitor, found?: Share): Promise<Opening<Share, Opened>> =>
    openFor(slug, visitor, (_, spend) => spend(), found);

  /**
   * The share for a visitor whose grant says that it was opened before, even if that took its last view; undefined without
   * such a grant. One that holds no more is refused where going on would cost something: a player that asks in ranges
   * must not use up a view with each of them. 403 grant.void, 410 share.gone.
   */
  const readmit = async (slug: string, visitor: Visitor): Promise<Share | undefined> => {
    if (!visitor.grant || !grants.isVisitors(visitor.grant)) return undefined;
    const share = await lookUp(slug, visitor);
    const now = clock();
    const version = { kind, id: share.id, version: share.version };
    if (!isExpired(share, now) && grants.readmits(version, visitor.grant, now)) return share;
    if (isGone(share, now)) throw new Failure("share.gone");
    if (share.password_hash !== null || share.max_views > 0) throw new Failure("grant.void");
    return undefined;
  };

  return {
    openFor,

    readmit,

    open,

    /** Opens at once what has neither password nor limit; of anything else only tells what it asks for. */
    async peek(slug: string, visitor: Visitor): Promise<Opening<Share, Opened>> {
      const share = await find(slug, visitor);
      const free = share.password_hash === null && share.max_views === 0;
      return free ? await open(slug, visitor, share) : { open: false, share };
    },

    /** As `open`, for a share that has a password. 400 share.noPassword when it has none. */
    async unlock(slug: string, visitor: Visitor): Promise<Opening<Share, Opened>> {
      const share = await find(slug, visitor);
      if (share.password_hash === null) throw new Failure("share.noPassword");
      return await open(slug, visitor, share);
    },

    /** What `open` would find, without spending a view. */
    async look(slug: string, visitor: Visitor): Promise<Looked<Share>> {
      const share = await find(slug, visitor);
      return { share, admitted: await admits(share, visitor) };
    },
  };
}
