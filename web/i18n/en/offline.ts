import type { Shape } from "../shape.ts";
import type { offline as zh } from "../zh/offline.ts";

/** The app without a connection: notices, changes that wait, a newer version, and its installation. */
export const offline: Shape<typeof zh> = {
  title: "Offline and app status",
  onlineText: "Connected. Pending changes are sent automatically.",
  offlineText:
    "No connection. You can see what was opened before; changes are kept on this device and sent once you are back online.",
  unreachedText:
    "The server cannot be reached. You may be seeing what was opened before; changes are kept on this device and sent once it answers.",
  lost: "You are offline. What you have opened before still works.",
  restored: "You are back online.",
  sent: { one: "The change made offline was sent.", other: "The {{count}} changes made offline were sent." },
  sharedAt: "Your text is shared: {{link}}",
  sharedSeveral: { one: "{{count}} text is shared.", other: "{{count}} texts are shared." },
  showLinks: "Show links",
  failed: "Data sync failed, please try again later.",
  damaged: "Offline data was damaged and had to be removed. Changes that waited may be lost.",
  closed: "Another tab has opened a newer version of the app. Please load this page again.",
  full: "This device has no room for the change. Please try again once you are connected.",
  broken: "What is kept on this device cannot be read or changed right now. Please load this page again.",
  notQueued: {
    full: "This device has no room for the change. Keep this page open and try again once you are connected, or copy your text.",
    closed:
      "The change was not kept: another tab has opened a newer version of the app. Copy your text, then load this page again.",
    broken:
      "The change was not kept: this browser cannot store anything right now. Keep this page open and try again once you are connected, or copy your text.",
  },
  unshared:
    "What was shared could not be received: it is too large for this device or cannot be read. Please add it here yourself.",
  unforgotten:
    "What was kept on this device for you could not be removed. Please delete the data of this site in the browser.",
  sendNow: "Send now",
  sendAgain: "Send again",
  retry: "Try again",
  edit: "Edit",
  discard: "Discard",
  discardTitle: "Discard this change?",
  discardText: "As far as this device knows, the server does not have it, and there is no other copy.",
  undiscarded: {
    sending: "It is being sent right now and cannot be discarded.",
    gone: "It is no longer pending: it was sent in the meantime, or discarded in another tab.",
    changed: "It was changed in another tab in the meantime, so it is kept. Close this dialog to see the new version.",
  },
  seen: "Remove from the list",
  copyLink: "Copy link",
  text: "Content",
  suffix: "Custom suffix",
  later: "Later",
  badge: {
    offline: "Offline",
    unreached: "Server out of reach",
    waiting: { one: "{{count}} change pending", other: "{{count}} changes pending" },
    refused: "A change was refused",
    others: { one: "{{count}} change waits for a sign-in", other: "{{count}} changes wait for a sign-in" },
    done: "Changes were sent",
  },
  change: {
    createPaste: "Share a text",
    updatePaste: "Change a text",
    batchDeletePastes: "Delete texts",
    clearExpiredPastes: "Clear expired texts",
    updateGroupSettings: "Change settings",
    clearCache: "Clear the cache",
    verifyFilePassword: "Open a file with its password",
    other: "Another change",
  },
  state: {
    pending: "Waits for the connection",
    rejected: "The server refused it",
    behind: "Waits for your decision about the refused change before it",
    sent: "Sent",
    others: "Sent once the person who made it is signed in",
    foreign: "Made by another version of the app, which this one cannot send",
  },
  update: {
    title: "A new version is available",
    text: "The page reloads with the update.",
    now: "Update",
    check: "Check for updates",
  },
  install: {
    title: "Install {{site}}",
    text: "Open it like an app, use it offline, and share to it from your phone.",
    now: "Install",
    none: "Not offered by this browser",
    installable: "Can be installed",
    installed: "Installed",
  },
  status: {
    title: "App status",
    network: "Network",
    online: "Connected",
    offline: "Disconnected",
    worker: "Offline support",
    install: "Installation",
    version: "Version",
  },
  worker: {
    none: "Not available in this browser",
    unknown: "Unknown",
    installing: "Installing",
    waiting: "A new version is ready",
    active: "Active",
    redundant: "Replaced",
  },
};
