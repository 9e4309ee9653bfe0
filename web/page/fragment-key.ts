import { ownPath } from "../lib/base-path.ts";
import { createStore, useStore } from "../lib/store.ts";

/**
 * Keys of sealed shares, by slug, as the fragments of their links brought them. They are in the memory of this page and nowhere else: each is taken
 * out of the address at once, before the router, the history or anything else of the app has seen it.
 */
const keys = createStore<ReadonlyMap<string, string>>(new Map());

/** What is meant for a key, mistyped or not: none of it may stay in the address. */
const shape = /AGE-SECRET-KEY-/i;

/** As the router finds it, which takes capitals for small letters. */
const slugIn = (path: string): string | undefined => /^\/s\/([^/]+)/i.exec(path)?.[1];

/** Takes the key out of the address of this page. */
function takeKey(): void {
  const slug = slugIn(ownPath());
  const key = decoded(window.location.hash);
  if (slug === undefined || !shape.test(key)) return;
  window.history.replaceState(window.history.state, "", window.location.pathname + window.location.search);
  keepKey(decoded(slug), key);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Keeps the key of a sealed share for as long as this page lives. */
export const keepKey = (slug: string, key: string): void => keys.set(new Map(keys.get()).set(slug, keyIn(key)));

/** A whole key, as age writes one of X25519. */
const whole = /AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}/;

/** The key in what a person pastes, the whole link or the key alone: messages break it into lines, put signs around it, and write it small. */
export function keyIn(pasted: string): string {
  const letters = decoded(pasted)
    .toUpperCase()
    .replace(/[^A-Z\d-]/g, "");
  return whole.exec(letters)?.[0] ?? letters;
}

/** The key that came with the link of this share; undefined where there was none. */
export function useKey(slug: string): string | undefined {
  return useStore(keys).get(slug);
}

takeKey();
// Somebody may paste another link into the address. Both events are heard, because the router hears of the first one.
window.addEventListener("popstate", takeKey);
window.addEventListener("hashchange", takeKey);
