import type { Call } from "../../../api/call.ts";
import {
  cancelledAt,
  type Moved,
  noOutcome,
  type Outcome,
  type Trouble,
  together,
  troubleAt,
} from "../model/outcome.ts";
import { endsAll, rename, type Stepping } from "../model/tree-calls.ts";
import { linesOf } from "./order.ts";

/** How many renames are under way at once: each waits mostly for the way to the server and back. */
const AT_ONCE = 3;

/** Renames on their way: how many are settled, and why it goes no further once that is known. */
interface State extends Stepping {
  readonly call: Call;
  settled: number;
  end: unknown;
}

/** What gets which path, and the names in the folder. */
interface Wanted {
  readonly wanted: readonly Moved[];
  readonly taken: ReadonlySet<string>;
}

/**
 * Gives these entries their new names, and none of them that of another that still has it. Cancelled or cut off at any time, each is there
 * under its old name, its new one, or in a circle of names under one beside it. Never throws.
 */
export async function renameLines(call: Call, { wanted, taken }: Wanted, running: Stepping): Promise<Outcome> {
  const waiting = linesOf(wanted, taken);
  const state: State = { ...running, call, settled: 0, end: undefined };
  const outcomes: Outcome[] = [];
  const lane = async () => {
    for (let line = waiting.shift(); line; line = waiting.shift())
      outcomes.push(await (line.isCircle ? goRound(state, line.moves) : goAlong(state, line.moves)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return together(outcomes);
}

/** Renames one after the other; what fails leaves the others as they are. */
async function goAlong(state: State, moves: readonly Moved[]): Promise<Outcome> {
  const done: Moved[] = [];
  const failed: Trouble[] = [];
  for (const move of moves) {
    const trouble = state.signal.aborted ? cancelledAt(move.from) : await attempt(state, move);
    if (trouble) failed.push(trouble);
    else done.push(move);
    settle(state, move);
  }
  return { ...noOutcome, done, failed };
}

/** Makes all these renames, or takes back those that were made: a circle is not left open, also by who cancels. */
async function goRound(state: State, moves: readonly Moved[]): Promise<Outcome> {
  const done: Moved[] = [];
  const starts = moves.slice(0, -1).map(({ from }) => from);
  let trouble: Trouble | undefined = state.signal.aborted ? cancelledAt(starts[0] ?? "") : undefined;
  for (const move of moves) {
    trouble ??= await attempt(state, move);
    if (trouble) break;
    done.push(move);
  }
  for (const move of moves.slice(0, -1)) settle(state, move);
  if (!trouble) return { ...noOutcome, done };
  for (let last = done.at(-1); last && (await takeBack(state, last)); last = done.at(-1)) done.pop();
  // Where each is now: under the name that it had, or the one at which it was left.
  const places = starts.map((start) => done.find(({ from }) => from === start)?.to ?? start);
  const { reason, code } = trouble;
  return { done, skipped: 0, failed: places.map((path) => ({ path, reason, code })) };
}

function settle(state: State, { to }: Moved): void {
  state.settled += 1;
  state.onStep(state.settled, to);
}

/** Makes a rename, unless it would fail as one before it. Answers what went wrong. */
async function attempt(state: State, move: Moved): Promise<Trouble | undefined> {
  try {
    if (state.end !== undefined) throw state.end;
    await rename(state.call, move);
    return undefined;
  } catch (error) {
    if (endsAll(error)) state.end = error;
    return troubleAt(move.from, error);
  }
}

/** Reports whether a rename could be undone. */
async function takeBack({ call }: State, { from, to }: Moved): Promise<boolean> {
  try {
    await rename(call, { from: to, to: from });
    return true;
  } catch {
    return false;
  }
}
