import { VISITOR_GRANT_LIFE } from "#contract/limits";
import { deriveKey, mac, sameText } from "../lib/secret.ts";

/** What a grant is bound to: any edit raises the version and so voids it. */
export interface Granted {
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
