/** Opens rooms for commands that are no server. */

import type { FirstCredentials } from "./access/admin.ts";
import type { Config } from "./config.ts";
import { contentOf, openDependencies } from "./dependencies.ts";
import { type House, openAccount, openHouse } from "./house.ts";
import { lockDataFolder } from "./lib/data-folder.ts";

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
