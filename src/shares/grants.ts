import { RELOAD_LIFE, VISITOR_GRANT_LIFE } from "#contract/limits";
import { deriveKey, mac, sameText } from "../lib/secret.ts";

/** The share that a grant is bound to: any edit raises the version and so voids it. */
export interface Granted {
  readonly kind: "paste" | "file";
  readonly id: string;
  readonly version: number;
}

export interface Grants {
  /** Returns a grant that replaces the share's password until the share changes. Views are still used up. */
  makeOwner(share: Granted): string;
  /** Reports whether a grant replaces the password. */
  isOwner(share: Granted, grant: string): boolean;
  /** Returns what deletes the share for whoever has it, whatever is changed of the share. */
  makeRemoval(share: Pick<Granted, "kind" | "id">): string;
  /** Reports whether that deletes the share. */
  isRemoval(share: Pick<Granted, "kind" | "id">, grant: string): boolean;
  /** Lets a visitor who has opened the share fetch it again without spending another view, for six hours unless `life` says otherwise. */
  makeVisitor(share: Granted, now: number, life?: number): string;
  /** Reports whether a grant has the shape of a visitor's. */
  looksLikeVisitor(grant: string): boolean;
  /** Reports whether a grant is that of a visitor who has opened the share, and holds. */
  isVisitor(share: Granted, grant: string, now: number): boolean;
  /** Lets the browser that has opened the share load it again, without another view or password, for ten minutes. */
  makeReload(share: Granted, now: number): string;
  /** How long a share may still be loaded again with what `reload` made, in milliseconds; 0 for what does not hold. */
  reloadLeft(share: Granted, token: string, now: number): number;
}

/** Makes grants of shares, which are texts that the secret key alone can make, and knows them again. */
export function createGrants(secret: string): Grants {
  const key = deriveKey(secret, "share grants");
  const owner = ({ kind, id, version }: Granted) => mac(key, `owner ${kind} ${id} ${version}`).toString("base64url");
  const removal = ({ kind, id }: Pick<Granted, "kind" | "id">) =>
    mac(key, `removal ${kind} ${id}`).toString("base64url");
  const timed = (use: "visitor" | "reload", { kind, id, version }: Granted, until: string) =>
    `${until}.${mac(key, `${use} ${kind} ${id} ${version} ${until}`).toString("base64url")}`;
  /** When a grant ends that holds; 0 for any other. */
  const endOf = (use: "visitor" | "reload", share: Granted, grant: string): number => {
    const until = grant.slice(0, Math.max(0, grant.indexOf(".")));
    return sameText(timed(use, share, until), grant) ? Number.parseInt(until, 36) : 0;
  };

  return {
    makeOwner: owner,
    isOwner: (share, grant) => sameText(owner(share), grant),
    makeRemoval: removal,
    isRemoval: (share, grant) => sameText(removal(share), grant),
    makeVisitor: (share, now, life = VISITOR_GRANT_LIFE) => timed("visitor", share, (now + life).toString(36)),
    looksLikeVisitor: (grant) => grant.includes("."),
    isVisitor: (share, grant, now) => endOf("visitor", share, grant) > now,
    makeReload: (share, now) => timed("reload", share, (now + RELOAD_LIFE).toString(36)),
    reloadLeft: (share, token, now) => Math.max(0, endOf("reload", share, token) - now),
  };
}
