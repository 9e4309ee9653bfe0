import type { Config } from "../config.ts";
import { copyDatabase } from "../database/copy.ts";
import { databaseFile, lockDataFolder } from "../lib/data-folder.ts";
import { requireDatabase } from "./require-database.ts";

/**
 * Copies the database of the data folder to the PostgreSQL of DATABASE_URL. Nobody may write meanwhile, so it holds the data folder as a
 * server does. Throws a sentence for the operator.
 */
export async function copyTo(config: Config, print: (text: string) => void): Promise<void> {
  requireDatabase(config);
  const lock = lockDataFolder(config.dataDir);
  try {
    const say = (line: string) => print(`${line}\n`);
    await copyDatabase({ file: databaseFile(config), url: config.databaseUrl ?? "", say });
  } finally {
    lock.release();
  }
  print(`
Everything was copied, and the counts are the same. Start the server with DATABASE_URL, with the same SECRET_KEY (or with SECRET_KEY_FILE,
which may be the secret.key of the data folder), and with the same data folder: files of the built-in storage stay in it. It builds the index of names anew.
`);
}
