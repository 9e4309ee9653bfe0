import { sharedPages } from "#contract/share-target";
import { system } from "#contract/system";
import { apiBase, call } from "../../api/call.ts";
import { callerOf } from "../../api/session/caller.ts";
import { authorizationOf, credential } from "../../api/session/credential.ts";
import { session } from "../../api/session/session.ts";
import { offlineFallback, queuedChanges } from "../../api/transport/offline-fallback.ts";
import { i18n, loadWords, t } from "../../i18n/i18n.ts";
import { ownPath, pathTo } from "../../lib/base-path.ts";
import { browserStorage } from "../../lib/storage.ts";
import { takeDamage } from "../../offline/database.ts";
import { createInstall } from "../../offline/install.ts";
import { locksOf } from "../../offline/locks.ts";
import { createOffline, type Offline } from "../../offline/offline.ts";
import { pageDatabase } from "../../offline/page-database.ts";
import type { Replayed } from "../../offline/replay.ts";
import { type Shared, takeShared } from "../../offline/share-sheet.ts";
import { createWorker } from "../../offline/worker.ts";
import { installOffer } from "../../page/install-offer.ts";
import { toast } from "../../ui/toast/toast.ts";
import { corner } from "../corner.ts";
import { createConnection } from "./connection.ts";
import { Corner } from "./corner.tsx";
import { followSession, forgetUnnoticed } from "./follow-session.ts";
import { tellOf } from "./tell.ts";
import { createLinkTeller } from "./tell-links.ts";

/** How long a notice about the connection stays, in milliseconds (SPEC section 9). */
const NOTICE_FOR = 3000;

/** How often changes that wait are tried again while the browser takes itself for connected, in milliseconds. */
const AGAIN = 30_000;

/**
 * Begins what the app does without a connection. A browser that keeps no databases, or has no service workers, goes without: the corner then tells
 * of the connection only.
 */
export async function startOffline(): Promise<void> {
  const words = loadWords("offline");
  // What was answered since the page opened is kept at once, for people leave quickly.
  const opening = openOffline(words);
  await words;
  const install = createInstall({
    storage: browserStorage,
    now: Date.now,
    window,
    standalone: window.matchMedia("(display-mode: standalone)").matches,
    offer: installOffer,
  });
  const { offline, shared } = await opening;
  // Whose database fails sees what was there before: whoever does something about it is told.
  const look = () => void offline?.refresh().catch(() => undefined);
  const tellOfLinks = offline ? createLinkTeller(offline) : undefined;
  const heard = (replayed: Replayed) => {
    const tell = () => tellOf(replayed, tellOfLinks?.());
    void (offline?.refresh() ?? Promise.resolve()).then(tell, tell);
  };
  const worker = "serviceWorker" in navigator ? createWorker(pathTo("/sw.js"), heard) : undefined;
  const connection = createConnection({ window, isOnline: () => navigator.onLine });
  const send = async () => {
    if (!offline || !isWaiting(offline)) return;
    const replayed = await offline.send();
    tellOf(replayed, tellOfLinks?.());
  };
  const again = () => {
    send().catch(() => undefined);
    // Whether the server is there again; its answer is heard like every other.
    if (offline?.reached.get() === false) call(system.version).catch(() => undefined);
  };
  connection.online.subscribe(() => {
    const back = connection.online.get();
    void toast({
      tone: back ? "ok" : "plain",
      text: t(back ? "offline.restored" : "offline.lost"),
      duration: NOTICE_FOR,
    });
    if (back) again();
  });
  // The browser wakes the worker for it, also when this page is closed by then; once for each change, however often they are looked at.
  let woken = "";
  offline?.changes.subscribe(() => {
    const waiting = offline.changes.get().filter(({ status }) => status === "pending");
    const keys = waiting.map(({ requestKey }) => requestKey).join();
    if (keys === woken) return;
    woken = keys;
    if (keys !== "") void worker?.register();
  });
  // Another tab may have kept or sent some; without a worker nobody tells of it while this one is not looked at.
  worker?.status.subscribe(look);
  window.addEventListener("focus", look);
  setInterval(() => connection.online.get() && again(), AGAIN);
  if (isLost(window.location)) {
    void toast({ tone: "error", text: t("offline.unshared") });
    // Once: loading the page again is no other share.
    window.history.replaceState(window.history.state, "", pathTo("/"));
  }
  corner.set(() => <Corner {...{ offline, worker, install, connection, send, shared }} />);
  void (worker?.start(i18n.language) ?? Promise.resolve()).then(send).catch(() => undefined);
}

const isLost = ({ search }: Location): boolean => ownPath() + search === sharedPages.lost;

const isWaiting = ({ changes }: Offline): boolean => changes.get().some(({ status }) => status === "pending");

interface OpenedOffline {
  readonly offline?: Offline;
  readonly shared?: Shared | undefined;
}

async function openOffline(words: Promise<unknown>): Promise<OpenedOffline> {
  try {
    const database = await pageDatabase();
    const offline = createOffline({
      database,
      sender: () => {
        const state = session.state.get();
        return { authorization: authorizationOf(state), person: callerOf(state), language: i18n.language.get() };
      },
      fetch: refusable,
      base: apiBase(),
      locks: locksOf(navigator.locks),
      now: Date.now,
      onQueueFailed: (why) => void toast({ tone: "error", text: t(`offline.notQueued.${why}`) }),
    });
    followSession(offline);
    offline.changes.subscribe(() =>
      queuedChanges.set(new Map(offline.changes.get().map((change) => [change.requestKey, change]))),
    );
    // Who signs out before this is loaded leaves everything to the next start.
    if (credential.hasLeft()) await forgetUnnoticed(offline);
    // Where there is no room nothing can be noted, but what was kept before is there all the same.
    await Promise.allSettled([offline.sweep(), offline.attend()]);
    await offline.restore();
    offlineFallback.set(offline.offlineFallback);
    await words;
    if (await takeDamage(database)) void toast({ tone: "error", text: t("offline.damaged") });
    return { offline, shared: await takeShared(database) };
  } catch {
    // Private windows of some browsers refuse: nothing is kept then, and every call needs the server.
    return {};
  }
}

/** Sends a change; one that is refused for its sender has the session looked at, which may have ended since. */
async function refusable(url: string, request: RequestInit): Promise<Response> {
  const response = await fetch(url, request);
  const carried = new Headers(request.headers).get("authorization");
  if (response.status === 401 && carried && carried === authorizationOf(session.state.get())) {
    credential.markStale();
    void session.revalidate();
  }
  return response;
}
