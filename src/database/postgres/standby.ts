import type { Standby } from "../database.ts";
import type { Sql } from "../sql.ts";
import type { Patience } from "./connect.ts";
import { compile } from "./dialect.ts";
import { openPool, type PostgresOptions } from "./pool.ts";
import { rowsOf } from "./postgres.ts";

/** Short, because whoever waits can still ask the primary. */
const SHORT: Partial<Patience> = { connect: 1000, wait: 500, statement: 5000, silence: 6000 };

/** Connections to a standby, which may be several behind one address. */
export function openStandby({ patience, ...options }: PostgresOptions): Standby {
  const pool = openPool({ ...options, patience: { ...SHORT, ...patience } });
  return {
    async read<Row>(queries: readonly Sql[]) {
      const client = await pool.reserve();
      const sent = queries.map(({ text, values }) => pool.sendTo(client, compile(text, values)));
      void Promise.allSettled(sent).then(() => client.release());
      const answers = sent.map(async (answer) => rowsOf<Row>(await answer));
      // Whoever asks may have given up by then.
      for (const answer of answers) answer.catch(() => undefined);
      return answers;
    },
    close: pool.close,
  };
}
