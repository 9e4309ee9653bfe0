import { createStore } from "../lib/store.ts";

/** The browser's offer to install the app, which it makes once and early; undefined until then, and once it was taken. */
export const installOffer = createStore<Event | undefined>(undefined);

window.addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  installOffer.set(event);
});
