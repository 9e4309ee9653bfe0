import { ownPath } from "./base-path.ts";

declare global {
  interface Window {
    /** The text that the server has written into its page (src/fronts/site): main.tsx keeps it when the app takes the place of that. */
    servedText?: Element | null;
  }
}

/** The path of the page that was loaded, which alone may have such a text: pages of texts load this at once. */
const path = ownPath();

/** What the app shows in place of shapes until it shows the text itself; undefined on any other page. */
export const servedPage = (): Element | undefined => (path === ownPath() && window.servedText) || undefined;

/** The text alone, as Markdown or as it was written. */
export const servedText = (as: "markdown" | "text"): HTMLElement | undefined =>
  servedPage()?.querySelector<HTMLElement>(`[data-served="${as}"]`) ?? undefined;

/** The app shows the text. */
export function forgetServedText(): void {
  window.servedText = null;
}
