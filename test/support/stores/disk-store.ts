import { join } from "node:path";
import type { Database } from "../../../src/database/database.ts";
import { createLog } from "../../../src/lib/log.ts";
import { openStores } from "../../../src/stores/stores.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { createTestClock } from "../test-clock.ts";
import { openTestDatabase } from "../test-database.ts";

/** Opens the built-in store as a start of the server does, on a database and a folder that may have been used before. */
async function openBuiltIn(db: Database, folder: string) {
  const { now } = createTestClock();
  const log = createLog("silent", () => undefined);
  const stores = await openStores({
    db,
    clock: now,
    log,
    secret: "a secret for tests only",
    folder,
    holdsDataFolder: true,
  });
  return (await stores.get()).store;
}

/** A built-in store in a folder of its own, which goes with it. */
export async function openDiskStore() {
  const temporary = temporaryFolder();
  const db = await openTestDatabase();
  const folder = join(temporary.path, "objects");
  const store = await openBuiltIn(db, folder);
  return {
    store,
    db,
    /** Beside the folder of objects there is nothing in it. */
    outside: temporary.path,
    /** Where a person finds the files. */
    drive: join(folder, "drive"),
    incoming: join(folder, ".incoming"),
    multipart: join(folder, ".multipart"),
    /** What the next start makes of it. */
    reopen: () => openBuiltIn(db, folder),
    async [Symbol.asyncDispose]() {
      await db.close();
      temporary[Symbol.dispose]();
    },
  };
}
