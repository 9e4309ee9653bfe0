import { Database as Engine } from "bun:sqlite";
import { join } from "node:path";
import { asOwner } from "../postgres/databases.ts";

/** A database as the last step before the first release left it, which the baseline stands for now, with a few rows. */

const textOf = async (...names: readonly string[]): Promise<string> =>
  (await Promise.all(names.map((name) => Bun.file(join(import.meta.dir, "step-22", name)).text()))).join("");

/** The bytes of such a database file; of an earlier step when it says so, though its tables are those of the last. */
export async function step22File(step = 22): Promise<Uint8Array> {
  using engine = new Engine(":memory:");
  engine.exec(await textOf("sqlite.sql", "rows.sql"));
  engine.exec(`delete from migrations where number > ${step}`);
  return engine.serialize();
}

/** Makes an empty database of PostgreSQL such a one. */
export async function makeStep22(url: string, step = 22): Promise<void> {
  await asOwner(
    url,
    await textOf("postgres.sql", "rows.sql"),
    "insert into migrations (number, applied_at) values (0, 1)",
    `delete from migrations where number > ${step}`,
  );
}
