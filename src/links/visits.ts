import { VISITOR_GRANT_LIFE } from "#contract/limits";
import { deriveKey, mac, randomToken, sameText } from "../lib/secret.ts";

/** The opening of a link by one visitor. */
interface Visit {
  /** Epoch milliseconds. */
  readonly until: number;
  /** The version of the link that was opened. */
  readonly version: number;
}

/** When it ends, the version of its link, and what tells it from others. */
const NAME = /^([0-9a-z]{1,12})-([0-9a-z]{1,12})-[\w-]{16}$/;
const GRANT = /^([\w-]{1,64})\.([\w-]{1,64})\.([\w-]{43})$/;
const NONCE_BYTES = 12;

/** What the name of a visitor says; undefined for a text that is none. */
export function visitNamed(visitor: string): Visit | undefined {
  const [, until, version] = NAME.exec(visitor) ?? [];
  if (until === undefined || version === undefined) return undefined;
  return { until: Number.parseInt(until, 36), version: Number.parseInt(version, 36) };
}

/** A name for a new visitor, who may use the link for six hours from now on unless it is changed. */
export const newVisitor = (version: number, now: number): string =>
  [(now + VISITOR_GRANT_LIFE).toString(36), version.toString(36), randomToken(NONCE_BYTES)].join("-");

/** Grants, which are what a visitor proves an opening with: `Authorization: Link GRANT`. */
export function createVisits(secret: string) {
  const key = deriveKey(secret, "link grants");
  const seal = (id: string, visitor: string): string => mac(key, `${id} ${visitor}`).toString("base64url");

  return {
    grant: (id: string, visitor: string): string => `${id}.${visitor}.${seal(id, visitor)}`,

    /** Whose grant it is; undefined for one that was not made here. Whether it holds still is another question. */
    read(grant: string): { readonly id: string; readonly visitor: string } | undefined {
      const [, id = "", visitor = "", sealed = ""] = GRANT.exec(grant) ?? [];
      return sameText(seal(id, visitor), sealed) ? { id, visitor } : undefined;
    },
  };
}

export type Visits = ReturnType<typeof createVisits>;
