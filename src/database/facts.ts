import { openPostgres } from "./postgres/postgres.ts";
import { sql } from "./sql.ts";
import { hasTable } from "./tables.ts";

/** The name of the fact with what became of backups that the server made; it is of a place, not of what is backed up. */
export const BACKUPS_FACT = "backups";

/** What a PostgreSQL says of itself by a name; undefined when it says nothing, or has no tables. */
export async function factOf(url: string, name: string): Promise<string | undefined> {
  const db = openPostgres({ url, connections: 3 });
  try {
    if (!(await hasTable(db, "facts"))) return undefined;
    return (await db.first<{ value: string }>(sql`select value from facts where name = ${name}`))?.value;
  } finally {
    await db.close();
  }
}
