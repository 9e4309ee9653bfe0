import { Failure } from "#contract/failures";
import { STAGING, within } from "#contract/paths";
import type { Place } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import type { WantedMove } from "../transfers/recorded-move.ts";
import { all, type Recheck, type ResolvedPath } from "./access.ts";
import { copyFile } from "./copy.ts";
import { type Found, isFile, isMounted, type MountedLocation } from "./entry.ts";
import { folderKeyOf } from "./layout.ts";
import { parentKey } from "./listing.ts";
import { storageOf } from "./lookup.ts";
import { remove } from "./remove.ts";
import { exclusively, keepFolder, noCondition, requireFolderAbove, targetOf } from "./write.ts";

/**
 * What a move may replace: nothing, or what is there. `file` is only a file by a file; other things in the way are 409 path.taken all the
 * same.
 */
type Replaceable = "nothing" | "file" | "anything";

/** How something is moved. */
export interface HowMoved {
  /** Nothing unless said. */
  readonly over?: Replaceable;
  /** Whatever else must hold: asked right before the move, and its error stops that. */
  readonly condition?: Recheck | undefined;
}

/** Moves a file or a folder within its mount; reports whether it replaced something. 404 path.missing; 409 path.taken; 400 path.into. */
export async function move(from: ResolvedPath, to: ResolvedPath, how: HowMoved = {}): Promise<boolean> {
  from.requireInBasePath("move");
  to.requireInBasePath("move");
  return await exclusively(from, [from.location, to.location], () => rename(from, to, how));
}

async function rename(
  from: ResolvedPath,
  to: ResolvedPath,
  { over = "nothing", condition }: HowMoved,
): Promise<boolean> {
  const { lookup, transfers, locks } = from.deps;
  from.requireWritable("move", true);
  const found = await lookup.get(from.layout, from.location);
  const there = to.requireWritable("move", true);
  if (!isMounted(found.location) || found.location.mount.id !== there.mount.id) throw new Failure("path.otherMount");
  const before = found.location.path;
  if (within(before, there.path)) throw new Failure("path.into");
  const taken = await lookup.find(to.layout, { ...there, folder: false });
  if (taken) requireReplaceable(found, taken, over);
  const storage = await storageOf(transfers, there);
  const spelled = taken && isMounted(taken.location) ? taken.location : await lookup.spellAbove(there);
  await requireFolderAbove(storage, spelled);
  const beforeCommit = from.recheckAll(
    from.pathCheck("move", found.location, true),
    to.pathCheck("move", spelled, true),
  );
  const move = plannedMove(found.location, isFile(found), spelled, taken);
  try {
    await transfers.objects.move(storage, { ...move, condition: whereFree(to, taken, condition) }, beforeCommit);
  } catch (error) {
    // A disk sees by itself that something has come meanwhile.
    if (error instanceof Failure && error.code === "path.conflict") await whereFree(to, taken)();
    throw error;
  }
  if (taken) await locks.drop(to.layout.paths(spelled));
  await tidyAfter(from, found.location, storage);
  return taken !== undefined;
}

/** A condition that also refuses to replace what has come to a path at which nothing was. 409 path.taken. */
export function whereFree(to: ResolvedPath, taken: Found | undefined, condition: Recheck = noCondition): Recheck {
  if (taken) return condition;
  const freeCheck = async (): Promise<void> => {
    if (await to.deps.lookup.find(to.layout, { ...to.location, folder: false })) throw new Failure("path.taken");
  };
  return all(condition, freeCheck);
}

/** 409 path.taken; 400 path.into where it holds what moves. */
function requireReplaceable(found: Found, taken: Found, over: Replaceable): void {
  const areFiles = isFile(found) && isFile(taken);
  if (over === "nothing" || (over === "file" && !areFiles)) throw new Failure("path.taken");
  if (within(taken.location.path, found.location.path)) throw new Failure("path.into");
}

/** How a file is moved to another mount. */
export interface HowCarried extends Pick<HowMoved, "condition"> {
  readonly overwrite: boolean;
}

