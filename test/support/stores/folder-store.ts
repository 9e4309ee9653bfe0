import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { FOLDER } from "../../../src/contract/providers.ts";
import type { Database } from "../../../src/database/database.ts";
import { createLog } from "../../../src/lib/log.ts";
import { type NamedFolder, noFolders } from "../../../src/lib/named-folders.ts";
import { openStores } from "../../../src/stores/stores.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { createTestClock } from "../test-clock.ts";
import { openTestDatabase } from "../test-database.ts";

interface Opening {
  readonly db: Database;
  readonly objects: string;
  readonly folders: readonly NamedFolder[];
}

/** Opens a storage on the folder "photos" as a start of the server does; the first one makes it. */
async function openPhotos({ db, objects, folders }: Opening) {
  const { now } = createTestClock();
  const log = createLog("silent", () => undefined);
  const named = { ...noFolders, folders };
  const secret = "a secret for tests only";
  const stores = await openStores({ db, clock: now, log, secret, folder: objects, holdsDataFolder: true, named });
  const { configs } = stores;
  const made = (await configs.all()).find(({ provider_type }) => provider_type === FOLDER);
  const wanted = { path_style: false, is_public: true, is_default: false, signature_expires_in: 3600 };
  const plain = { endpoint_url: undefined, access_key_id: undefined, secret_access_key: undefined };
  const request = { name: "Photos", provider_type: FOLDER, bucket_name: "photos", ...wanted, ...plain };
  const config = made ?? (await configs.create({ ...request, region: "", default_folder: "", custom_host: "" }));
  return { stores, config, store: stores.of(config).store };
}

/** A store on a folder of the machine, with a data folder beside it. */
export async function openFolderStore() {
  const temporary = temporaryFolder();
  const db = await openTestDatabase();
  const root = join(temporary.path, "photos");
  mkdirSync(root);
  const objects = join(temporary.path, "data", "objects");
  mkdirSync(objects, { recursive: true });
  const folders = [{ id: "photos", path: root, readOnly: false }];
  const { store, stores } = await openPhotos({ db, objects, folders });
  return {
    store,
    stores,
    db,
    root,
    /** Beside the folder and the data folder there is nothing in it. */
    outside: temporary.path,
    /** What the next start makes of it, perhaps with other folders. */
    reopen: async (others: readonly NamedFolder[] = folders) =>
      (await openPhotos({ db, objects, folders: others })).store,
    async [Symbol.asyncDispose]() {
      await stores.close();
      await db.close();
      temporary[Symbol.dispose]();
    },
  };
}
