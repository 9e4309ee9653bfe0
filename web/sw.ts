/// <reference lib="webworker" />
import { CacheableResponsePlugin } from "workbox-cacheable-response";
import { ExpirationPlugin } from "workbox-expiration";
import { cleanupOutdatedCaches, PrecacheFallbackPlugin, precacheAndRoute } from "workbox-precaching";
import { registerRoute } from "workbox-routing";
import { CacheFirst, NetworkOnly } from "workbox-strategies";
import { isLanguage, type Language, languageFor } from "#contract/languages";
import { PAGE_MARK } from "#contract/page-mark";
import { isPagePath } from "#contract/page-paths";
import { SHARE_TARGET, sharedPages } from "#contract/share-target";
import { ownName, pathFrom, pathTo } from "./lib/base-path.ts";
import { openDatabase } from "./offline/database.ts";
import { locksOf } from "./offline/locks.ts";
import {
  type IsOfBuild,
  type KeepWords,
  type Registered,
  SYNC_TAG,
  type SyncCompleted,
  type SyncStatus,
  type ToWorker,
} from "./offline/messages.ts";
import { createQueue } from "./offline/queue.ts";
import { type Replayed, replay } from "./offline/replay.ts";
import { readSender } from "./offline/sender.ts";
import { leaveShared, readShared } from "./offline/share-sheet.ts";
import type { ForgetOpened, KeepOpened } from "./sealed/served/messages.ts";
import { createOpened, isOpened } from "./sealed/served/worker.ts";

/**
 * The service worker: it keeps the app's own files, so that every page opens without a connection, and sends changes that wait. Pages come from
 * the server while it answers, because after an upgrade it no longer has the files that a kept page would go on to load.
 * It takes in what the share sheet of the system sends. It never touches the API, WebDAV, addresses of files or anything of another origin.
 * What a page has opened of a sealed share it serves to that page, and keeps none of it.
 */
declare const self: ServiceWorkerGlobalScope & { readonly registration: ServiceWorkerRegistration };
declare const __PRECACHE__: { readonly url: string; readonly revision: string | null }[];
/** By language the scripts with the words that pages need without a connection. */
declare const __WORDS__: Readonly<Record<Language, readonly string[]>>;
declare const __VERSION__: string;

/** Scripts, styles and fonts that were loaded once and are not in the list above: their names change with their content. */
const ASSETS = "assets";
const DAY = 24 * 60 * 60;
const KEPT_FOR = 30 * DAY;
const MOST_ASSETS = 400;

/** How long the server is waited for before the kept page is shown, in seconds. */
const PAGE_PATIENCE = 3;

/**
 * Queries of addresses that are no pages: a presigned one of the built-in storage, whose bucket may be called as a page, is signed there; with
 * `?raw` that of a share leads to its bytes.
 */
const bytes = /[?&](?:X-Amz-Signature|AWSAccessKeyId)=|[?&]raw(?:=|&|$)/;

/**
 * Reports whether a browser navigates to a page of the app. Everything else is asked of the server: an answer that is no page would be taken for
 * that of a stranger, and the page of the app would stand in its place.
 */
const isAppPage = ({ request, url }: { readonly request: Request; readonly url: URL }): boolean => {
  const path = pathFrom(url.pathname);
  return request.mode === "navigate" && path !== undefined && isPagePath(path) && !bytes.test(url.search);
};

// Before the pages: to a browser that keeps such a file, or shows it in a tab of its own, it is a document.
const opened = createOpened(self.clients);
for (const method of ["GET", "HEAD"] as const)
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && isOpened(url.pathname),
    ({ request }) => opened.answer(request),
    method,
  );

/** Reports whether a response is a page of the app: a network may answer with its own, or lead elsewhere. */
const isPage = (response: Response): boolean => response.ok && response.headers.has(PAGE_MARK);

/** Has a page come from the server, which is waited for without an end where no patience is said; the kept one stands in for it. */
const pagesWithin = (patience?: number) =>
  new NetworkOnly({
    ...(patience !== undefined && { networkTimeoutSeconds: patience }),
    plugins: [
      {
        async fetchDidSucceed({ response }) {
          if (!isPage(response)) throw new Error("This is no page of the app.");
          return response;
        },
      },
      new PrecacheFallbackPlugin({ fallbackURL: pathTo("/index.html") }),
    ],
  });
const [pages, ownPages] = [pagesWithin(PAGE_PATIENCE), pagesWithin()];
/** Where sealed shares are: their pages have a policy of their own, which the kept one lacks. */
const isOwnPage = (url: URL): boolean => /^\/s\//i.test(pathFrom(url.pathname) ?? "");

// Before the kept files, of which one is the page.
registerRoute(isAppPage, (asked) => (isOwnPage(asked.url) ? ownPages : pages).handle(asked));
precacheAndRoute(__PRECACHE__.map(({ url, revision }) => ({ url: pathTo(url), revision })));
cleanupOutdatedCaches();
const assets = new CacheFirst({
  cacheName: ownName(ASSETS),
  plugins: [
    new CacheableResponsePlugin({ statuses: [200] }),
    new ExpirationPlugin({ maxEntries: MOST_ASSETS, maxAgeSeconds: KEPT_FOR, purgeOnQuotaError: true }),
  ],
});
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith(pathTo("/assets/")) && url.search === "",
  assets,
);

