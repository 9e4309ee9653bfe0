import { Failure } from "#contract/failures";
import { join, parentOf, STAGING } from "#contract/paths";
import type { Staged } from "../transfers/intents.ts";
import { openAccess, type Reached } from "./access.ts";
import { isFile, isMounted, storageOf } from "./lookup.ts";
import { plannedMove } from "./moving.ts";
import { alone, demandFolderAbove } from "./writing.ts";

/**
 * Replaces what is at a path by what `fill` makes at another one beside it, which nobody sees. A reader sees the old or the new; what
 * fails, and what `fill` says could not be made, leaves the old, also when the process ends. On a storage that only knows keys 400
 * path.large for more objects than a move copies. Answers what `fill` does.
 */
export async function replaceBy<Failed>(
  to: Reached,
  fill: (beside: Reached) => Promise<readonly Failed[]>,
): Promise<readonly Failed[]> {
  const { deps, location } = to;
  to.demandChange("copy", true);
  const { objects } = deps.transfers;
  const staging = `${STAGING}${Bun.randomUUIDv7()}`;
  const beside = (await openAccess(deps, { ...to, staging }))(join(parentOf(location.path), staging));
  const at = beside.demandChange("copy", true);
  const spelled = await deps.lookup.spellAbove(at);
  const staged = await objects.stage({ storage: at.mount.storage, key: spelled.key });
  try {
    const failed = await fill(beside);
    if (failed.length === 0) await alone(deps, [location], () => takePlace(beside, to, staged));
    return failed;
  } finally {
    await staged.end();
  }
}

/** What was staged is at its place from now on, and what was there is gone. */
async function takePlace(beside: Reached, to: Reached, staged: Staged): Promise<void> {
  const { lookup, transfers, locks } = to.deps;
  const there = to.demandChange("copy", true);
  const found = await lookup.get(beside.layout, beside.location);
  if (!isMounted(found.location)) throw new Failure("mount.none");
  const taken = await lookup.find(to.layout, { ...there, folder: false });
  const storage = await storageOf(transfers, there);
  const spelled = taken && isMounted(taken.location) ? taken.location : await lookup.spellAbove(there);
  await demandFolderAbove(storage, spelled);
  const move = plannedMove(found.location, isFile(found), spelled, taken);
  await transfers.objects.move(storage, { ...move, staged }, to.confirm("copy", spelled, true));
  if (taken) await locks.drop(to.layout.paths(spelled));
}
