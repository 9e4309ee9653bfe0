import type { SQL } from "bun";
import type { Patience } from "./connect.ts";
import { codeOf, isElsewhere } from "./errors.ts";

type Row = Record<string, unknown>;

/** An answer of Bun.SQL: the rows, and what is known of them. */
export interface Answer extends Array<Row> {
  readonly affectedRows: number;
  readonly columns: readonly { readonly name: string; readonly type: number }[] | null;
}

/** A statement that was handed to a connection, or waits for one. */
interface Asked {
  readonly query: SQL.Query<unknown>;
  readonly from: SQL;
  readonly isAlone: boolean;
  /** `performance.now()`. */
  readonly since: number;
}

/** Milliseconds between two looks at what has no answer. */
const LOOK = 100;

interface AnswersDeps {
  readonly times: Patience;
  /** Leaves these connections for new ones; what runs on them has so many milliseconds to end. */
  readonly renew: (old: SQL, closing: number) => void;
  /** Looks for the primary elsewhere than at these connections. */
  readonly leave: (old: SQL) => void;
}

/** Waits for answers of PostgreSQL, but not for ever. */
export function createAnswers({ times, renew, leave }: AnswersDeps) {
  /** What was asked and has no answer yet, the oldest first. */
  const unanswered = new Set<Asked>();
  let watch: Timer | undefined;

  /** Takes back what was not sent in time, and leaves connections on which an answer is overdue. */
  const look = (): void => {
    const now = performance.now();
    if (unanswered.size === 0) watch = void clearInterval(watch);
    for (const { query, from, isAlone, since } of unanswered) {
      if (now - since < times.wait) return;
      if (now - since >= times.silence) renew(from, 0);
      else if (isAlone && !query.active) query.cancel();
    }
  };

  return {
    /** Waits for an answer as long as it may take; what nobody waits behind may also be taken back while it is not sent. */
    async answered(query: SQL.Query<unknown>, from: SQL, isAlone: boolean): Promise<Answer> {
      const asked = { query, from, isAlone, since: performance.now() };
      unanswered.add(asked);
      watch ??= setInterval(look, Math.min(LOOK, times.wait / 2));
      try {
        return (await query) as unknown as Answer;
      } catch (error) {
        if (isElsewhere(codeOf(error))) leave(asked.from);
        throw error;
      } finally {
        unanswered.delete(asked);
      }
    },

    close: (): void => clearInterval(watch),
  };
}
