import { Failure } from "#contract/failures";
import type { CompleteOptions, Recheck } from "../store.ts";

/** The conditions of a change, to be disposed of when it is made or never will be. */
interface CommitTurn extends Disposable {
  readonly beforeCommit: Recheck;
}

/**
 * Has `beforeCommit` take the turn first, so that it is taken right before the request that publishes, or before the last piece of its body,
 * and only once when that is sent again.
 */
export function commitTurn({ turn, beforeCommit }: Pick<CompleteOptions, "beforeCommit" | "turn">): CommitTurn {
  let pass: (() => void) | undefined;
  let isOver = false;
  const enter = async (take: NonNullable<typeof turn>): Promise<void> => {
    const given = await take();
    // The storage may have broken off the request whose last piece waited.
    if (isOver) {
      given();
      throw new Failure("server.busy");
    }
    pass = given;
  };
  return {
    async beforeCommit() {
      if (turn && !pass) await enter(turn);
      await beforeCommit?.();
    },
    [Symbol.dispose]() {
      isOver = true;
      pass?.();
    },
  };
}
