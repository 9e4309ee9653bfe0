/// <reference lib="webworker" />
import { createOpened, isOpened } from "../../web/sealed/served/worker.ts";
import { withoutNative } from "./sealed-cipher.ts";

/** The service worker of the page that `sealed.ts` measures: of the app's own what serves opened files. */
declare const self: ServiceWorkerGlobalScope;

if (self.location.search === "?script") withoutNative();
const opened = createOpened(self.clients);
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  if (isOpened(new URL(event.request.url).pathname)) event.respondWith(opened.answer(event.request));
});
self.addEventListener("message", (event) => {
  opened.keep(event);
  event.ports[0]?.postMessage(true);
});
