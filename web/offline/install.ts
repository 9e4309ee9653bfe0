import type { KeyValue } from "../lib/storage.ts";
import { createStore, type Store } from "../lib/store.ts";

/** How long the app is not offered again after it was dismissed, in milliseconds (SPEC section 9). */
const SILENCE = 7 * 24 * 60 * 60 * 1000;
/** The name that clients made for CloudPaste use. */
const KEY = "pwa-install-dismissed";

/** The browser's offer to install the app; not in the types yet (Web App Manifest incubations). */
interface InstallPrompt extends Event {
  prompt(): Promise<{ readonly outcome: "accepted" | "dismissed" }>;
}

interface InstallPorts {
  readonly storage: KeyValue;
  readonly now: () => number;
  readonly window: Pick<Window, "addEventListener">;
  /** Whether the app is already installed and runs in a window of its own. */
  readonly standalone: boolean;
  /** The browser's `beforeinstallprompt` event, which may have come before this code was loaded. */
  readonly offer: Store<Event | undefined>;
}

/** Follows whether the app can be installed, and whether it may be offered now. */
export function createInstall({ storage, now, window, standalone, offer }: InstallPorts) {
  const state = createStore<"none" | "installable" | "dismissed" | "installed">(standalone ? "installed" : "none");
  // A time far in the future was stored under a wrong clock, and does not count.
  const isQuiet = () => Math.abs(now() - Number(storage.get(KEY) ?? 0)) < SILENCE;
  const updateOffer = () => {
    if (offer.get()) state.set(isQuiet() ? "dismissed" : "installable");
  };
  offer.subscribe(updateOffer);
  updateOffer();
  window.addEventListener("appinstalled", () => state.set("installed"));

  return {
    state,
    /** Shows the browser's own prompt; browsers allow that only after a press. */
    async install(): Promise<void> {
      const prompt = offer.get() as InstallPrompt | undefined;
      offer.set(undefined);
      const outcome = await prompt?.prompt();
      state.set(outcome?.outcome === "accepted" ? "installed" : "none");
    },
    later(): void {
      storage.set(KEY, String(now()));
      state.set("dismissed");
    },
  };
}

export type Install = ReturnType<typeof createInstall>;
