/** Opens what the house stands on, as a configuration says. */

import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { backUpInChild } from "./backup/child.ts";
import { checkRestored } from "./backup/interrupted.ts";
import { prepareFolder } from "./backup/prepare-folder.ts";
import { createBucketTrial } from "./backup/try-bucket.ts";
import type { Config } from "./config.ts";
import type { Database, Standby } from "./database/database.ts";
import { factOf } from "./database/facts.ts";
import { checkDatabaseFile } from "./database/file-check.ts";
import { openPostgres } from "./database/postgres/postgres.ts";
import { openStandby } from "./database/postgres/standby.ts";
import { checkDirect, checkServer, checkStandby } from "./database/server-check.ts";
import { openSqlite } from "./database/sqlite/sqlite.ts";
import { systemClock } from "./lib/clock.ts";
import { databaseFile, hasBytes, holdsFiles, readSecret } from "./lib/data-folder.ts";
import { createLog } from "./lib/log.ts";

/** Shared files, one folder for each bucket. */
export const objectsFolder = ({ dataDir }: Pick<Config, "dataDir">): string => join(resolve(dataDir), "objects");

/** Whether the data folder has a database with anything in it; a first start that was interrupted leaves an empty file. */
const hasDatabase = (config: Config): boolean => hasBytes(databaseFile(config));

/** SQLite removes a log without its database unasked, and it may be all that is left of what was written last. */
function checkLog(config: Config): void {
  const [file, log] = [databaseFile(config), `${databaseFile(config)}-wal`];
  if (hasDatabase(config) || !hasBytes(log)) return;
  const fate = existsSync(file) ? "empty" : "missing";
  throw new Error(
    `The database ${file} is ${fate}, but its log ${log} is there, with what was written last. Nothing was changed. Restore the database that the log is of, or move the log away to go on without.`,
  );
}

/** Looks at what the data folder has, and writes nothing. Throws a sentence for the operator. */
export function checkDataFolder(config: Config): void {
  const [file, objects] = [databaseFile(config), objectsFolder(config)];
  checkLog(config);
  if (config.newDatabase) {
    if (hasDatabase(config)) throw new Error(`The database ${file} is there. Start without --new-database.`);
    return;
  }
  if (!existsSync(file) && bucketsOf(objects).some(holdsFiles)) {
    throw new Error(`The database ${file} is missing, but there are files in ${objects}. ${BEGIN_ANEW}`);
  }
  checkDatabaseFile(file, existsSync(objects));
}

/** The folders of built-in storages; one whose name begins with a dot has what is not a file yet. */
const bucketsOf = (objects: string): string[] =>
  (existsSync(objects) ? readdirSync(objects, { withFileTypes: true }) : [])
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => join(objects, name));

const BEGIN_ANEW =
  "Nothing was changed. Restore the database from a backup, or start once with --new-database: the files stay in the tree, but shares, keys, settings and the account begin anew.";

/** PostgreSQL where the configuration names one, else SQLite in the data folder. Throws a sentence for the operator. */
async function openDatabase(config: Config): Promise<Database> {
  const { databaseUrl: url, databaseDirectUrl: directUrl, databaseConnections: connections, synchronous } = config;
  if (url === undefined) return openSqlite({ file: databaseFile(config), synchronous });
  const db = openPostgres({ url, directUrl, connections });
  await checkServer(db, url);
  if (directUrl === undefined) return db;
  const direct = openPostgres({ url: directUrl, connections: 3 });
  await checkDirect(db, direct, directUrl).finally(direct.close);
  return db;
}

/** The standby that the configuration names, which is one of this database. Throws a sentence for the operator. */
export async function openStandbyOf(config: Config, db: Database): Promise<Standby | undefined> {
  const { databaseReadUrl: url, databaseConnections: connections } = config;
  if (url === undefined) return undefined;
  const standby = openStandby({ url, connections });
  try {
    await checkStandby(db, standby, url);
  } catch (error) {
    await standby.close();
    throw error;
  }
  return standby;
}

/** What stands in a data folder and in the environment, before any room is open. Throws a sentence for the operator. */
export async function openDependencies(config: Config) {
  const isLocal = config.databaseUrl === undefined;
  const { databaseSessionUrl: url } = config;
  await checkRestored(config.dataDir, url === undefined ? undefined : (name) => factOf(url, name));
  if (isLocal) checkDataFolder(config);
  const secret = readSecret(config.dataDir, config.secretKey, isLocal && hasDatabase(config));
  const log = createLog(config.logLevel, (text) => process.stdout.write(text));
  const db = await openDatabase(config);
  return { db, secret, clock: systemClock, log, sameTime: db.engine === "postgres" };
}

/** Where the files of a configuration are, and how its content is kept. */
export const contentOf = (config: Config) => ({
  folder: config.dataDir,
  objects: objectsFolder(config),
  folders: config.folders,
  durable: config.synchronous === "FULL",
  backups: backupsOf(config),
  webhooks: config.webhooks,
});

/** How a server of this configuration makes backups. */
const backupsOf = (config: Config) => {
  const { dataDir, databaseSessionUrl: databaseUrl, secretKey, backup } = config;
  const { recipient, inherited, s3 } = backup;
  return {
    make: backUpInChild({ dataDir: resolve(dataDir), databaseUrl, secretKey, recipient, inherited, s3 }),
    recipient,
    tryBucket: createBucketTrial(s3),
    prepare: (folder: string) =>
      prepareFolder(folder, { objects: objectsFolder(config), shared: config.folders.folders }),
  };
};
