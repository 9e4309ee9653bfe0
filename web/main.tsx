import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { offlineFallback } from "./api/transport/offline-fallback.ts";
import { App } from "./app/app.tsx";
import { preloadAt } from "./app/routes.tsx";
import { loadWords } from "./i18n/i18n.ts";
import { ownPath } from "./lib/base-path.ts";
// What the browser says early is heard before anybody asks.
import "./page/install-offer.ts";
// The page of the development server sets no theme, so the theme is set here as well.
import "./page/theme.ts";

async function start(place: HTMLElement): Promise<void> {
  // Words and first page come side by side, so that the first paint is complete.
  await Promise.all([loadWords("shell"), preloadAt(ownPath())]);
  window.servedPage = place.querySelector("#served > :last-child");
  const root = createRoot(place);
  // A transition renders in slices, and the page can answer between them.
  startTransition(() =>
    root.render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
  await rest();
  await offline();
}

let starting: Promise<void> | undefined;

/** Begins what the app does without a connection, once; a page that cannot load it does without. */
function offline(): Promise<void> {
  starting ??= import("./app/offline/start.tsx").then(({ startOffline }) => startOffline()).catch(() => undefined);
  return starting;
}
offlineFallback.loadBy(offline);

/** How long somebody reads a share before the app gets ready to show it without a connection, in milliseconds. */
const READING = 20_000;

/**
 * Waits until the page has come to rest: reading a share comes before what the app can do besides, and who only reads one transfers
 * nothing else. Where the app was used before, its worker has the rest at hand.
 */
const rest = () =>
  new Promise((resolve) => {
    const reads = /^\/(paste|file|s)\//.test(ownPath()) && !navigator.serviceWorker?.controller;
    if (reads) setTimeout(resolve, READING);
    else if ("requestIdleCallback" in window) requestIdleCallback(resolve, { timeout: 5000 });
    else setTimeout(resolve, 2000);
  });

const place = document.getElementById("root");
if (place) {
  start(place).catch(() => {
    // Without its dictionary the app has no words of its own.
    place.textContent = "Satchel did not load. Please reload this page. 页面没有载入，请刷新。";
  });
}
