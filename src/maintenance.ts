/** Opens rooms for commands that are no server. */

import { type Admin, type FirstCredentials, openAdmin } from "./access/admin.ts";
import { createAudit } from "./access/audit.ts";
import { createKnownAddresses } from "./access/known-addresses.ts";
import { createCounter, createLimiter } from "./access/limiter.ts";
import { accountPasswords } from "./access/passwords.ts";
import { createSessions, createTokens } from "./access/sessions.ts";
import { standAlone } from "./cluster/alone.ts";
import type { Config } from "./config.ts";
import type { Database } from "./database/database.ts";
import { contentOf, openDependencies } from "./dependencies.ts";
import type { Dependencies } from "./house/base.ts";
import { bounded, checkDatabase, type DatabaseDependencies, openTables } from "./house/database.ts";
import { type House, openHouse } from "./house.ts";
import { steadyClock } from "./lib/clock.ts";
import { lockDataFolder } from "./lib/data-folder.ts";
import { createDoctor } from "./stores/doctor/doctor.ts";
import { openStores } from "./stores/stores.ts";

/** Opens a database beside the server that works on it. Throws as `openHouse`. */
async function openDatabase(dependencies: DatabaseDependencies): Promise<Database> {
  const { db } = bounded(dependencies.db, dependencies.log);
  await checkDatabase(db, dependencies);
  await openTables(db, dependencies, false);
  return db;
}

/**
 * Opens the room of the administrator's account and no other: a server may be running on the database, and what the other rooms note
 * at their opening is for one server. Throws as `openHouse`.
 */
async function openAccount(dependencies: DatabaseDependencies): Promise<Admin> {
  const { secret, clock, log } = dependencies;
  const db = await openDatabase(dependencies);
  const steady = steadyClock(clock);
  const known = createKnownAddresses({ cluster: standAlone({ db, clock }), clock: steady, log });
  const limiter = createLimiter(createCounter(steady), known);
  const sessions = createSessions({ db, clock, tokens: createTokens(secret, clock) });
  const audit = createAudit({ db, clock, log });
  return await openAdmin({ db, clock, passwords: accountPasswords(), sessions, limiter, audit });
}

/** Opens what tests storages and no other room, also beside a running server. Throws as `openHouse`. */
export async function openStorageTest(dependencies: DatabaseDependencies & Pick<Dependencies, "objects" | "folders">) {
  const { secret, clock, log, objects: folder, folders: named } = dependencies;
  const db = await openDatabase(dependencies);
  const kept = { folder, holdsDataFolder: false, first: null, named };
  const stores = await openStores({ db, clock, log, secret, ...kept, cluster: standAlone({ db, clock }) });
  const { configs, close } = stores;
  return { list: configs.list, test: createDoctor({ stores, clock, log }).examine, close };
}

/** Gives the administrator a new password and a sign-in link, also beside a running server. Throws a sentence for the operator. */
export async function resetAccount(config: Config): Promise<FirstCredentials> {
  const dependencies = await openDependencies(config);
  try {
    const admin = await openAccount(dependencies);
    return await admin.reset();
  } finally {
    await dependencies.db.close();
  }
}

/**
 * Opens the rooms for an import. On SQLite nobody else may have them open, because a server has settings, keys and storages in memory: the
 * data folder is held as a server holds it. On PostgreSQL servers go on, and are told what changes. Throws a sentence for the operator.
 */
export async function openForImport(config: Config): Promise<{ imports: House["imports"]; close(): Promise<void> }> {
  const isLocal = config.databaseUrl === undefined;
  const lock = isLocal ? lockDataFolder(config.dataDir) : undefined;
  try {
    const dependencies = await openDependencies(config);
    const { db } = dependencies;
    const house = await openHouse({
      ...dependencies,
      ...contentOf(config),
      holdsDataFolder: isLocal,
      clustered: !isLocal,
      firstStorage: null,
    });
    const close = async (): Promise<void> => {
      await house.close();
      await db.close();
      lock?.release();
    };
    return { imports: house.imports, close };
  } catch (error) {
    lock?.release();
    throw error;
  }
}
