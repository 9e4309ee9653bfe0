import { type DBSchema, deleteDB, type IDBPDatabase, type IDBPObjectStore, openDB, type StoreNames } from "idb";
import { ownName } from "../lib/base-path.ts";
import type { QueuedChange } from "./change.ts";

/** The browser's offline database. Its stores and keys are those of SPEC section 3. */
export const DATABASE = "SatchelOffline";

/** An answer of the server with its time, in epoch milliseconds. */
interface Copy {
  readonly cachedAt: number;
}

/** A share as anybody opens it (`opened`), as its owner's list shows it (`listed`), or both; `cachedAt` is the later of their times. */
export interface ShareCopy extends Copy {
  readonly slug: string;
  readonly opened?: unknown;
  readonly openedAt?: number;
  /** Who was signed in when it was opened; undefined for a visitor. */
  readonly openedBy?: string;
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
/** A store with copies of shares, in a transaction that may change them. */
export type ShareStore = {
  [Name in "pastes" | "files"]: IDBPObjectStore<OfflineSchema, OfflineStore[], Name, "readwrite">;
}["pastes" | "files"];
/** The stores with personal data. */
export const personal: OfflineStore[] = ["pastes", "files", "directories", "settings", "searchHistory"];

/** Returns the version number of the database for a version of the app: 1.2.3 is 1,002,004, because 0 is not allowed. */
export function databaseVersion(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map((part) => Number.parseInt(part, 10) || 0);
  return (major * 1000 + minor) * 1000 + patch + 1;
}

/** The key of the setting which says that the database was damaged and had to be created again. */
const DAMAGE = "damaged";

/**
 * Opens the database and upgrades it. One from a newer version of the app is opened as it is. One that the browser cannot read,
 * even at the second attempt, is deleted and created again, and records that. Rejects where the browser has no databases.
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
    // Browsers throw the same errors when the database cannot be reached for a moment, as after a long sleep.
    return await open(number);
  } catch (error) {
    if (!damaged.has(nameOf(error))) throw error;
  }
  await deleteDB(ownName(DATABASE));
  const database = await open(number);
  await noteDamage(database);
  return database;
}

/** Records that queued changes may be lost. */
export const noteDamage = async (database: OfflineDatabase): Promise<void> => {
  await database.put("settings", damageNoted());
};

const damageNoted = () => ({ key: DAMAGE, value: true, updatedAt: Date.now() });

/** Reports whether the browser has deleted a damaged database by itself; Chromium says so in a property of its own. */
const hasLost = (event: IDBVersionChangeEvent): boolean => "dataLoss" in event && event.dataLoss === "total";

/** Reports, once, whether queued changes were lost with a damaged database. The worker may have found it, but cannot tell the person. */
export async function takeDamage(database: OfflineDatabase): Promise<boolean> {
  const transaction = database.transaction("settings", "readwrite");
  const noted = await transaction.store.get(DAMAGE);
  if (noted) await transaction.store.delete(DAMAGE);
  await transaction.done;
  return noted !== undefined;
}

/** Errors that browsers throw when the files of a database are damaged (Indexed Database API 3.0 section 4.3 and their own). */
const damaged: ReadonlySet<string> = new Set(["UnknownError", "DataError", "NotFoundError", "ConstraintError"]);

/** Reports whether the storage is full: some browsers only say that the transaction was aborted. */
export const isFull = (error: unknown): boolean => ["QuotaExceededError", "AbortError"].includes(nameOf(error));

/** Reports whether this page has closed its database, so that a newer version can upgrade it. */
export const isClosed = (error: unknown): boolean => nameOf(error) === "InvalidStateError";

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "");

async function open(version: number | undefined): Promise<OfflineDatabase> {
  const database = await openDB<OfflineSchema>(ownName(DATABASE), version, {
    async upgrade(base, _before, _after, transaction, event) {
      createStores(base, (name) => transaction.objectStore(name));
      // This version may expect other answers of the server than the version that stored them.
      await Promise.all(copies.map((name) => transaction.objectStore(name).delete(rangeOf(name))));
      if (hasLost(event)) await transaction.objectStore("settings").put(damageNoted());
    },
    // Another tab has a newer version and can upgrade only when this one has closed the database.
    blocking: (_current, _wanted, event) => (event.target as IDBDatabase).close(),
  });
  const missing = stores.some((name) => !database.objectStoreNames.contains(name));
  if (!missing) return database;
  database.close();
  throw new DOMException("A store of the offline database is missing.", "NotFoundError");
}

/** The stores with copies of the server's answers. */
export const copies = ["pastes", "files", "directories", "settings"] as const;

/** Returns the keys of the answers in such a store. Among the settings they begin with a slash; "0" is the character after it. */
export const rangeOf = (name: (typeof copies)[number]): IDBKeyRange =>
  name === "settings" ? IDBKeyRange.bound("/", "0", false, true) : IDBKeyRange.lowerBound("");
const stores: readonly OfflineStore[] = [...copies, "offlineQueue", "searchHistory"];

type Upgrading<Name extends OfflineStore> = IDBPObjectStore<OfflineSchema, OfflineStore[], Name, "versionchange">;

/** Creates the stores that an earlier version did not have. */
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
