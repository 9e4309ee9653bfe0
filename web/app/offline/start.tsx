import { apiBase } from "../../api/call.ts";
import { callerOf } from "../../api/caller.ts";
import { authorizationOf } from "../../api/credential.ts";
import { session } from "../../api/session.ts";
import { standIn } from "../../api/stand-in.ts";
import { i18n, loadWords, t } from "../../i18n/i18n.ts";
import { installOffer } from "../../lib/install-offer.ts";
import { browserStorage } from "../../lib/storage.ts";
import { createInstall } from "../../offline/install.ts";
import { createOffline, type Offline, type ShownChange } from "../../offline/offline.ts";
import { pageDatabase } from "../../offline/page-database.ts";
import type { Replayed } from "../../offline/replay.ts";
import { type Shared, takeShared } from "../../offline/shared.ts";
import { createWorker } from "../../offline/worker.ts";
import { signingOut } from "../../ui/signing-out.ts";
import { toast } from "../../ui/toast.ts";
import { corner } from "../corner.ts";
import { createConnection } from "./connection.ts";
import { Corner } from "./corner.tsx";
import { tellOf } from "./tell.ts";

/** How long a notice about the connection stays, in milliseconds (SPEC section 9). */
const TOLD_FOR = 3000;

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
  const heard = (replayed: Replayed) => {
    tellOf(replayed);
    void offline?.refresh();
  };
  const worker = "serviceWorker" in navigator ? createWorker("/sw.js", heard) : undefined;
  const connection = createConnection({ window, isOnline: () => navigator.onLine });
  const send = async () => {
    if (offline && isWaiting(offline)) tellOf(await offline.send());
  };
  connection.online.subscribe(() => {
    const back = connection.online.get();
    void toast({
      tone: back ? "ok" : "plain",
      text: t(back ? "offline.restored" : "offline.lost"),
      duration: TOLD_FOR,
    });
    if (back) void send();
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
  // Another tab may have kept or sent some.
  worker?.status.subscribe(() => void offline?.refresh());
  setInterval(() => connection.online.get() && send(), AGAIN);
  corner.set(() => <Corner {...{ offline, worker, install, connection, send, shared }} />);
  void (worker?.start() ?? Promise.resolve()).then(send);
}

const isWaiting = ({ changes }: Offline): boolean => changes.get().some(({ status }) => status === "pending");

interface OpenedOffline {
  readonly offline?: Offline;
  readonly shared?: Shared | undefined;
}

async function openOffline(words: Promise<unknown>): Promise<OpenedOffline> {
  try {
    const { database, state } = await pageDatabase();
    const offline = createOffline({
      database,
      sender: () => {
        const state = session.state.get();
        return { authorization: authorizationOf(state), person: callerOf(state), language: i18n.language.get() };
      },
      fetch: (url, request) => fetch(url, request),
      base: apiBase(),
      locks: navigator.locks,
      now: Date.now,
      onUnkept: (why) => void toast({ tone: "error", text: t(`offline.${why}`) }),
    });
    await followSession(offline);
    standIn.set(offline.standIn);
    await offline.sweep();
    await words;
    if (state === "fresh") void toast({ tone: "error", text: t("offline.damaged") });
    return { offline, shared: await takeShared(database) };
  } catch {
    // Private windows of some browsers refuse: nothing is kept then, and every call needs the server.
    return {};
  }
}

/**
 * What the server answered to a person goes when they sign out or somebody else signs in. Changes that wait go at the sign-out alone, which asks
 * first; otherwise they wait until who made them is here again.
 */
async function followSession(offline: Offline): Promise<void> {
  let present = callerOf(session.state.get());
  session.state.subscribe(() => {
    const before = present;
    present = callerOf(session.state.get());
    const leaves = before !== undefined && present === undefined && session.reason.get() === "loggedOut";
    void (leaves ? offline.leave(before) : offline.attend());
  });
  signingOut.watch("changes", () => offline.changes.get().some(isLost));
  await offline.attend();
}

/** Reports whether a sign-out would lose a change: those of visitors and of other people stay, and what was sent is safe. */
const isLost = ({ person, status }: ShownChange): boolean =>
  status === "foreign" || (person !== undefined && status !== "sent");