/**
 * Moves a file to another mount, over a file there only when it may overwrite. It is in one of both places, whatever breaks off on the way.
 * 409 path.taken; 412 path.changed when it was written anew meanwhile: then it stays, and its copy as well. Answers the ETag
 * of the copy.
 */
export async function carryFile(from: ResolvedPath, to: ResolvedPath, how: HowCarried): Promise<string> {
  const { lookup, transfers } = from.deps;
  from.requireWritable("move", true);
  const found = await lookup.get(from.layout, from.location);
  if (!isFile(found)) throw new Failure("path.isFolder");
  const { location, storage, found: taken } = await targetOf(to, "copy");
  const source = await storageOf(transfers, found.location);
  let copied = "";
  const copy = async () => {
    const condition = all(from.recheck("move", found.location, true), how.condition ?? noCondition);
    const { etag, made } = await copyFile(from, to, { overwrite: how.overwrite, condition });
    if (!made) throw new Failure("path.taken");
    copied = made.etag;
    return { of: etag, etag: made.etag };
  };
  const places = { from: placeOf(found.location), to: placeOf(location) };
  const move = { kind: "carried", ...places, ...(taken && ({ over: true } as const)) } as const;
  const isGone = await transfers.objects.carry({ from: source, to: storage, move, copy });
  await tidyAfter(from, found.location, source);
  if (!isGone) throw new Failure("path.changed");
  return copied;
}

/** What remains to be done where something has moved away. */
export async function tidyAfter(
  { deps, layout }: ResolvedPath,
  location: MountedLocation,
  storage: Storage,
): Promise<void> {
  await keepFolder(deps, storage, parentKey(location.key));
  await deps.locks.drop(layout.paths(location));
}

export function plannedMove(
  from: MountedLocation,
  file: boolean,
  to: MountedLocation,
  taken: Found | undefined,
): WantedMove {
  const keyOf = (location: MountedLocation, asFile: boolean) => (asFile ? location.key : folderKeyOf(location));
  const storage = from.mount.storage;
  const moved = {
    kind: "moved",
    from: { storage, key: keyOf(from, file) },
    to: { storage, key: keyOf(to, file) },
  } as const;
  if (!taken) return moved;
  const aside = `${parentKey(to.key)}${STAGING}${Bun.randomUUIDv7()}`;
  if (file && isFile(taken)) return { ...moved, over: true, aside };
  return { ...moved, replaced: keyOf(to, isFile(taken)), aside };
}

/** Whether a move is one rename, whatever lies below: within a mount of real folders. */
export async function isOneRename(from: ResolvedPath, to: ResolvedPath): Promise<boolean> {
  from.requireInBasePath("move");
  to.requireInBasePath("move");
  const { location } = from;
  if (!isMounted(location) || location.mount.id !== to.location.mount?.id) return false;
  return (await storageOf(from.deps.transfers, location)).store.tree !== undefined;
}

/** Removes this version of a file that was copied to another path, where its shares follow it. 412 path.changed; 423. */
export async function removeMoved(from: ResolvedPath, to: ResolvedPath, etag: string): Promise<void> {
  const { lookup, transfers } = from.deps;
  (await from.again()).requireWritable("remove", false);
  from.requireInBasePath("move");
  to.requireInBasePath("move");
  if (isMounted(from.location) && isMounted(to.location)) {
    const places = { from: placeOf(await lookup.spell(from.location)), to: placeOf(await lookup.spell(to.location)) };
    // It has moved from here on: whatever ends this process, no share loses its file.
    await transfers.objects.tell({ kind: "moved", ...places, again: true });
  }
  await remove(from, { ifMatch: etag, forever: true });
}

/** Tells what became of a path at which nothing is: whoever removed or moved it may have ended before everybody knew. */
export async function tellGone(from: ResolvedPath, to?: ResolvedPath): Promise<void> {
  const { lookup, transfers } = from.deps;
  const { tell } = transfers.objects;
  from.requireInBasePath(to === undefined ? "remove" : "move");
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
