import DOMPurify from "dompurify";
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

/** A diagram drawn by mermaid: an SVG whose own style sheet may stay. */
export const sanitizeSvg = (svg: string): string =>
  DOMPurify.sanitize(svg, {
    USE_PROFILES: { svg: true, svgFilters: true },
    ADD_TAGS: ["style"],
    ADD_ATTR: ["dominant-baseline"],
    FORBID_TAGS: ["image", "foreignObject", "script", "use"],
  });
