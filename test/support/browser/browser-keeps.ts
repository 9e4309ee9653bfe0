import type { Page } from "playwright-core";

/** Everything that a browser keeps of this origin beyond the page, as one text to search in: storages, databases, caches, cookies and history. */
export async function browserKeeps(page: Page): Promise<string> {
  const kept = await page.evaluate(async () => {
    const all: unknown[] = [{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state, location.href];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) all.push(request.url, await (await cache.match(request))?.text());
    }
    const read = (request: IDBRequest) =>
      new Promise<unknown>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    for (const { name = "" } of await indexedDB.databases()) {
      const database = (await read(indexedDB.open(name))) as IDBDatabase;
      for (const store of database.objectStoreNames)
        all.push(name, await read(database.transaction(store).objectStore(store).getAll()));
      database.close();
    }
    // Bytes would be written as objects of numbers.
    return JSON.stringify(all, (_, value: unknown) =>
      value instanceof Uint8Array ? new TextDecoder("latin1").decode(value) : value,
    );
  });
  const session = await page.context().newCDPSession(page);
  const { entries } = await session.send("Page.getNavigationHistory");
  await session.detach();
  // What a person typed stays with the browser: no page can take that back (docs/sealed.md).
  return kept + JSON.stringify(entries.map(({ url, title }) => [url, title]));
}
