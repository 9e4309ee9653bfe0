import type { KeyValue } from "../lib/storage.ts";
import { createStore, type Store } from "../lib/store.ts";

/** How long the offer stays away once it was dismissed, in milliseconds (SPEC section 9). */
const SILENCE = 7 * 24 * 60 * 60 * 1000;
/** As clients made for CloudPaste call it. */
const KEY = "pwa-install-dismissed";

/** The browser's offer to install the app; not in the types yet (Web App Manifest incubations). */
interface InstallPrompt extends Event {
  prompt(): Promise<{ readonly outcome: "accepted" | "dismissed" }>;
}

interface Surroundings {
  readonly storage: KeyValue;
  readonly now: () => number;
  readonly window: Pick<Window, "addEventListener">;
  /** Whether the app runs in a window of its own already. */
  readonly standalone: boolean;
  /** The browser's offer, which may have come long before. */
  readonly offer: Store<Event | undefined>;
}

/** Follows whether the app can be installed, and whether it may be offered now. */
export function createInstall({ storage, now, window, standalone, offer }: Surroundings) {
  const state = createStore<"none" | "installable" | "dismissed" | "installed">(standalone ? "installed" : "none");
  // Of a time to come it was put off under a clock that was wrong.
  const isQuiet = () => Math.abs(now() - Number(storage.get(KEY) ?? 0)) < SILENCE;
  const heed = () => {
    if (offer.get()) state.set(isQuiet() ? "dismissed" : "installable");
  };
  offer.subscribe(heed);
  heed();
  window.addEventListener("appinstalled", () => state.set("installed"));

  return {
    state,
    /** Shows the browser's own question; only after a press. */
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
