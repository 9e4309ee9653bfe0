import { type DBSchema, deleteDB, type IDBPDatabase, type IDBPObjectStore, openDB, type StoreNames } from "idb";
import type { QueuedChange } from "./change.ts";

/** The browser's offline database. Its stores and keys are those of SPEC section 3. */
export const DATABASE = "SatchelOffline";

/** What the server answered, and when, in epoch milliseconds. */
interface Copy {
  readonly cachedAt: number;
}

/** A share as anybody opened it, as its owner's list shows it, or both, each of its own time; `cachedAt` is the later one. */
export interface ShareCopy extends Copy {
  readonly slug: string;
  readonly opened?: unknown;
  readonly openedAt?: number;
  readonly listed?: unknown;
  readonly listedAt?: number;
}

interface OfflineSchema extends DBSchema {
  pastes: { key: string; value: ShareCopy };
  files: { key: string; value: ShareCopy };
  directories: { key: string; value: Copy & { readonly path: string; readonly answer: unknown } };
  settings: { key: string; value: { readonly key: string; readonly value: unknown; readonly updatedAt: number } };
  offlineQueue: { key: number; value: QueuedChange; indexes: { timestamp: number; type: string } };
  searchHistory: {
    key: number;
    value: { readonly query: string; readonly timestamp: number; readonly person?: string };
    indexes: { query: string; timestamp: number };
  };
}

export type OfflineDatabase = IDBPDatabase<OfflineSchema>;
type OfflineStore = StoreNames<OfflineSchema>;
/** Where copies of shares are, within a transaction that may change them. */
export type ShareStore = {
  [Name in "pastes" | "files"]: IDBPObjectStore<OfflineSchema, OfflineStore[], Name, "readwrite">;
}["pastes" | "files"];
/** Stores that hold what belongs to a person. */
export const personal: OfflineStore[] = ["pastes", "files", "directories", "settings", "searchHistory"];

/** The number of the database for a version of the app, which grows with it: 1.2.3 is 1,002,003. */
export function databaseVersion(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map((part) => Number.parseInt(part, 10) || 0);
  return (major * 1000 + minor) * 1000 + patch + 1;
}

/** Under which setting a database that had to be made anew notes it. */
const DAMAGE = "damaged";

/**
 * Opens the database and brings it up to date. One that a newer version of the app has made is opened as it is; one that the
 * browser cannot read, a second time neither, is made anew and says so. Rejects where the browser keeps no databases.
 */
export async function openDatabase(version: string): Promise<OfflineDatabase> {
  const number = databaseVersion(version);
  try {
    return await open(number);
  } catch (error) {
    if (nameOf(error) === "VersionError") return await open(undefined);
    if (!damaged.has(nameOf(error))) throw error;
  }
  try {
    // Browsers say the same of one that is out of reach for a moment, as after a long sleep.
    return await open(number);
  } catch (error) {
    if (!damaged.has(nameOf(error))) throw error;
  }
  await deleteDB(DATABASE);
  const database = await open(number);
  await noteDamage(database);
  return database;
}

/** Notes that changes which waited may be lost. */
export const noteDamage = async (database: OfflineDatabase): Promise<void> => {
  await database.put("settings", damageNoted());
};

const damageNoted = () => ({ key: DAMAGE, value: true, updatedAt: Date.now() });

/** Reports whether the browser has thrown a damaged database away by itself; Chromium says so in a property of its own. */
const hasLost = (event: IDBVersionChangeEvent): boolean => "dataLoss" in event && event.dataLoss === "total";

/** Answers once that changes which waited were lost with a damaged database, whoever met it: the worker has no way to say so. */
export async function takeDamage(database: OfflineDatabase): Promise<boolean> {
  const transaction = database.transaction("settings", "readwrite");
  const noted = await transaction.store.get(DAMAGE);
  if (noted) await transaction.store.delete(DAMAGE);
  await transaction.done;
  return noted !== undefined;
}

/** What browsers throw when the files of a database are damaged (Indexed Database API 3.0 section 4.3 and their own). */
const damaged: ReadonlySet<string> = new Set(["UnknownError", "DataError", "NotFoundError", "ConstraintError"]);

/** Reports whether there was no room: some browsers only say that the transaction was aborted. */
export const isFull = (error: unknown): boolean => ["QuotaExceededError", "AbortError"].includes(nameOf(error));

/** Reports whether this page has let its database go. */
export const isClosed = (error: unknown): boolean => nameOf(error) === "InvalidStateError";

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "");

async function open(version: number | undefined): Promise<OfflineDatabase> {
  const database = await openDB<OfflineSchema>(DATABASE, version, {
    async upgrade(base, _before, _after, transaction, event) {
      createStores(base, (name) => transaction.objectStore(name));
      // Pages of this version may read answers of the server otherwise than those that kept them.
      await Promise.all(copies.map((name) => transaction.objectStore(name).delete(rangeOf(name))));
      if (hasLost(event)) await transaction.objectStore("settings").put(damageNoted());
    },
    // Another tab is of a newer version: this one lets go, so that it can upgrade.
    blocking: (_current, _wanted, event) => (event.target as IDBDatabase).close(),
  });
  const missing = stores.some((name) => !database.objectStoreNames.contains(name));
  if (!missing) return database;
  database.close();
  throw new DOMException("A store of the offline database is missing.", "NotFoundError");
}

/** Stores that hold what the server answered. */
export const copies = ["pastes", "files", "directories", "settings"] as const;

/** Where in such a store the answers are: among the settings they stand under an address, which begins with a slash; 0 is the character after it. */
export const rangeOf = (name: (typeof copies)[number]): IDBKeyRange =>
  name === "settings" ? IDBKeyRange.bound("/", "0", false, true) : IDBKeyRange.lowerBound("");
const stores: readonly OfflineStore[] = [...copies, "offlineQueue", "searchHistory"];

type Upgrading<Name extends OfflineStore> = IDBPObjectStore<OfflineSchema, OfflineStore[], Name, "versionchange">;

/** Adds what an earlier version did not have; what is there stays. */
function createStores(base: OfflineDatabase, at: (name: "offlineQueue" | "searchHistory") => unknown): void {
  const has = (name: OfflineStore) => base.objectStoreNames.contains(name);
  if (!has("pastes")) base.createObjectStore("pastes", { keyPath: "slug" });
  if (!has("files")) base.createObjectStore("files", { keyPath: "slug" });
  if (!has("directories")) base.createObjectStore("directories", { keyPath: "path" });
  if (!has("settings")) base.createObjectStore("settings", { keyPath: "key" });
  if (!has("offlineQueue")) {
    base.createObjectStore("offlineQueue", { keyPath: "id", autoIncrement: true });
    const queue = at("offlineQueue") as Upgrading<"offlineQueue">;
    queue.createIndex("timestamp", "timestamp");
    queue.createIndex("type", "type");
  }
  if (!has("searchHistory")) {
    base.createObjectStore("searchHistory", { autoIncrement: true });
    const searches = at("searchHistory") as Upgrading<"searchHistory">;
    searches.createIndex("query", "query");
    searches.createIndex("timestamp", "timestamp");
  }
}
