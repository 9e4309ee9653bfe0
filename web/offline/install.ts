import type { KeyValue } from "../lib/storage.ts";
import { createStore } from "../lib/store.ts";

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
}

/** Whether the app can be installed, and whether it may be offered now. */
export function createInstall({ storage, now, window, standalone }: Surroundings) {
  const state = createStore<"none" | "installable" | "dismissed" | "installed">(standalone ? "installed" : "none");
  let prompt: InstallPrompt | undefined;
  const isQuiet = () => now() - Number(storage.get(KEY) ?? 0) < SILENCE;

  window.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    prompt = event as InstallPrompt;
    state.set(isQuiet() ? "dismissed" : "installable");
  });
  window.addEventListener("appinstalled", () => state.set("installed"));

  return {
    state,
    /** Shows the browser's own question; only after a press. */
    async install(): Promise<void> {
      const outcome = await prompt?.prompt();
      prompt = undefined;
      state.set(outcome?.outcome === "accepted" ? "installed" : "none");
    },
    later(): void {
      storage.set(KEY, String(now()));
      state.set("dismissed");
    },
  };
}

export type Install = ReturnType<typeof createInstall>;
