import { pathTo } from "../lib/base-path.ts";
import { createKeyValue, type KeyValue } from "../lib/storage.ts";
import { backGate } from "./back-gate.ts";

/** Where the tab keeps which builds of the app it has left for a newer one. */
const LEFT = "satchel-left-builds";

/** How long the server and the worker are waited for, in milliseconds. */
const PATIENCE = 3000;

interface AppUpdatePorts {
  /** Of this tab alone. */
  readonly storage: KeyValue;
  /** The first script of this page; undefined where its files have no lasting names (development). */
  readonly script: () => string | undefined;
  readonly fetch: (url: string, request: RequestInit) => Promise<Pick<Response, "status">>;
  /** Has a newer service worker that waits take over, so that it serves the page from now on. */
  readonly takeOver: () => Promise<unknown>;
  readonly reload: () => void;
}

type IsHeld = () => boolean;

/**
 * Loads the page anew when the server has been upgraded since it was loaded: the files that it has yet to load are then gone. Each build does
 * so once per tab, so that servers of two builds behind one address cannot keep it reloading.
 */
export function createAppUpdate({ storage, script, fetch, takeOver, reload }: AppUpdatePorts) {
  const held = new Set<IsHeld>();
  const isHeld = (): boolean => [...held].some((one) => one());
  let running: Promise<boolean> | undefined;

  /** Reports whether the server has this page's files; true also if it cannot be reached, which says nothing about them. */
  const isServed = async (): Promise<boolean> => {
    const own = script();
    if (own === undefined) return true;
    const request = { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(PATIENCE) } as const;
    return await fetch(own, request).then(
      ({ status }) => status !== 404,
      () => true,
    );
  };

  const attempt = async (): Promise<boolean> => {
    const own = script();
    const left = storage.get(LEFT)?.split(" ") ?? [];
    if (own === undefined || left.includes(own) || isHeld() || (await isServed()) || isHeld()) return false;
    // Where that cannot be noted, nothing would end a circle.
    if (!storage.set(LEFT, [...left, own].join(" "))) return false;
    await takeOver();
    reload();
    return true;
  };

  /** Loads the page anew if the server has another build of it and nothing here would be lost. False if it stays as it is. */
  const renew = async (): Promise<boolean> => {
    running ??= attempt();
    const renews = await running;
    if (!renews) running = undefined;
    return renews;
  };

  return {
    isServed,
    renew,
    /** Keeps the page from being loaded anew by itself while `one` says that something would be lost. Returns the function that ends this. */
    hold(one: IsHeld): () => void {
      held.add(one);
      return () => void held.delete(one);
    },
    isHeld,
    /** Loads a part of the app. If it is gone because of an upgrade, the page is loaded anew and the promise stays pending; else it rejects. */
    async arrival<Part>(load: () => Promise<Part>): Promise<Part> {
      try {
        return await load();
      } catch (error) {
        if (!(await renew())) throw error;
        return await new Promise<never>(() => undefined);
      }
    },
  };
}

/** The address of the page's first script, whose name is another one in each build. */
export const ownScript = (): string | undefined => {
  const src = document.querySelector('script[type="module"][src]')?.getAttribute("src") ?? "";
  return src.startsWith(pathTo("/assets/")) ? src : undefined;
};

async function takeOver(): Promise<void> {
  const workers = "serviceWorker" in navigator ? navigator.serviceWorker : undefined;
  const registration = await workers?.getRegistration().catch(() => undefined);
  if (!workers || !registration?.waiting) return;
  const done = new Promise((resolve) => workers.addEventListener("controllerchange", resolve, { once: true }));
  registration.waiting.postMessage({ type: "SKIP_WAITING" });
  await Promise.race([done, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
}

/** The update of this page. */
export const appUpdate = createAppUpdate({
  storage: createKeyValue(() => window.sessionStorage),
  script: ownScript,
  fetch: (url, request) => fetch(url, request),
  takeOver,
  reload: () => window.location.reload(),
});
// Somebody who is asked before they leave is in the middle of something.
appUpdate.hold(() => backGate.get() !== undefined);
