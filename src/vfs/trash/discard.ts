import { Failure, type FailureCode } from "#contract/failures";
import { nameOf, TRASH } from "#contract/paths";
import { ownerName } from "../../access/principal.ts";
import type { Recheck } from "../../stores/store.ts";
import type { Storage } from "../../stores/stores.ts";
import { isThere } from "../../transfers/at-key.ts";
import type { ResolvedPath } from "../access.ts";
import type { Found, MountedLocation } from "../entry.ts";
import { folderKeyOf } from "../layout.ts";
import type { ShownMountRow } from "../mounts-table.ts";

/** What is deleted, where it was found. */
export interface Discarded {
  readonly storage: Storage;
  readonly location: MountedLocation;
  readonly found: Pick<Found, "head">;
  readonly beforeCommit: Recheck;
  /** When it goes for ever; epoch milliseconds. */
  readonly until: number;
}

/** Why a storage cannot move something to the trash, where nothing stands in its way. */
const UNFIT: readonly FailureCode[] = ["path.large", "path.invalid", "path.tooDeep", "path.conflict"];

/** Until when something stays in the trash that is deleted now in a mount; undefined when it goes at once. */
export const trashedUntil = (
  { deps: { trash } }: Pick<ResolvedPath, "deps">,
  { trash: keeps }: Pick<ShownMountRow, "trash">,
): number | undefined => (keeps === 1 ? trash.until() : undefined);

/**
 * Moves a file or a folder to the trash of its storage, and answers its id there: one rename on a disk, copies within a storage that only
 * knows keys. Undefined when it had gone meanwhile. 409 trash.unfit, 502 storage.broken.
 */
export async function discard(at: ResolvedPath, discarded: Discarded): Promise<string | undefined> {
  const { storage, location, found, beforeCommit, until } = discarded;
  const { clock, search, transfers, trash: kept } = at.deps;
  const { mount } = location;
  const id = Bun.randomUUIDv7();
  const { head } = found;
  const from = { storage: storage.config.id, key: head ? head.key : folderKeyOf(location) };
  const held = head ? { size: head.size, files: 1 } : await search.folder(from);
  const trash = {
    id,
    name: nameOf(location.path),
    mount: mount.id,
    origin: from.key,
    path: location.path.normalize("NFC"),
    size: held?.size ?? null,
    files: held?.files ?? null,
    owner: ownerName(at.caller),
    deletedAt: clock(),
    purgeAt: until,
  };
  const to = { ...from, key: `${TRASH}${id}${head ? "" : "/"}` };
  try {
    await transfers.objects.discard(storage, { kind: "moved", from, to, trash }, beforeCommit);
    return id;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "path.missing") return await requireGone(storage, from.key);
    // What broke off behind its copies was brought to an end.
    if ((await kept.find(id)) && !(await isThere(storage.store, from.key))) return id;
    throw UNFIT.includes(error.code) ? new Failure("trash.unfit") : error;
  }
}

/** Somebody else was faster. A storage that lists what it then says is missing is broken: 502 storage.broken. */
async function requireGone({ store }: Storage, key: string): Promise<undefined> {
  if (!store.tree && (await isThere(store, key))) throw new Failure("storage.broken", { answer: "endless list" });
}
