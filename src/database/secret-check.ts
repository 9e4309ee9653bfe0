import { deriveKey, mac } from "../lib/secret.ts";
import { type Database, sql } from "./database.ts";

/** Stops a start with another secret key than the one that this database's sessions, grants and passwords were made with. */
export async function checkSecret(db: Database, secret: string): Promise<void> {
  const value = mac(deriveKey(secret, "check value"), "satchel").toString("base64url");
  await db.run(sql`insert into facts (name, value) values ('secret check', ${value}) on conflict (name) do nothing`);
  const stored = await db.first<{ value: string }>(sql`select value from facts where name = 'secret check'`);
  if (stored?.value === value) return;
  throw new Error(
    "The secret key is not the one this data folder was made with (SECRET_KEY, or secret.key in the folder).",
  );
}
