import type { Page } from "playwright-core";
import { UNLOADED, type Visit } from "./chromium.ts";
import { basePath, ownName, seen } from "./journey.ts";

/** Waits until the worker has all it keeps and serves the page. */
export const underWorker = async ({ page }: Visit): Promise<void> => {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
};

/** Takes the network away and waits until the page has noticed. */
export async function goOffline(visit: Visit): Promise<void> {
  await visit.context.setOffline(true);
  await seen(visit.page.getByRole("button", { name: "Offline" }));
}

/** Ends the page. What the browser says about its requests that failed without a network is no fault of the page. */
export async function forgiveNetwork(visit: Visit): Promise<void> {
  visit.forgive(UNLOADED);
  await visit.page.close();
}

/** Everything in the browser's offline database, store by store. */
export const kept = ({ page }: Visit): Promise<Record<string, unknown[]>> =>
  page.evaluate(
    (database) =>
      new Promise<Record<string, unknown[]>>((resolve, reject) => {
        const opening = indexedDB.open(database);
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const names = [...opening.result.objectStoreNames];
          const transaction = opening.result.transaction(names);
          const found = names.map((name) => [name, transaction.objectStore(name).getAll()] as const);
          transaction.oncomplete = () => {
            opening.result.close();
            resolve(Object.fromEntries(found.map(([name, { result }]) => [name, result])));
          };
        };
      }),
    ownName("SatchelOffline"),
  );

/** Sends a file as the system's share sheet does. */
export const shareFile = (page: Page) =>
  page.evaluate((action) => {
    const form = document.createElement("form");
    Object.assign(form, { method: "POST", action, enctype: "multipart/form-data" });
    const field = document.createElement("input");
    Object.assign(field, { type: "file", name: "files" });
    const files = new DataTransfer();
    files.items.add(new File(["from the phone"], "note.txt", { type: "text/plain" }));
    field.files = files.files;
    form.append(field);
    document.body.append(form);
    form.submit();
  }, `${basePath}/share-target`);