/** Keeps the words of a language, so that every page opens in it without a connection. Rejects where one cannot be loaded. */
async function keepWords(event: ExtendableEvent, language: Language): Promise<void> {
  await Promise.all(__WORDS__[language].map((url) => assets.handle({ event, request: new Request(pathTo(url)) })));
}

/** Where the next worker finds the language of the pages, which it cannot ask: a response in a cache of its own. */
const SPOKEN = new Request(pathTo("/language"));
const spoken = () => caches.open(ownName("language"));

/** The language of the pages: the one that they told last, else the one of the browser. */
async function spokenLanguage(): Promise<Language> {
  const told = (await (await (await spoken()).match(SPOKEN))?.text()) ?? "";
  return isLanguage(told) ? told : languageFor(navigator.languages);
}

/** Keeps the words of the language that a page speaks. Where that fails, those that it has loaded are kept all the same. */
async function speak(event: ExtendableEvent, language: Language): Promise<void> {
  await (await spoken()).put(SPOKEN, new Response(language));
  await keepWords(event, language).catch(() => undefined);
}

// Before it takes over: pages of this build may be opened first when there is no connection.
self.addEventListener("install", (event) =>
  event.waitUntil(spokenLanguage().then((language) => keepWords(event, language))),
);

// The system's share sheet posts a form: it is kept on the device, and the page takes it from there, with or without a connection.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname === pathTo(SHARE_TARGET),
  ({ request }) => receive(request),
  "POST",
);

async function receive(request: Request): Promise<Response> {
  const page = await keep(request).then(
    () => sharedPages.taken,
    // Unreadable, or too much for this device: the page says so, where the browser would only show an error of its own.
    () => sharedPages.lost,
  );
  return Response.redirect(pathTo(page), 303);
}

async function keep(request: Request): Promise<void> {
  const shared = readShared(await request.formData());
  const database = await openedDatabase();
  try {
    await leaveShared(database, shared, Date.now());
  } finally {
    database.close();
  }
}

const openedDatabase = () => openDatabase(__VERSION__);

/** Sends what waits and tells the pages. */
async function flush(): Promise<Replayed> {
  const database = await openedDatabase();
  try {
    const replayed = await replay({
      queue: createQueue(database),
      sender: () => readSender(database),
      fetch: (url, request) => fetch(url, request),
      base: `${self.location.origin}${pathTo("/api")}`,
      locks: locksOf(navigator.locks),
    });
    const message: SyncCompleted = { type: "SYNC_COMPLETED", replayed };
    for (const client of await self.clients.matchAll({ includeUncontrolled: true })) client.postMessage(message);
    return replayed;
  } finally {
    database.close();
  }
}

async function status(): Promise<SyncStatus> {
  const database = await openedDatabase();
  try {
    const changes = await createQueue(database).all();
    const count = (wanted: string) => changes.filter((change) => change.status === wanted).length;
    return { pending: count("pending"), rejected: count("rejected"), version: __VERSION__ };
  } finally {
    database.close();
  }
}

/** Reports whether this worker is of the build whose pages begin with that script. */
const isOfBuild = (script: string | undefined): boolean => __PRECACHE__.some(({ url }) => pathTo(url) === script);

/** Takes over from the worker of the build before, unless another tab may still want its files. */
async function takeOverAlone(): Promise<void> {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (pages.length <= 1) await self.skipWaiting();
}

/** Has the browser wake this worker when the connection returns; where it cannot, what waits is sent now. */
async function registerSync(): Promise<Registered> {
  try {
    await (self.registration as SyncingRegistration).sync.register(SYNC_TAG);
    return { via: "sync" };
  } catch {
    await flush();
    return { via: "replay" };
  }
}

/** Background Synchronization (WICG): not in every browser, and not in the types. */
interface SyncingRegistration extends ServiceWorkerRegistration {
  readonly sync: { register(tag: string): Promise<void> };
}
interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
  readonly lastChance: boolean;
}

self.addEventListener("sync" as "message", (event: unknown) => {
  const { tag, waitUntil, lastChance } = event as SyncEvent;
  if (tag !== SYNC_TAG) return;
  const sent = flush().then(({ waiting }) => {
    // A rejection has the browser try again later.
    if (waiting > 0 && !lastChance) throw new Error("Changes still wait.");
  });
  waitUntil.call(event, sent);
});

self.addEventListener("message", (event) => {
  const { type } = (event.data ?? {}) as Partial<ToWorker | KeepOpened | ForgetOpened>;
  const answer = (value: Promise<unknown>) => event.waitUntil(value.then((done) => event.ports[0]?.postMessage(done)));
  if (type === "SKIP_WAITING") event.waitUntil(self.skipWaiting());
  if (type === "TAKE_OVER_ALONE") event.waitUntil(takeOverAlone());
  if (type === "IS_OF_BUILD") answer(Promise.resolve(isOfBuild((event.data as Partial<IsOfBuild>).script)));
  if (type === "GET_SYNC_STATUS") answer(status());
  const { language = "" } = (event.data ?? {}) as Partial<KeepWords>;
  if (type === "KEEP_WORDS" && isLanguage(language)) event.waitUntil(speak(event, language));
  if (type === "REGISTER_BACKGROUND_SYNC") answer(registerSync());
  if (type === "KEEP_OPENED") {
    opened.keep(event);
    answer(Promise.resolve(true));
  }
  if (type === "FORGET_OPENED") opened.forget(event.data);
});

// The first visit becomes an installed one without a reload.
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
