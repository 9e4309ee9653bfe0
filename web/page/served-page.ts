import { ownPath } from "../lib/base-path.ts";

declare global {
  interface Window {
    /** The share that the server has written into its page (src/fronts/site): main.tsx keeps it when the app takes the place of that. */
    servedPage?: Element | null;
  }
}

/** The path of the page that was loaded, which alone may have such a share: pages of shares load this at once. */
const path = ownPath();

/** What the app shows in place of shapes until it shows the share itself; undefined on any other page. */
export const servedPage = (): Element | undefined => (path === ownPath() && window.servedPage) || undefined;

/** The text alone, as Markdown or as it was written. */
export const servedText = (as: "markdown" | "text"): HTMLElement | undefined =>
  servedPage()?.querySelector<HTMLElement>(`[data-served="${as}"]`) ?? undefined;

/** Reports whether the page has brought a picture from this address, so that nobody waits for it once more. */
export function hasServedPicture(address: string): boolean {
  const picture = servedPage()?.querySelector("img");
  return picture?.src === address && picture.naturalWidth > 0;
}

/** The app shows the share. */
export function forgetServedPage(): void {
  window.servedPage = null;
}
