import { deriveKey, mac } from "../lib/secret.ts";
import type { Database } from "./database.ts";
import { sql } from "./sql.ts";
import { hasTable } from "./tables.ts";

/** A text that tells one secret key from another, and nothing of either. */
export const checkValue = (secret: string): string =>
  mac(deriveKey(secret, "check value"), "satchel").toString("base64url");

/**
 * Stops a start with another secret key than the one that this database's sessions, grants and passwords were made with. Writes nothing; a
 * database that is still nobody's passes.
 */
export async function checkSecret(db: Database, secret: string): Promise<void> {
  if (!(await hasTable(db, "facts"))) return;
  const stored = await db.first<{ value: string }>(sql`select value from facts where name = 'secret check'`);
  if (!stored || stored.value === checkValue(secret)) return;
  throw new Error(
    "The secret key is not the one this database was made with (SECRET_KEY, or secret.key in the data folder). Nothing was changed.",
  );
}

/** Makes the database that of this secret key, unless it is somebody's. Throws as `checkSecret` when another server was faster with another key. */
export async function noteSecret(db: Database, secret: string): Promise<void> {
  const value = checkValue(secret);
  await db.run(sql`insert into facts (name, value) values ('secret check', ${value}) on conflict (name) do nothing`);
  await checkSecret(db, secret);
}
