import type { ReservedSQL } from "bun";
import type { Database, Step } from "./database.ts";
import { compile, migration } from "./postgres-dialect.ts";
import { type Abilities, abilitiesOf } from "./postgres-engines.ts";
import { codeOf, mayBegin } from "./postgres-errors.ts";
import type { Answer, Pool } from "./postgres-pool.ts";

/** How the steps of the tables are applied, once however many servers do so at once, and what else depends on the engine. */
export function openSteps(pool: Pool, forced?: Abilities): Pick<Database, "lastStep" | "apply" | "overlaps"> {
  let known = forced;

  const ask = (text: string, ...values: number[]): Promise<Answer> => pool.send(compile(text, values));

  const abilities = async (): Promise<Abilities> => {
    if (!known) {
      const [server] = await ask("select version() as version");
      known = abilitiesOf(String(server?.version));
    }
    return known;
  };

  /**
   * Makes a part of a step and notes it, unless the part or the whole step is noted. Whoever else applies steps waits for row 0
   * meanwhile.
   */
  const once = async (part: number, step: number, make: (client: ReservedSQL) => Promise<void>): Promise<void> => {
    const client = await pool.reserve();
    try {
      await client.unsafe("begin");
      // Building an index may take long, and the client that notes it waits.
      await client.unsafe("set local statement_timeout = 0");
      await client.unsafe("set local idle_in_transaction_session_timeout = 0");
      await client.unsafe("select number from migrations where number = 0 for update");
      const noted = `select number from migrations where number in (${part}, ${step})`;
      if ((await client.unsafe<unknown[]>(noted)).length === 0) {
        await make(client);
        await client.unsafe(`insert into migrations (number, applied_at) values (${part}, ${Date.now()})`);
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

  /** Changes tables on a connection of its own, because that would commit the transaction of any other. */
  const changeTables = async (text: string): Promise<void> => {
    const client = await pool.reserve();
    try {
      await client.unsafe("set statement_timeout = 0");
      await client.unsafe(text);
    } catch (error) {
      if (!isMade(text, codeOf(error))) throw error;
    } finally {
      // A connection that is lost has none any more; one that keeps it is only more patient.
      await client.unsafe("reset statement_timeout").catch(() => undefined);
      await client.release();
    }
  };

  const apply = async ({ number, statements }: Step, engine: Abilities): Promise<void> => {
    const repeat = (part: number, make: (client: ReservedSQL) => Promise<void>) =>
      pool.persist(mayBegin, () => once(part, number, make));
    const texts = statements.flatMap((statement) => migration(statement, engine));
    if (engine.tablesInTransactions) {
      return await repeat(number, async (client) => {
        for (const text of texts) await client.unsafe(text);
      });
    }
    await repeat(BEGUN, refuseOthers);
    for (const [index, text] of texts.entries()) {
      const isOfRows = /^(insert|update|delete)\b/.test(text);
      await repeat(
        partOf(number, index),
        async (client) => void (await (isOfRows ? client.unsafe(text) : changeTables(text))),
      );
    }
    await repeat(number, async (client) => void (await client.unsafe("delete from migrations where number < 0")));
  };

  return {
    overlaps: () => known?.overlaps ?? false,
    async lastStep() {
      // Row 0 is what servers that migrate at once wait for.
      await pool.persist(
        (code) => mayBegin(code) || isThere(code),
        async () => {
          await abilities();
          await ask("create table if not exists migrations (number bigint primary key, applied_at bigint not null)");
          await ask("insert into migrations (number, applied_at) values (0, ?) on conflict do nothing", Date.now());
        },
      );
      const [last] = await ask("select max(number) as number from migrations");
      return Number(last?.number ?? 0);
    },
    apply: (steps) =>
      pool.lasting(async () => {
        for (const step of steps) await apply(step, await abilities());
      }),
  };
}

/** Noted before the first part of a step: from then on every table of the schema is ours. */
const BEGUN = -1;

/** What is there already is taken for what was made and not noted, so nothing of anybody else may be there. Throws an Error with a sentence for the operator. */
async function refuseOthers(client: ReservedSQL): Promise<void> {
  const [known] = await client.unsafe<unknown[]>("select number from migrations where number > 0 limit 1");
  const [other] = await client.unsafe<{ name: string }[]>(
    "select table_name::text as name from information_schema.tables where table_schema = current_schema() and table_name <> 'migrations' limit 1",
  );
  if (!known && other)
    throw new Error(`The schema has a table of somebody else (${other.name}). Satchel needs one of its own.`);
}

/** A part of a step that is not whole is noted below zero; no step has so many. */
const partOf = (step: number, index: number): number => -(1000 * step + index + 1);

/** Another made the same table at once: the table, its type or its name in the catalog was there first. */
const isThere = (code: string): boolean => ["42P07", "42710", "23505"].includes(code);

/**
 * Whether a change of tables fails because it was made before and not noted: what it makes is there (a table or index, a column, a
 * function, anything else that has a name), or what it takes away or renames is not.
 */
const isMade = (text: string, code: string): boolean =>
  (/^drop\b|^alter table \S+ (drop|rename)\b/.test(text)
    ? ["42P01", "42703", "42704"]
    : ["42P07", "42701", "42723", "42710"]
  ).includes(code);
