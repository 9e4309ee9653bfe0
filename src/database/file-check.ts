import { Database as Engine, SQLiteError } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { isFull, orWithSpare } from "./bounded.ts";
import { createSpare } from "./sqlite/spare.ts";

const ADVICE = "Nothing was changed. Restore it from a backup, or move it away to begin with an empty one.";

/**
 * Checks that a file is a whole SQLite database, without writing to it: reads every page once, about a second per
 * gigabyte. A missing file passes. An empty file is the result of an interrupted first start, unless `inUse` says that
 * the folder holds more. Throws an Error with a sentence for the operator.
 */
export function checkDatabaseFile(file: string, inUse: boolean): void {
  if (!existsSync(file)) return;
  if (statSync(file).size === 0) {
    if (inUse) throw new Error(`The database ${file} is empty. ${ADVICE}`);
    return;
  }
  // Reading takes room as well, for the index of the log.
  const damage = orWithSpare(createSpare(file), () => damageOf(file));
  if (damage !== undefined) throw new Error(`The database ${file} is damaged: ${damage}. ${ADVICE}`);
}

/** What SQLite says of a damaged file (PRAGMA quick_check); undefined for one that is whole. */
function damageOf(file: string): string | undefined {
  let engine: Engine | undefined;
  try {
    engine = new Engine(file, { readonly: true });
    return damageIn(engine);
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error;
    if (DAMAGES.includes(error.errno & 0xff)) return error.message;
    if (isFull(error)) throw error;
    throw new Error(`The database ${file} cannot be opened: ${error.message}.`);
  } finally {
    engine?.close();
  }
}

/** What SQLite says of a damaged database that is open, after a look at every page; undefined for one that is whole. */
export function damageIn(engine: Engine): string | undefined {
  const row = engine.query<{ quick_check: string }, []>("pragma quick_check(1)").get();
  const said = row?.quick_check ?? "no answer";
  return said === "ok" ? undefined : said.replace(/\s+/g, " ").trim();
}

/** SQLITE_CORRUPT, SQLITE_NOTADB. */
const DAMAGES: readonly number[] = [11, 26];
