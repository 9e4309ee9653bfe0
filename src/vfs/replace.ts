import { Failure } from "#contract/failures";
import { join, parentOf, STAGING } from "#contract/paths";
import type { Copied } from "../transfers/copy-then-delete.ts";
import type { Staged } from "../transfers/staging.ts";
import { all, openAccess, type Recheck, type ResolvedPath } from "./access.ts";
import { isFile, isMounted } from "./entry.ts";
import { folderKeyOf } from "./layout.ts";
import { storageOf } from "./lookup.ts";
import { plannedMove, tidyAfter, whereFree } from "./move.ts";
import { exclusively, requireFolderAbove } from "./write.ts";

/** What a move by copies leaves behind. */
interface Leaving<Failed, From> {
  readonly from: From;
  /** ETags of the copied files by their keys; `fill` notes them. */
  readonly copied: Copied;
  /** Whether it may take the place of something. */
  readonly overwrite: boolean;
  /** Says that something has changed since it was copied, and stays: named as in Copied. */
  readonly kept: (below: string) => Failed;
}

/** How something takes the place of what is there. */
export interface HowReplaced<Failed, From> {
  readonly leaving?: Leaving<Failed, From>;
  /** Whatever else must hold: asked right before it takes its place, and its error stops that. */
  readonly condition?: Recheck | undefined;
}

/**
 * Puts at a path what `fill` makes at another one beside it, which nobody sees. A reader sees what was there or the new; what
 * fails, and what `fill` says could not be made, leaves the old, also when the process ends. Once the new is at its place, what it was
 * copied from goes if it is said to be left. On a storage that only knows keys 400 path.large for more objects than a move copies.
 * Answers what `fill` does, or what was kept. 409 path.taken.
 */
export async function replaceBy<Failed>(
  to: ResolvedPath,
  fill: (beside: ResolvedPath) => Promise<readonly Failed[]>,
  { leaving, condition }: HowReplaced<Failed, ResolvedPath> = {},
): Promise<readonly Failed[]> {
  const { deps, location } = to;
  to.requireWritable("copy", true);
  const { objects } = deps.transfers;
  const staging = `${STAGING}${Bun.randomUUIDv7()}`;
  const beside = (await openAccess(deps, { ...to, staging }))(join(parentOf(location.path), staging));
  const at = beside.requireWritable("copy", true);
  const spelled = await deps.lookup.spellAbove(at);
  const staged = await objects.stage({ storage: at.mount.storage, key: spelled.key });
  try {
    const failed = await fill(beside);
    if (failed.length > 0) return failed;
    const kept = await exclusively(to, [location], () => takePlace(beside, to, { staged, leaving, condition }));
    return kept.flatMap((below) => (leaving ? [leaving.kept(below)] : []));
  } finally {
    await staged.end();
  }
}

interface Taking {
  readonly staged: Staged;
  readonly leaving: Leaving<unknown, ResolvedPath> | undefined;
  readonly condition: Recheck | undefined;
}

/** What was staged is at its place from now on, and what was there is gone. Answers what is kept of what it leaves. */
async function takePlace(
  beside: ResolvedPath,
  to: ResolvedPath,
  { staged, leaving, condition }: Taking,
): Promise<readonly string[]> {
  const { lookup, transfers, locks } = to.deps;
  const there = to.requireWritable("copy", true);
  const found = await lookup.get(beside.layout, beside.location);
  if (!isMounted(found.location)) throw new Failure("mount.none");
  const taken = await lookup.find(to.layout, { ...there, folder: false });
  if (taken && leaving?.overwrite === false) throw new Failure("path.taken");
  const storage = await storageOf(transfers, there);
  const spelled = taken && isMounted(taken.location) ? taken.location : await lookup.spellAbove(there);
  await requireFolderAbove(storage, spelled);
  const move = plannedMove(found.location, isFile(found), spelled, taken);
  const beforeCommit = to.recheck("copy", spelled, true);
  const left = leaving && (await leftOf(leaving));
  const mayMove = left ? all(leaving.from.recheck("move", left.location, true), beforeCommit) : beforeCommit;
  const wanted = { ...move, staged, leaves: left?.leaves, condition: whereFree(to, taken, condition) };
  const kept = await transfers.objects.move(storage, wanted, mayMove);
  if (taken) await locks.drop(to.layout.paths(spelled));
  if (left) await tidyAfter(leaving.from, left.location, left.leaves.storage);
  return kept;
}

/** Where lies what is left. */
async function leftOf({ from, copied }: Leaving<unknown, ResolvedPath>) {
  const { lookup, transfers } = from.deps;
  const found = await lookup.get(from.layout, from.requireWritable("move", true));
  const { location } = found;
  if (!isMounted(location)) throw new Failure("mount.none");
  const key = isFile(found) ? location.key : folderKeyOf(location);
  return { location, leaves: { storage: await storageOf(transfers, location), key, copied } };
}
