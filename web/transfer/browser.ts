import { call } from "../api/call.ts";
import { credential, personOf } from "../api/session/credential.ts";
import { randomKey } from "../lib/random-key.ts";
import { sleep } from "../lib/sleep.ts";
import { tabs } from "../lib/tabs.ts";
import { putByXhr } from "./network/put.ts";
import type { UploadPorts } from "./ports.ts";
import type { Digest } from "./resume/options-key.ts";

/** Browsers have crypto.subtle on secure pages only. */
const digest: Digest = async (text) => {
  const bytes = await crypto.subtle?.digest("SHA-256", new TextEncoder().encode(text));
  return bytes && Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
};

/** What uploads need of the browser. */
export const browserPorts: Omit<UploadPorts, "target" | "memory"> = {
  call,
  put: putByXhr,
  sleep,
  every(milliseconds, act) {
    const timer = setInterval(act, milliseconds);
    return () => clearInterval(timer);
  },
  now: Date.now,
  home: () => window.appConfig?.backendUrl || window.location.origin,
  secure: () => window.location.protocol === "https:",
  account: () => personOf(credential.state.get()),
  tabs,
  digest,
  newKey: randomKey,
  onNetwork(listener) {
    window.addEventListener("online", () => listener(true));
    window.addEventListener("offline", () => listener(false));
  },
};
