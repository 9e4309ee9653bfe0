import { ownPath } from "./base-path.ts";

/** The text that the server has written into its page (src/fronts/site), by the path of that page. */
let served: { readonly path: string; readonly page: Element } | undefined;

/** Keeps it before the app takes the place of all that the page began with. */
export function keepServedText(root: Element): void {
  const page = root.querySelector("#served > :last-child");
  if (page) served = { path: ownPath(), page };
}

/** What the app shows in place of shapes until it shows the text itself; undefined on any other page. */
export const servedPage = (): Element | undefined => (served?.path === ownPath() ? served.page : undefined);

/** The text alone, as Markdown or as it was written. */
export const servedText = (as: "markdown" | "text"): Element | undefined =>
  servedPage()?.querySelector(`[data-served="${as}"]`) ?? undefined;

/** The app shows the text. */
export function forgetServedText(): void {
  served = undefined;
}
