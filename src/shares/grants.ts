import { deriveKey, mac, sameText } from "../lib/secret.ts";

/** What a grant is bound to: any edit raises the version and so voids it. */
export interface Granted {
  readonly kind: "paste";
  readonly id: string;
  readonly version: number;
}

export interface Grants {
  /** Opens the share in place of its password, for as long as the share stays as it is. Views are spent all the same. */
  owner(share: Granted): string;
  admits(share: Granted, grant: string): boolean;
}

export function createGrants(secret: string): Grants {
  const key = deriveKey(secret, "share grants");
  const owner = ({ kind, id, version }: Granted) => mac(key, `owner ${kind} ${id} ${version}`).toString("base64url");
  return { owner, admits: (share, grant) => sameText(owner(share), grant) };
}
