import DOMPurify from "dompurify";
import { isLight } from "../image/svg-complexity.ts";
import { safeCss } from "./safe-css.ts";
import { writtenAnew } from "./written-anew.ts";

/** Elements that load, embed, send or lead away by themselves. */
const forbidden = [
  "script",
  "iframe",
  "frame",
  "frameset",
  "object",
  "embed",
  "base",
  "link",
  "meta",
  "form",
  "portal",
  "noscript",
];

/** What a reader may follow with a press: it opens in a tab that knows nothing of this page. */
const followed = /^\s*(https?:|mailto:)/i;
/** What a page brings itself. Drawings are programs of what to draw, which can keep a browser busy for good. */
const brought = /^\s*(#|data:(image(?!\/svg)|font|audio|video)\/)/i;

/** What a page that is a part of something larger brings along. */
export interface PageParts {
  readonly cssOf?: (css: string) => string;
  /** Where a part of it is, or what a link leads to; undefined for what is not there. */
  readonly addressOf?: (address: string, isLink: boolean) => string | undefined;
}

/** Elements of a page that are laid out within a second or two. */
const MAX_ELEMENTS = 60_000;

/** The sanitized page, or undefined when it takes more than a second or two to lay out, or what it draws is more than a page can bear. */
export function lightPage(html: string, parts?: PageParts): string | undefined {
  // Closing tags are the other half.
  if (html.split("<").length > 2 * MAX_ELEMENTS) return undefined;
  const written = writtenAnew(html);
  if (written === undefined) return undefined;
  const sanitized = sanitizePage(written, parts);
  return isLight(sanitized) ? sanitized : undefined;
}

/**
 * A page without what runs, loads from elsewhere or leads away by itself: scripts, handlers, frames, forms, remote pictures. Links to the
 * web stay and open in a tab of their own.
 */
export function sanitizePage(html: string, { cssOf = safeCss, addressOf }: PageParts = {}): string {
  const purifier = DOMPurify(window);
  purifier.addHook("afterSanitizeAttributes", (element) => {
    const isLink = element.nodeName.toLowerCase() === "a";
    const style = element.getAttribute("style");
    if (style !== null) element.setAttribute("style", cssOf(style));
    for (const name of ["href", "xlink:href", "src", "srcset", "poster", "background", "ping"]) {
      const value = element.getAttribute(name);
      if (value === null || (isLink && name === "href" && followed.test(value))) continue;
      const found = addressOf && name !== "srcset" ? addressOf(value, isLink) : undefined;
      if (found !== undefined) element.setAttribute(name, found);
      else if (addressOf || !brought.test(value)) element.removeAttribute(name);
    }
    if (!isLink || !followed.test(element.getAttribute("href") ?? "")) return;
    element.setAttribute("target", "_blank");
    element.setAttribute("rel", "noopener noreferrer");
  });
  purifier.addHook("uponSanitizeElement", (element) => {
    if (element.nodeName === "STYLE") element.textContent = cssOf(element.textContent ?? "");
  });
  // The parser would try to move itself to another base, and the browser would complain that it may not.
  return purifier.sanitize(html.replace(/<base\b/gi, "<x-base"), {
    WHOLE_DOCUMENT: true,
    ADD_TAGS: ["style"],
    FORBID_TAGS: forbidden,
    FORBID_ATTR: ["autofocus"],
  });
}
