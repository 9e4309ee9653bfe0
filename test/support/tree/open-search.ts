import { join } from "node:path";
import { standAlone } from "../../../src/cluster/alone.ts";
import type { Database } from "../../../src/database/database.ts";
import { createLog } from "../../../src/lib/log.ts";
import { type Hits, openSearch as openIndex } from "../../../src/search/index.ts";
import type { Scope } from "../../../src/search/scope.ts";
import type { ObjectStore } from "../../../src/stores/store.ts";
import { openStores } from "../../../src/stores/stores.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { createTestClock } from "../test-clock.ts";
import { openTestDatabase } from "../test-database.ts";

export interface OpenSearchOptions {
  /** Puts something before the database. */
  readonly engine?: (db: Database) => Database;
  /** Puts something before the store. */
  readonly inject?: (store: ObjectStore) => ObjectStore;
}

/** What lies directly in a folder; names of folders have no slash. */
export interface ListedNames {
  readonly files: readonly { readonly name: string; readonly size: number; readonly modified: number }[];
  readonly folders: readonly string[];
}

/** The search index of a built-in store in a folder of its own. */
export async function openSearch({ engine = (db) => db, inject = (store) => store }: OpenSearchOptions = {}) {
  const temporary = temporaryFolder();
  const inner = await openTestDatabase();
  const db = engine(inner);
  const clock = createTestClock();
  const lines: string[] = [];
  const log = createLog("info", (text) => void lines.push(text));
  const folder = join(temporary.path, "objects");
  const deps = { db: inner, clock: clock.now, log, secret: "a secret for tests only", folder, holdsDataFolder: true };
  const stores = await openStores(deps);
  const { store, config } = await stores.get();
  const of: typeof stores.of = (one) => ({ ...stores.of(one), store: inject(stores.of(one).store) });
  const open = () =>
    openIndex({
      cluster: standAlone({ db, clock: clock.now }),
      clock: clock.now,
      log,
      stores: { configs: stores.configs, of },
    });
  const search = await open();
  const storage = config.id;
  const place = (key: string) => ({ storage, key });

  const find = async (query: string, scope: Partial<Scope> = {}, page: { limit?: number; offset?: number } = {}) => {
    await search.settled();
    const within = [{ storage, folder: "", except: [], ...scope }];
    return await search.find({ within, query, limit: 50, offset: 0, ...page });
  };

  return {
    search,
    /** Another index on the same database, as after a restart. */
    open,
    db: inner,
    clock,
    stores,
    store,
    storage,
    /** What is to be built when it is due. */
    mounted: new Set([storage]),
    place,
    find,
    /** Keys of what is found. */
    keys: async (...asked: Parameters<typeof find>) => keysOf(await find(...asked)),
    written: (key: string, size = 1, modified = 1000) =>
      search.record({ kind: "written", at: place(key), file: { size, modified } }),
    made: (key: string, modified = 1000) => search.record({ kind: "made", at: place(key), modified }),
    removed: (key: string) => search.record({ kind: "removed", at: place(key) }),
    moved: (from: string, to: string) => search.record({ kind: "moved", from: place(from), to: place(to) }),
    put: (key: string, text: string) => store.put(key, new Response(text), { type: "text/plain" }),
    /** Bytes and files below a folder. */
    amount: async (key: string) => {
      await search.settled();
      const folder = await search.folder(place(key));
      return folder && { size: folder.size, files: folder.files };
    },
    /** Bytes below folders in a folder. */
    sizes: async (folder: string, keys: readonly string[]) =>
      new Map([...(await search.sizes(place(folder), keys))].map(([key, { size }]) => [key, size] as const)),
    /** The newest time of what lies below a folder. */
    newest: async (key: string) => {
      await search.settled();
      return (await search.folder(place(key)))?.newest;
    },
    /** Has the index see a whole listing by the names in it. */
    see: (key: string, { files, folders }: ListedNames, since = search.moment()) =>
      search.recordListing(
        {
          ...place(key),
          files: files.map(({ name, ...file }) => ({ ...file, key: key + name })),
          folders: folders.map((name) => `${key}${name}/`),
        },
        since,
      ),
    log: () => lines.join(""),
    async [Symbol.asyncDispose]() {
      await search.close();
      await inner.close();
      temporary[Symbol.dispose]();
    },
  };
}

export type OpenSearch = Awaited<ReturnType<typeof openSearch>>;

export const keysOf = ({ hits }: Hits): string[] => hits.map(({ key }) => key);
