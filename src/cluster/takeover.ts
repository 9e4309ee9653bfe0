/** How a server takes over what another one has left. */

import type { Database } from "../database/database.ts";
import { joined, type Sql, sql } from "../database/sql.ts";

type Task = () => Promise<void>;

/** Runs tasks one after the other, also when one fails, and reports whether all went well. */
export type RunAll = (tasks: readonly Task[]) => Promise<boolean>;

/** Adds a task that is run whenever its condition holds. */
export type Regularly = (isDue: Sql, task: Task) => void;

/** Looks again and again whether there is something to take over. */
export function createTakeover(db: Pick<Database, "all">, runAll: RunAll) {
  const looks: { readonly isDue: Sql; readonly task: Task }[] = [];
  let looking: Promise<void> | undefined;
  let isClosed = false;

  const lookAll = async (): Promise<void> => {
    const questions = looks.map(({ isDue }, index) => sql`select ${index} as number where ${isDue}`);
    const due = questions.length === 0 ? [] : await db.all<{ number: number }>(joined(questions, " union all "));
    // One that fails does not keep the others from being done.
    await runAll(due.flatMap(({ number }) => looks[number]?.task ?? []));
  };

  const regularly: Regularly = (isDue, task) => void looks.push({ isDue, task });

  return {
    regularly,

    /** Runs a task, and then those that are due. Does nothing while it does so already. */
    async look(first: Task): Promise<void> {
      // A storage that does not answer can make it last long.
      if (looking || isClosed) return;
      looking = runAll([first, lookAll]).then(() => undefined);
      await looking;
      looking = undefined;
    },

    /** Looks no more; resolves when the running look has ended. */
    async close(): Promise<void> {
      isClosed = true;
      await looking;
    },
  };
}
