import { messageSW, Workbox } from "workbox-window";
import type { Language } from "#contract/languages";
import { pathTo } from "../lib/base-path.ts";
import { createStore, type Store } from "../lib/store.ts";
import { ownScript } from "../page/app-update.ts";
import { type Registered, type SyncCompleted, type SyncStatus, type ToWorker, WORKER_PATIENCE } from "./messages.ts";
import type { Replayed } from "./replay.ts";

/** The state of the service worker (Service Workers, section 2.1); `none` where the browser has no workers or refused this one. */
type WorkerState = "none" | "unknown" | "installing" | "waiting" | "active" | "redundant";

/** How often the worker is asked for its status, in milliseconds (SPEC section 9). */
const POLL = 5000;

/** How often a page that stays open looks for a newer version, in milliseconds. */
const CHECK = 60 * 60 * 1000;

/**
 * Registers the service worker and follows it. A worker of a newer version waits until `update` is called, because it replaces the files that
 * open pages still want to load.
 */
export function createWorker(script: string, onReplayed: (replayed: Replayed) => void) {
  const state = createStore<WorkerState>("unknown");
  const status = createStore<SyncStatus | undefined>(undefined);
  const workbox = new Workbox(script, { updateViaCache: "none" });

  const ask = <Answer>(message: ToWorker): Promise<Answer | undefined> =>
    inTime(workbox.messageSW(message) as Promise<Answer>);
  // If the server cannot be reached, the next check will do.
  const check = () => workbox.update().catch(() => undefined);
  const look = async (): Promise<void> => {
    if (document.visibilityState === "hidden" || !navigator.serviceWorker.controller) return;
    status.set((await ask<SyncStatus>({ type: "GET_SYNC_STATUS" })) ?? status.get());
  };

  for (const [event, next] of [
    ["installing", "installing"],
    ["waiting", "waiting"],
    ["activated", "active"],
    ["redundant", "redundant"],
  ] as const) {
    workbox.addEventListener(event, () => state.set(next));
  }
  const newer = createStore(false);
  workbox.addEventListener("waiting", async ({ sw }) => {
    if (!sw) return;
    if (await isOfThisBuild(sw)) return void messageSW(sw, { type: "TAKE_OVER_ALONE" });
    newer.set(true);
  });
  const replaced = createStore(false);
  let controlled = navigator.serviceWorker.controller !== null;
  workbox.addEventListener("controlling", async ({ sw }) => {
    // The first worker replaces none.
    const replaces = controlled;
    controlled = true;
    if (replaces && sw) replaced.set(!(await isOfThisBuild(sw)));
  });
  workbox.addEventListener("message", ({ data }) => {
    const { type, replayed } = (data ?? {}) as Partial<SyncCompleted>;
    if (type === "SYNC_COMPLETED" && replayed) onReplayed(replayed);
  });

  return {
    state,
    /** Whether a worker of a newer version than this page waits. */
    newer,
    /** Whether a newer version has taken over because another tab asked for it: files that this page has yet to load may be gone with the old one. */
    replaced,
    /** The worker's last status. */
    status,
    /** Registers the worker, has it cache what this page has already loaded and the words of its language, and begins to follow it. Never rejects. */
    async start(language: Store<Language>): Promise<void> {
      try {
        await othersInstall(navigator.serviceWorker);
        const registration = await workbox.register();
        if (registration?.waiting) state.set("waiting");
        else if (registration?.active) state.set("active");
      } catch {
        // Workers are switched off, the window is private, or the script is missing: the app works without.
        state.set("none");
        return;
      }
      await workbox.controlling;
      keepLoaded(workbox);
      const keepWords = () =>
        void workbox.messageSW({ type: "KEEP_WORDS", language: language.get() } satisfies ToWorker);
      language.subscribe(keepWords);
      keepWords();
      setInterval(look, POLL);
      setInterval(check, CHECK);
      await look();
    },
    /** Checks for a newer version now. */
    check,
    /** Has the waiting version take over, unless it already has, then reloads the page. */
    update(): void {
      const load = () => window.location.reload();
      if (replaced.get()) load();
      workbox.addEventListener("controlling", load);
      workbox.messageSkipWaiting();
    },
    /** Has the browser send queued changes when it can, even after this page is closed; undefined if the worker did not answer in time. */
    register: () => ask<Registered>({ type: "REGISTER_BACKGROUND_SYNC" }),
  };
}

const inTime = <Answer>(answer: Promise<Answer>): Promise<Answer | undefined> =>
  Promise.race([answer, new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), WORKER_PATIENCE))]);

/** Reports whether a worker is of the build that this page is of: a page comes from the server before the worker that goes with it. */
const isOfThisBuild = async (worker: ServiceWorker): Promise<boolean> =>
  (await inTime(messageSW(worker, { type: "IS_OF_BUILD", script: ownScript() } satisfies ToWorker))) === true;

export type Worker = ReturnType<typeof createWorker>;

/** Waits while another page installs the worker, until that controls this page or has failed: Workbox would notice neither. */
async function othersInstall(workers: ServiceWorkerContainer): Promise<void> {
  const { installing, waiting, active } = (await workers.getRegistration()) ?? {};
  const coming = installing ?? waiting ?? (active?.state === "activating" ? active : undefined);
  // A worker beside an active one waits until a person updates: a page that bypassed the active one (a hard reload) need not wait for it.
  if (!coming || workers.controller || (active && active !== coming)) return;
  await new Promise<void>((resolve) => {
    workers.addEventListener("controllerchange", () => resolve(), { once: true });
    coming.addEventListener("statechange", () => coming.state === "redundant" && resolve());
  });
}

/** Has the worker cache what was loaded before it was there. */
function keepLoaded(workbox: Workbox): void {
  const urlsToCache = performance
    .getEntriesByType("resource")
    .map(({ name }) => name)
    .filter(
      (name) =>
        new URL(name).origin === window.location.origin && new URL(name).pathname.startsWith(pathTo("/assets/")),
    );
  workbox.messageSW({ type: "CACHE_URLS", payload: { urlsToCache } });
}
