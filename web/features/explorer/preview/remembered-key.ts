import { session } from "../../../api/session/session.ts";
import type { Key } from "../../../sealed/locks.ts";

import { withdrawAll } from "../../../sealed/served/offer.ts";

/** How long what opened a sealed file opens others, in milliseconds. */
const KEPT_FOR = 10 * 60_000;

let kept: Key | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** What opened a sealed file of the tree last: in the memory of this page alone, for ten minutes. */
export const keptKey = (): Key | undefined => kept;

export function keepKey(key: Key): void {
  clearTimeout(timer);
  timer = setTimeout(forgetKey, KEPT_FOR);
  kept = key;
}

function forgetKey(): void {
  clearTimeout(timer);
  kept = undefined;
}

/** Forgets it at once, and has the worker serve nothing any more that was opened. After ten minutes what is on view stays. */
export function forgetOpened(): void {
  forgetKey();
  withdrawAll();
}

// The next person is somebody else.
session.beforeSignOut(async () => forgetOpened());
