import emoji from "markdown-it-emoji/lib/data/full.mjs";

/** Puts emoji in place of their names; what is none's is text as it was written. */
export function showEmoji(places: readonly HTMLElement[]): void {
  for (const place of places) {
    const name = place.textContent.slice(1, -1);
    if (Object.hasOwn(emoji, name)) place.textContent = emoji[name] ?? "";
    else place.replaceWith(place.textContent);
  }
}
