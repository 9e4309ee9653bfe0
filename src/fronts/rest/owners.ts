import type { OwnKey } from "#contract/own-key";
import type { Keys } from "../../access/keys.ts";
import { type Caller, ownerNames } from "../../access/principal.ts";

/** Whose shares a list shows: a key its own; the admin everybody's, or those of one owner. */
export const listOwners = (caller: Caller, wanted: string | undefined): readonly string[] | undefined => {
  if (caller.kind === "key") return ownerNames(caller);
  return wanted ? [wanted] : undefined;
};

/** What a list tells a key about itself; nothing for the admin. */
export async function keyInfo(caller: Caller, keys: Keys): Promise<OwnKey | undefined> {
  if (caller.kind === "admin") return undefined;
  const { id, name, key, basic_path, permissions, role, is_guest } = await keys.read(caller.id);
  return { id, name, key, basicPath: basic_path, permissions, role, isGuest: is_guest };
}

/** Tells the admin the name of the key that made a share; a key sees only its own. */
export const creatorNames = async (caller: Caller, keys: Keys): Promise<(createdBy: string) => string | undefined> =>
  caller.kind === "admin" ? await keys.creators() : () => undefined;
