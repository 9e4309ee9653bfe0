/** Lets one task at a time do something under a name. */

import type { Sql } from "../database/sql.ts";
import { createLocks } from "../lib/locks.ts";
import { digest } from "./lease-rows.ts";
import type { Leases } from "./leases.ts";

/**
 * Runs tasks that share a name one after the other. A task whose signal aborts before its turn never begins: then `busy` is thrown. What a
 * task is given belongs into a transaction that must not be made once its turn is over, as that of a server that stood still: it is
 * refused with LeaseLost then.
 */
export type InTurn = <Result>(
  names: string | readonly string[],
  task: (proof: readonly Sql[]) => Promise<Result>,
  waiting?: { readonly signal?: AbortSignal | undefined },
) => Promise<Result>;

/** How long a task waits for its turn. */
export interface Patience {
  /** Milliseconds, after which `busy` is thrown. */
  readonly patience: number;
  readonly busy: () => Error;
}

/** Turns of the tasks of one server. */
export function ownTurns(patience: Patience | undefined): InTurn {
  const locks = createLocks();
  return (names, task, { signal } = {}) =>
    begins(patience, signal, (waiting, begun) =>
      locks(
        names,
        () => {
          begun();
          return task([]);
        },
        { signal: waiting },
      ),
    );
}

/** Turns of the tasks of all servers. */
export function sharedTurns(leases: Pick<Leases, "wait">, kind: string, patience: Patience | undefined): InTurn {
  const here = createLocks();
  return (names, task, { signal } = {}) => {
    const hidden = [names].flat().map((name) => `${kind} ${digest(name)}`);
    const turn = async (waiting: AbortSignal | undefined, begun: () => void) => {
      const lease = await leases.wait(hidden, waiting);
      try {
        waiting?.throwIfAborted();
        begun();
        return await task(lease.proof);
      } finally {
        await lease.release();
      }
    };
    return begins(patience, signal, (waiting, begun) => here(hidden, () => turn(waiting, begun), { signal: waiting }));
  };
}

/**
 * Runs what waits and then begins a task. Its signal aborts when that lasts too long or nobody waits for it any more, and never once
 * the task has begun, which is neither late nor to be left half done.
 */
async function begins<Result>(
  limit: Patience | undefined,
  signal: AbortSignal | undefined,
  run: (waiting: AbortSignal | undefined, begun: () => void) => Promise<Result>,
): Promise<Result> {
  if (!limit) return await run(undefined, () => undefined);
  const { patience, busy } = limit;
  if (signal?.aborted) throw busy();
  const waiting = new AbortController();
  const giveUp = () => waiting.abort(busy());
  const timer = setTimeout(giveUp, patience);
  const begun = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  };
  signal?.addEventListener("abort", giveUp);
  try {
    return await run(waiting.signal, begun);
  } finally {
    begun();
  }
}
