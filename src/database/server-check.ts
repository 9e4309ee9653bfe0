import type { Database } from "./database.ts";
import { sql } from "./sql.ts";

/** The oldest PostgreSQL that is tested. */
const OLDEST = 15;

/**
 * Checks that PostgreSQL can be reached, is new enough, and has what the tables are made with. Other engines that speak its protocol are
 * refused, because nobody has tested them. Throws an Error with a sentence for the operator that names no password.
 */
export async function checkServer(db: Database, url: string): Promise<void> {
  const place = placeOf(url);
  const server = await db
    .first<{ version: string; encoding: string; place: string | null }>(
      sql`select version() as version, current_setting('server_encoding') as encoding, current_schema() as place`,
    )
    .catch((error: unknown) => {
      throw new Error(`The database ${place} cannot be used: ${messageOf(error)}.`);
    });
  const [product = "", version = ""] = server?.version.split(/[ ,]/, 2) ?? [];
  // What is made of PostgreSQL says so behind a hyphen ("PostgreSQL 15.12-YB-2025.1").
  const isPostgres = product === "PostgreSQL" && !version.includes("-");
  if (!isPostgres || Number.parseInt(version, 10) < OLDEST) {
    throw new Error(`The database ${place} is ${product} ${version}. Satchel needs PostgreSQL ${OLDEST} or newer.`);
  }
  if (server?.encoding !== "UTF8") throw new Error(`The database ${place} must have the encoding UTF8.`);
  if (server.place === null) throw new Error(`The database ${place} has no schema that this user may use.`);
  // Not every PostgreSQL is built with ICU, and no step of the tables may fail for what the texts in them need.
  await db.first(sql`select lower(normalize('A', NFC) collate "und-x-icu") as folded`).catch((error: unknown) => {
    throw new Error(`The database ${place} lacks what Satchel needs: ${messageOf(error)}.`);
  });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The address of a database without its password. */
export function placeOf(url: string): string {
  const { username, host, pathname } = new URL(url);
  return `postgres://${username && `${username}@`}${host}${pathname}`;
}
