import DOMPurify from "dompurify";
import { safeCss } from "../html/safe-css.ts";
import { safeAddress } from "./addresses.ts";

/** The second wall behind `html: false`: whatever a rule of ours lets through by mistake stops here. */
export const sanitize = (html: string): DocumentFragment =>
  DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    USE_PROFILES: { html: true },
    ADD_ATTR: ["target"],
    FORBID_TAGS: ["style", "form", "textarea", "select", "option", "iframe", "video", "audio", "dialog"],
    FORBID_ATTR: ["style", "name", "autofocus", "formaction", "action", "popovertarget", "popover"],
    ALLOWED_URI_REGEXP: safeAddress,
  });

/** CSS of a diagram, which names nothing outside of it; letters written by their numbers would hide an address. */
const diagramCss = (css: string): string => safeCss(css.replaceAll("\\", ""));

/** A diagram drawn by mermaid: an SVG whose own style sheet may stay. */
export function sanitizeSvg(svg: string): string {
  const purifier = DOMPurify(window);
  purifier.addHook("uponSanitizeElement", (element) => {
    if (element.nodeName.toLowerCase() === "style") element.textContent = diagramCss(element.textContent ?? "");
  });
  purifier.addHook("afterSanitizeAttributes", (element) => {
    for (const { name, value } of [...element.attributes])
      if (name === "style" || value.includes("(")) element.setAttribute(name, diagramCss(value));
  });
  return purifier.sanitize(svg, {
    USE_PROFILES: { svg: true, svgFilters: true },
    ADD_TAGS: ["style"],
    ADD_ATTR: ["dominant-baseline"],
    FORBID_TAGS: ["image", "foreignObject", "script", "use", "feImage"],
  });
}
