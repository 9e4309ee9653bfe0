import { ownName } from "../lib/base-path.ts";

/** A channel to this page and all other pages of this site. */
const CHANNEL = "satchel storages";

/** Tells all pages of this browser that a storage or its CORS rules have changed. */
export function tellStorageChange(): void {
  const channel = new BroadcastChannel(ownName(CHANNEL));
  channel.postMessage("");
  channel.close();
}

/** Calls `act` after each such change, as long as the page exists. */
export function onStorageChange(act: () => void): void {
  new BroadcastChannel(ownName(CHANNEL)).onmessage = act;
}
