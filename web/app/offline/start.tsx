import { version } from "../../../package.json";
import { apiBase } from "../../api/call.ts";
import { authorizationOf, personOf } from "../../api/credential.ts";
import { session } from "../../api/session.ts";
import { standIn } from "../../api/stand-in.ts";
import { recentSearches } from "../../features/explorer/search/recent.ts";
import { i18n, loadWords, t } from "../../i18n/i18n.ts";
import { installOffer } from "../../lib/install-offer.ts";
import { browserStorage } from "../../lib/storage.ts";
import { openDatabase } from "../../offline/database.ts";
import { createInstall } from "../../offline/install.ts";
import { createOffline, type Offline } from "../../offline/offline.ts";
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
  // The browser wakes the worker for it, also when this page is closed by then.
  offline?.changes.subscribe(() => {
    if (isWaiting(offline)) void worker?.register();
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
    const { database, state } = await openDatabase(version);
    const offline = createOffline({
      database,
      sender: () => {
        const state = session.state.get();
        return { authorization: authorizationOf(state), person: personOf(state), language: i18n.language.get() };
      },
      fetch: (url, request) => fetch(url, request),
      base: apiBase(),
      locks: navigator.locks,
      now: Date.now,
      onUnkept: (why) => void toast({ tone: "error", text: t(`offline.${why}`) }),
    });
    followSession(offline);
    standIn.set(offline.standIn);
    await offline.sweep();
    await offline.refresh();
    await words;
    if (state === "fresh") void toast({ tone: "error", text: t("offline.damaged") });
    return { offline, shared: await takeShared(database) };
  } catch {
    // Private windows of some browsers refuse: nothing is kept then, and every call needs the server.
    return {};
  }
}

/** What belongs to a person goes with them: at their sign-out, and when another one signs in. */
function followSession(offline: Offline): void {
  const forget = () => {
    recentSearches.clear();
    void offline.forgetPerson().then(offline.mirror);
  };
  session.state.subscribe(() => {
    if (session.state.get().authType === "none" && session.reason.get() === "loggedOut") forget();
    else void offline.mirror();
  });
  session.sitting.subscribe(forget);
  signingOut.watch("changes", () => offline.changes.get().length > 0);
  void offline.mirror();
}
