import { deleteDB, openDB } from "idb";
import { ownName } from "../lib/base-path.ts";
import { TRANSFERS } from "../page/personal-items.ts";

/** Deletes what transfers have kept in this browser; those that run are ended by who began them. Rejects where the browser has no databases. */
export async function forgetTransfers(): Promise<void> {
  const database = await openDB(ownName(TRANSFERS), undefined, {
    blocking: (_now, _next, event) => (event.target as IDBDatabase).close(),
  });
  const names = [...database.objectStoreNames];
  if (names.length > 0) {
    const transaction = database.transaction(names, "readwrite");
    await Promise.all([...names.map((name) => transaction.objectStore(name).clear()), transaction.done]);
  }
  database.close();
  // Opening it has made it.
  if (names.length === 0) await deleteDB(ownName(TRANSFERS));
}
