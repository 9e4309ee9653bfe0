import { type Database, plainSql, sql } from "./database.ts";
import { foundation } from "./migrations/0001-foundation.ts";
import { files } from "./migrations/0002-files.ts";
import { keys } from "./migrations/0003-keys.ts";

/** In order; a landed one is never edited, a new one is added below. */
const migrations: readonly (readonly string[])[] = [foundation, files, keys];

/**
 * Brings the tables to the present version. Each step is applied whole or not at all. Throws for a database of a newer
 * Satchel, and for one of an older when it may not be changed because its server may be running.
 */
export async function migrate(db: Database, mayChange: boolean): Promise<void> {
  await db.run(
    sql`create table if not exists migrations (number integer primary key, applied_at integer not null) strict`,
  );
  const last = await db.first<{ number: number | null }>(sql`select max(number) as number from migrations`);
  const applied = last?.number ?? 0;
  if (applied > migrations.length) {
    throw new Error(`The database is of a newer Satchel (step ${applied}, this one knows ${migrations.length}).`);
  }
  if (!mayChange && applied < migrations.length) {
    throw new Error("The data folder is of an older Satchel. Start the server with this one first.");
  }
  for (const [index, statements] of migrations.entries()) {
    const number = index + 1;
    if (number <= applied) continue;
    await db.batch([
      ...statements.map(plainSql),
      sql`insert into migrations (number, applied_at) values (${number}, ${Date.now()})`,
    ]);
  }
}
