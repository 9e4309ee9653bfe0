import type { Locator, Page } from "playwright-core";
import type { Visit } from "./chromium.ts";

/** How little of a screen there may be, and how well everything on it can be reached. */

/** What can be pressed or written into. */
const CONTROLS =
  "a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=menuitem], [role=option], [tabindex='0']";

/** Controls that something else lies upon once they are scrolled to, by their names and what lies there. */
export const covered = (page: Page): Promise<string[]> => coveredIn(page.locator("html"));

/** As `covered`, of those within a part of the page. */
export const coveredIn = (part: Locator): Promise<string[]> =>
  part.evaluate((root, controls) => {
    const called = (element: Element) =>
      `${element.tagName.toLowerCase()} ${element.ariaLabel ?? element.textContent?.trim().slice(0, 40) ?? ""}`;
    const found: string[] = [];
    for (const control of root.querySelectorAll(controls)) {
      if (!control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      control.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      const { left, top, width, height } = control.getBoundingClientRect();
      // Clipped away until it has the focus.
      if (width <= 4 || height <= 4 || getComputedStyle(control).clipPath !== "none") continue;
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      if (hit && (control.contains(hit) || hit.contains(control) || hit.closest("label")?.control === control))
        continue;
      found.push(`${called(control)}, under ${hit ? called(hit) : "the edge"}`);
    }
    window.scrollTo(0, 0);
    return found;
  }, CONTROLS);

/** Where what has opened reaches beyond the screen, and what of it has to be scrolled sideways. Code and tables may be. */
export const spilled = (surface: Locator): Promise<string[]> =>
  surface.evaluate((root) => {
    const { left, top, right, bottom } = root.getBoundingClientRect();
    const beyond = { left: -left, top: -top, right: right - window.innerWidth, bottom: bottom - window.innerHeight };
    const edges = Object.entries(beyond).flatMap(([edge, by]) => (by > 0.5 ? [`${edge} by ${by}`] : []));
    const wide = [root, ...root.querySelectorAll<HTMLElement>("*")]
      .filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowX))
      .filter((element) => !element.closest("pre, .markdown, .overflow-x-auto"))
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map((element) => `${element.className} is wider by ${element.scrollWidth - element.clientWidth}`);
    return [...edges, ...wide];
  });

/** Controls lower than so many pixels, by their names and heights. What stands within a text is as high as its line. */
export const low = (page: Page, pixels: number): Promise<string[]> =>
  page.evaluate(
    ([controls, least]) =>
      [...document.querySelectorAll<HTMLElement>(controls)]
        .filter((control) => control.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        .filter(
          (control) =>
            getComputedStyle(control).display !== "inline" &&
            // A press on the name of a folder in the explorer is one of its row.
            !control.matches(".markdown input, .markdown pre, [data-entry-link]"),
        )
        .map((control) => ({ control, height: (control.closest("label") ?? control).getBoundingClientRect().height }))
        .filter(({ control, height }) => height > 4 && height < least && getComputedStyle(control).clipPath === "none")
        .map(({ control, height }) => `${control.ariaLabel ?? control.textContent?.trim().slice(0, 40)}: ${height}`),
    [CONTROLS, pixels] as const,
  );

/** How much of each edge of a screen is round, or taken by the system, in pixels. */
export interface Insets {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** Gives the screen such edges (Emulation.setSafeAreaInsetsOverride). */
export async function setInsets({ context, page }: Visit, insets: Insets): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setSafeAreaInsetsOverride", { insets });
}

/** Controls that reach into the edges of a screen, at the beginning of a page and at its end; what scrolls by is not counted above and below. */
export const atEdges = (page: Page, insets: Insets): Promise<string[]> =>
  page.evaluate(
    ([controls, { top, right, bottom, left }]) => {
      const found = new Set<string>();
      for (const [place, at] of [
        ["beginning", 0],
        ["end", document.documentElement.scrollHeight],
      ] as const) {
        window.scrollTo({ top: at, behavior: "instant" });
        for (const control of document.querySelectorAll<HTMLElement>(controls)) {
          if (!control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
          const box = control.getBoundingClientRect();
          if (box.width <= 4 || box.height <= 4 || box.bottom <= 0 || box.top >= window.innerHeight) continue;
          if (getComputedStyle(control).clipPath !== "none") continue;
          // What scrolls by within the page comes to where it can be pressed.
          const stands = (element: Element | null, axis: "overflowX" | "overflowY"): boolean =>
            element === null ||
            (!/auto|scroll/.test(getComputedStyle(element)[axis]) && stands(element.parentElement, axis));
          const upright = stands(control.parentElement, "overflowY");
          const sideways = stands(control.parentElement, "overflowX");
          const over = [
            upright && place === "beginning" && box.top < top && "top",
            upright && place === "end" && box.bottom > window.innerHeight - bottom && "bottom",
            sideways && box.left < left && "left",
            sideways && box.right > window.innerWidth - right && "right",
          ].filter(Boolean);
          if (over.length > 0)
            found.add(`${control.ariaLabel ?? control.textContent?.trim().slice(0, 40)}: ${over.join(" ")}`);
        }
      }
      return [...found];
    },
    [CONTROLS, insets] as const,
  );
