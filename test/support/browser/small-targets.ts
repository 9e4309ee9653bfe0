import type { Page } from "playwright-core";

/** What can be pressed. */
const TARGETS =
  "a[href], button, summary, select, textarea, input:not([type=hidden]), [role=button], [role=tab], [role=menuitem], [role=switch], [role=checkbox], [role=radio], [role=option], [contenteditable=true]";
/** Pixels across and down (WCAG 2.5.8). */
const LEAST = 24;

/**
 * What on a page is a smaller target than 24 by 24 pixels, each with its size; links in a sentence are no taller than its lines. A box belongs
 * to its label, which is pressed as well.
 */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(
    ({ selector, least }) => {
      const nameOf = (element: Element) =>
        `${element.tagName.toLowerCase()} “${(element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 60)}”`;
      const isInSentence = (element: Element): boolean => {
        const { parentElement: around } = element;
        if (!around || getComputedStyle(element).display !== "inline") return false;
        const others = [...around.childNodes].filter((node) => node !== element);
        const isText = (node: Node) =>
          !(node instanceof Element) || (getComputedStyle(node).display === "inline" && !node.matches(selector));
        const hasText = others.some((node) => isText(node) && node.textContent?.trim());
        return hasText || isInSentence(around);
      };
      const sizeOf = (element: Element) => {
        const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
        const boxes = [element, ...(label ? [label] : [])].map((one) => one.getBoundingClientRect());
        return {
          width: Math.max(...boxes.map(({ width }) => width)),
          height: Math.max(...boxes.map(({ height }) => height)),
        };
      };
      return [...document.querySelectorAll<HTMLElement>(selector)]
        .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        .filter((element) => !element.matches(":disabled") && !element.closest("[inert], .sr-only:not(:focus)"))
        .filter((element) => !(element.tagName === "A" && isInSentence(element)))
        .map((element) => ({ element, ...sizeOf(element) }))
        .filter(({ width, height }) => width > 0 && height > 0 && (width < least - 0.5 || height < least - 0.5))
        .map(({ element, width, height }) => `${nameOf(element)} ${Math.round(width)}×${Math.round(height)}`);
    },
    { selector: TARGETS, least: LEAST },
  );
