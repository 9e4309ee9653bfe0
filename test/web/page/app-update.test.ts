import { expect, test } from "bun:test";
import { createAppUpdate } from "../../../web/page/app-update.ts";

/** A tab whose server is of the build `served`, or does not answer; each reload brings the build that is served then. */
function openTab(start: string) {
  const items = new Map<string, string>();
  const tab = { build: start, served: start as string | undefined, reloads: 0, takings: 0, stores: true };
  const update = createAppUpdate({
    storage: {
      get: (key) => items.get(key) ?? null,
      set: (key, value) => tab.stores && Boolean(items.set(key, value)),
      remove: (key) => void items.delete(key),
    },
    script: () => `/assets/${tab.build}.js`,
    fetch: async (url) => {
      if (tab.served === undefined) throw new TypeError("Failed to fetch");
      return { status: url === `/assets/${tab.served}.js` ? 200 : 404 };
    },
    takeOver: async () => {
      tab.takings += 1;
    },
    reload: () => {
      tab.reloads += 1;
      tab.build = tab.served ?? tab.build;
    },
  });
  return { tab, update };
}

const missing = () => Promise.reject(new Error("missing"));

test("a part that is gone with its build brings the page of the next one, once for parts that are missing together", async () => {
  const { tab, update } = openTab("a");
  tab.served = "b";
  void update.arrival(missing);
  void update.arrival(missing);
  expect(await update.renew()).toBe(true);
  expect(tab).toMatchObject({ build: "b", reloads: 1, takings: 1 });
});

test("a part that is missing although its build is served, or while nobody answers, is a failure", async () => {
  const { tab, update } = openTab("a");
  for (const served of ["a", undefined]) {
    tab.served = served;
    await expect(update.arrival(missing)).rejects.toThrow("missing");
  }
  expect(tab.reloads).toBe(0);
});

test("two builds behind one address end no page in a circle", async () => {
  const tab = { build: "a", reloads: 0 };
  const items = new Map<string, string>();
  // A page that was loaded anew has the tab's storage, and nothing else of the one before.
  const page = () =>
    createAppUpdate({
      storage: {
        get: (key) => items.get(key) ?? null,
        set: (key, value) => Boolean(items.set(key, value)),
        remove: () => undefined,
      },
      script: () => `/assets/${tab.build}.js`,
      fetch: async () => ({ status: 404 }),
      takeOver: async () => undefined,
      reload: () => {
        tab.reloads += 1;
        tab.build = tab.build === "a" ? "b" : "a";
      },
    });
  for (let loads = 0; loads < 5; loads++) await page().renew();
  expect(tab.reloads).toBe(2);
});

test("nothing is loaded anew while something would be lost, or where nothing can be noted", async () => {
  const { tab, update } = openTab("a");
  tab.served = "b";
  const release = update.hold(() => true);
  await expect(update.arrival(missing)).rejects.toThrow("missing");
  release();
  tab.stores = false;
  expect(await update.renew()).toBe(false);
  tab.stores = true;
  expect(await update.renew()).toBe(true);
  expect(tab.reloads).toBe(1);
});
