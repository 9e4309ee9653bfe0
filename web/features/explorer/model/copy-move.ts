import type { Call } from "../../../api/call.ts";
import { bare, isAtOrBelow } from "../../../lib/folder-path.ts";
import { type Ask, type Placed, settle } from "./conflicts.ts";
import type { Entry } from "./entry.ts";
import { type JobPorts, type Transfer, transfer } from "./jobs.ts";
import type { RunningOperation } from "./notes.ts";
import { type Moved, noOutcome, type Outcome, together, troubleAt } from "./outcome.ts";
import { foldersOf, namesIn, pathAt, renameAll } from "./tree-calls.ts";

export interface CopyMovePorts extends JobPorts {
  readonly call: Call;
  /** Visitors have no jobs. */
  readonly signedIn: () => boolean;
  /** Copies what the server can at once, and carries the rest through this browser. Never throws. */
  readonly copyInBrowser: (transfers: readonly Transfer[], signal: AbortSignal) => Promise<Outcome>;
  readonly ask: Ask;
  /** Reloads folders that have changed. */
  readonly renew: (...folders: string[]) => Promise<void>;
}

/** Files and folders, and the folder that they go into. */
interface Wanted {
  readonly entries: readonly Entry[];
  readonly target: string;
  /** What an earlier try has begun, which this one adds to: it goes on where that ended, and asks nothing about what it has made itself. */
  readonly begun: Begun;
}

/** Copies and moves that the server or this browser has begun, by what they are of. */
export type Begun = Map<string, Transfer>;

/** Copies into a folder. Copies into the same folder get free names. Never throws. */
export async function copyInto(ports: CopyMovePorts, wanted: Wanted, running: RunningOperation) {
  const { entries, target, begun } = wanted;
  try {
    const here = entries.every(({ path }) => foldersOf([{ from: path, to: path }])[0] === bare(target));
    const ask: Ask = here ? async () => keepBoth : ports.ask;
    const settled = await place(ports.call, wanted, ask);
    if (!settled) return noOutcome;
    const { transfers } = settled;
    note(begun, transfers);
    const outcome = ports.signedIn()
      ? await carryUnreached(ports, transfers, await transfer(ports, "copy", transfers, running), running.signal)
      : await ports.copyInBrowser(transfers, running.signal);
    await ports.renew(target);
    return { ...outcome, skipped: outcome.skipped + settled.skipped };
  } catch (error) {
    return failing(entries, error);
  }
}

/** Copies through this browser what the server could not, because it cannot reach a storage. What fails again keeps the server's reason. */
async function carryUnreached(
  { copyInBrowser }: CopyMovePorts,
  transfers: readonly Transfer[],
  outcome: Outcome,
  signal: AbortSignal,
): Promise<Outcome> {
  const unreachable = outcome.failed.filter(({ code }) => code === "storage.unreachable");
  const unreached = transfers.filter(({ from }) => unreachable.some(({ path }) => isAtOrBelow(path, from)));
  if (unreached.length === 0 || signal.aborted) return outcome;
  const { done, skipped } = await copyInBrowser(unreached, signal);
  const isThere = (path: string) => done.some(({ from }) => isAtOrBelow(path, from));
  return {
    done: [...outcome.done, ...done],
    skipped: outcome.skipped + skipped,
    failed: outcome.failed.filter(({ path }) => !isThere(path)),
  };
}

/** Moves into a folder: within a mount by renaming, else by a job. Never throws. */
export async function moveInto(ports: CopyMovePorts, wanted: Wanted, running: RunningOperation) {
  const { entries, target, begun } = wanted;
  try {
    const settled = await place(ports.call, wanted, ports.ask);
    if (!settled) return noOutcome;
    const isForJob = ({ from, replaces }: Transfer) => replaces || begun.has(from);
    const { byJob, ...renamed } = await renameAll(
      ports.call,
      settled.transfers.filter((one) => !isForJob(one)),
      running,
    );
    const rest = [...settled.transfers.filter(isForJob), ...byJob.map(replacingNothing)];
    note(begun, rest);
    const moved = rest.length === 0 ? noOutcome : await transfer(ports, "move", rest, running);
    await ports.renew(target, ...foldersOf(rest));
    const all = together([renamed, moved]);
    return { ...all, skipped: all.skipped + settled.skipped };
  } catch (error) {
    return failing(entries, error);
  }
}

/** Makes these moves, within a mount by renaming, else by a job. */
export async function moveAll(ports: CopyMovePorts, moves: readonly Moved[], running: RunningOperation) {
  const { byJob, ...renamed } = await renameAll(ports.call, moves, running);
  if (byJob.length === 0) return renamed;
  return together([renamed, await transfer(ports, "move", byJob.map(replacingNothing), running)]);
}

/**
 * Says where each entry goes, and asks about names that are taken in the target, except by what an earlier try has begun; undefined if the
 * person cancels. Throws ApiFailure.
 */
async function place(call: Call, { entries, target, begun }: Wanted, ask: Ask) {
  const coming = entries.filter(({ path }) => !begun.has(path));
  const known = entries.flatMap(({ path }) => begun.get(path) ?? []);
  if (coming.length === 0) return { transfers: known, skipped: 0 };
  const settled = await settle({ folder: target, coming, taken: await namesIn(call, target), ask });
  return settled && { transfers: [...known, ...transfersOf(settled.placed, target)], skipped: settled.skipped };
}

const note = (begun: Begun, transfers: readonly Transfer[]): void => {
  for (const one of transfers) begun.set(one.from, one);
};

const transfersOf = (placed: readonly Placed<Entry>[], target: string): Transfer[] =>
  placed.map(({ item, name, replaces }) => ({ from: item.path, to: pathAt(item, target, name), replaces }));

const replacingNothing = (move: Moved): Transfer => ({ ...move, replaces: false });

const failing = (entries: readonly Entry[], error: unknown): Outcome => ({
  ...noOutcome,
  failed: entries.map(({ path }) => troubleAt(path, error)),
});

const keepBoth = { choice: "both", forAll: true } as const;
