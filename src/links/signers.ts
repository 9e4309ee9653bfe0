import { slugProblem } from "#contract/paths";
import type { LinkCaller } from "../access/principal.ts";
import type { LinkSigners } from "../access/signed-requests.ts";
import type { Client } from "../activity/activity.ts";
import { deriveKey, mac } from "../lib/secret.ts";
import type { LinkRow, LinksTable } from "./links-table.ts";

interface SignersDeps {
  readonly table: Pick<LinksTable, "findBySlug">;
  /** Opens the link of this name, or goes on with an opening, for whoever has signed. */
  readonly signed: (slug: string, client: Client) => Promise<LinkCaller>;
  readonly secret: string;
}

/**
 * The secrets by which links sign requests to S3. The server makes them: passwords are short, and a signature that was overheard would let
 * anybody try millions of them in a second. A secret is derived and not kept, so that a copy of the database tells none, and is another one
 * as soon as the link has another password.
 */
export function createSigners({ table, signed, secret }: SignersDeps) {
  const key = deriveKey(secret, "S3 secrets of links");

  const secretOf = ({ id, password_hash }: Pick<LinkRow, "id" | "password_hash">): string =>
    mac(key, JSON.stringify([id, password_hash])).toString("base64url");

  const find: LinkSigners["find"] = async (slug) => {
    const row = slugProblem(slug) === undefined ? await table.findBySlug(slug) : undefined;
    return row && { secret: secretOf(row), enter: (client) => signed(row.slug, client) };
  };

  return { secretOf, find };
}
