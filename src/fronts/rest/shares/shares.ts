import { Failure } from "#contract/failures";
import type { OwnKey } from "#contract/fields";
import { MAX_REQUEST_KEY_CHARACTERS } from "#contract/limits";
import type { ShareState } from "#contract/listing";
import type { Permission } from "#contract/permissions";
import type { Keys } from "../../../access/keys.ts";
import { type Caller, ownerNames } from "../../../access/principal.ts";
import { hasRight, owns } from "../../../access/rights.ts";
import { limitedAddress } from "../../../lib/addresses.ts";
import type { FileRow } from "../../../shares/files-table.ts";
import type { ListFilter } from "../../../shares/lists-table.ts";
import type { RequestContext } from "../../context.ts";

/** What a list leaves out as its query asks, and whose shares it shows: a key its own; the admin everybody's, or those of one owner. */
export function listFilter(caller: Caller, { created_by, search, state, protected: asks }: ListQuery): ListFilter {
  const isProtected = asks === undefined ? undefined : asks === "true" || asks === "1";
  return { owners: caller.kind === "key" ? ownerNames(caller) : ownersNamed(created_by), search, state, isProtected };
}

interface ListQuery {
  readonly created_by?: string | undefined;
  readonly search?: string | undefined;
  readonly state?: ShareState | undefined;
  readonly protected?: string | undefined;
}

/** A key by either name of it; the administrator by the one that there is. */
export const ownersNamed = (wanted: string | undefined): readonly string[] | undefined =>
  wanted ? [`apikey:${idOf(wanted)}`, idOf(wanted)] : undefined;

const idOf = (owner: string): string => owner.replace(/^apikey:/, "");

/** Returns the caller's own key for a list; undefined for the administrator. */
export async function keyInfo(caller: Caller, keys: Keys): Promise<OwnKey | undefined> {
  if (caller.kind === "admin") return undefined;
  const { id, name, key, basic_path, permissions, role, is_guest } = await keys.read(caller.id);
  return { id, name, key, basicPath: basic_path, permissions, role, isGuest: is_guest };
}

/** Returns the function that finds the name of the key that made a share. It finds none for a key, which sees only its own shares. */
export const creatorNames = async (caller: Caller, keys: Keys): Promise<(createdBy: string) => string | undefined> =>
  caller.kind === "admin" ? await keys.creators() : () => undefined;

/**
 * The key under which a client may repeat a creation it got no answer to (draft-ietf-httpapi-idempotency-key-header).
 * The address of a visitor is part of it, so that one visitor cannot get what another made. 400 query.invalid.
 */
export function requestKey(request: Request, caller: Caller, { address }: RequestContext): string | undefined {
  const key = request.headers.get("idempotency-key");
  if (key === null) return undefined;
  if (key.length === 0 || key.length > MAX_REQUEST_KEY_CHARACTERS)
    throw new Failure("query.invalid", { field: "Idempotency-Key" });
  return caller.kind === "key" && caller.isVisitor ? `${limitedAddress(address)} ${key}` : key;
}

/** Makes what tells whether whoever is signed in may change a share: with the right of its kind, and only their own. */
export const owning =
  (signedIn: () => Promise<Caller | undefined>, right: Permission) =>
  async ({ created_by }: { readonly created_by: string }): Promise<boolean> => {
    const caller = await signedIn();
    return caller !== undefined && hasRight(caller, right) && owns(caller, created_by);
  };

/** The path of the page of a shared file. */
export const pagePathOf = ({ slug, sealed }: Pick<FileRow, "slug" | "sealed">): string =>
  `/${sealed === null ? "file" : "s"}/${slug}`;
