import type { ReservedSQL } from "bun";
import type { Database } from "../database.ts";
import type { Answer } from "./answers.ts";
import { compile, migration } from "./dialect.ts";
import { mayBegin } from "./errors.ts";
import type { Pool } from "./pool.ts";

/** How the steps of the tables are applied, once however many servers do so at once. */
export function openSteps(pool: Pool): Pick<Database, "lastStep" | "apply"> {
  const ask = (text: string, ...values: number[]): Promise<Answer> => pool.send(compile(text, values));

  /** Makes a step and notes it, unless it is noted. Whoever else applies steps waits for row 0 meanwhile. */
  const apply = async (step: number, texts: readonly string[]): Promise<void> => {
    const client: ReservedSQL = await pool.reserve();
    try {
      await client.unsafe("begin");
      // Building an index may take long.
      await client.unsafe("set local statement_timeout = 0");
      await client.unsafe("select number from migrations where number = 0 for update");
      const noted = await client.unsafe<unknown[]>(`select number from migrations where number = ${step}`);
      if (noted.length === 0) {
        for (const text of texts) await client.unsafe(text);
        await client.unsafe(`insert into migrations (number, applied_at) values (${step}, ${Date.now()})`);
      }
      await client.unsafe("commit");
    } catch (error) {
      // A connection that is lost has ended its transaction.
      await client.unsafe("rollback").catch(() => undefined);
      throw error;
    } finally {
      await client.release();
    }
  };

  return {
    async lastStep() {
      // Row 0 is what servers that migrate at once wait for.
      await pool.persist(
        (code) => mayBegin(code) || isThere(code),
        async () => {
          await ask("create table if not exists migrations (number bigint primary key, applied_at bigint not null)");
          await ask("insert into migrations (number, applied_at) values (0, ?) on conflict do nothing", Date.now());
        },
      );
      const [last] = await ask("select max(number) as number from migrations");
      return Number(last?.number ?? 0);
    },
    apply: (steps) =>
      pool.lasting(async () => {
        for (const { number, statements } of steps) {
          const texts = statements.flatMap(migration);
          await pool.persist(mayBegin, () => apply(number, texts));
        }
      }),
  };
}

/** Another made the same table at once: the table, its type or its name in the catalog was there first. */
const isThere = (code: string): boolean => ["42P07", "42710", "23505"].includes(code);
