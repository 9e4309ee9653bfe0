import { call } from "../api/call.ts";
import { createUploads } from "./create-uploads.ts";
import { createBrowserMemory } from "./memory.ts";
import type { Sleep } from "./ports.ts";
import { putByXhr } from "./put.ts";

const sleep: Sleep = (milliseconds, signal) =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (signal?.aborted) end();
    signal?.addEventListener("abort", end, { once: true });
  });

/** The uploads of this page. */
export const uploads = createUploads({
  call,
  put: putByXhr,
  sleep,
  every(milliseconds, act) {
    const timer = setInterval(act, milliseconds);
    return () => clearInterval(timer);
  },
  now: Date.now,
  memory: createBrowserMemory(),
  onNetwork(listener) {
    window.addEventListener("online", () => listener(true));
    window.addEventListener("offline", () => listener(false));
  },
});
