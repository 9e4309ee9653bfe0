import { Failure } from "#contract/failures";
import { within } from "#contract/paths";
import type { Place } from "../stores/store.ts";
import { all, type Reached } from "./access.ts";
import { folderKeyOf, type MountedLocation } from "./layout.ts";
import { parentKey } from "./listing.ts";
import { isFile, isMounted, storageOf } from "./lookup.ts";
import { relocate } from "./relocate.ts";
import { remove } from "./removing.ts";
import { alone, demandFolderAbove, keepFolder } from "./writing.ts";

/** As Node.move. */
export async function move(from: Reached, to: Reached): Promise<void> {
  from.demandTouch("move");
  to.demandTouch("move");
  await alone(from.deps, [from.location, to.location], () => rename(from, to));
}

async function rename(from: Reached, to: Reached): Promise<void> {
  const { lookup, transfers, listings, locks } = from.deps;
  from.demandChange("move", true);
  const found = await lookup.get(from.layout, from.location);
  const there = to.demandChange("move", true);
  if (!isMounted(found.location) || found.location.mount.id !== there.mount.id) throw new Failure("path.otherMount");
  const before = found.location.path;
  if (within(before, there.path)) throw new Failure("path.into");
  if (await lookup.find(to.layout, { ...there, folder: false })) throw new Failure("path.taken");
  const storage = await storageOf(transfers, there);
  const spelled = await lookup.spellAbove(there);
  await demandFolderAbove(storage, spelled);
  const { objects } = transfers;
  const target = isFile(found) ? spelled.key : folderKeyOf(spelled);
  const confirm = all(from.confirm("move", found.location, true), to.confirm("move", spelled, true));
  await objects.writing(storage, target, () =>
    relocate({ storage, objects, forget: listings.follow, found, to: spelled.key, confirm }),
  );
  await keepFolder(from.deps, storage, parentKey(found.location.key));
  await locks.drop(from.layout.paths(found.location));
}

/** Whether a move is one rename, whatever lies below: within a mount of real folders. */
export async function isOneRename(from: Reached, to: Reached): Promise<boolean> {
  from.demandTouch("move");
  to.demandTouch("move");
  const { location } = from;
  if (!isMounted(location) || location.mount.id !== to.location.mount?.id) return false;
  return (await storageOf(from.deps.transfers, location)).store.tree !== undefined;
}

/** Removes this version of a file that was copied to another path, where its shares follow it. 412 path.changed; 423. */
export async function removeMoved(from: Reached, to: Reached, etag: string): Promise<void> {
  const { lookup, transfers } = from.deps;
  (await from.again()).demandChange("remove", false);
  from.demandTouch("move");
  to.demandTouch("move");
  if (isMounted(from.location) && isMounted(to.location)) {
    const places = { from: placeOf(await lookup.spell(from.location)), to: placeOf(await lookup.spell(to.location)) };
    // It has moved from here on: whatever ends this process, no share loses its file.
    await transfers.objects.tell({ kind: "moved", ...places, again: true });
  }
  await remove(from, etag);
}

/** Tells what became of a path at which nothing is: whoever removed or moved it may have ended before everybody knew. */
export async function tellGone(from: Reached, to?: Reached): Promise<void> {
  const { lookup, transfers } = from.deps;
  const { tell } = transfers.objects;
  from.demandTouch(to === undefined ? "remove" : "move");
  if (!isMounted(from.location)) return;
  const source = await lookup.spell(from.location);
  const found = await to?.find("move");
  const [file, folder] = [placeOf(source), folderOf(source)];
  if (!found || !isMounted(found.location)) for (const at of [file, folder]) await tell({ kind: "removed", at });
  else if (isFile(found)) await tell({ kind: "moved", from: file, to: placeOf(found.location), again: true });
  else await tell({ kind: "moved", from: folder, to: folderOf(found.location), again: true });
}

const placeOf = ({ mount, key }: MountedLocation): Place => ({ storage: mount.storage, key });
const folderOf = (location: MountedLocation): Place => ({ ...placeOf(location), key: folderKeyOf(location) });
