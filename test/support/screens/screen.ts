import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { screenshot, type Visit } from "../browser/chromium.ts";
import { overhang, seen } from "../browser/journey.ts";
import { dictionaries } from "../pages/dictionaries.ts";

/** The words of each locale of a browser, and what `lang` says there. */
export const words = {
  "en-US": { tag: "en", ...dictionaries.en },
  "zh-CN": { tag: "zh-CN", ...dictionaries.zh },
} as const;
export type Words = (typeof words)[keyof typeof words];

/** A page to look at. */
export interface Screen {
  readonly name: string;
  readonly path: string;
  readonly signedIn: boolean | "with a key";
  /** What is done before it is looked at. */
  readonly first?: (page: Page, words: Words) => Promise<unknown>;
  /** Something that is there once the screen is. */
  readonly shows: (page: Page, words: Words) => ReturnType<Page["locator"]>;
}

type Locale = keyof typeof words;

export const sizes = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;
const themes = ["light", "dark"] as const;

/** Every way in which a screen is looked at. */
export const looks = (Object.keys(words) as Locale[]).flatMap((locale) =>
  themes.flatMap((theme) => (["desk", "phone"] as const).map((size) => ({ locale, theme, size }))),
);
export type Look = (typeof looks)[number];

/** The same without the theme, of which `look` shows both. */
export const bothThemes = looks.filter(({ theme }) => theme === "light");

/** What a browser is opened with for a look. */
export const browserOf = ({ locale, theme, size }: Look) => ({ locale, theme, ...sizes[size] });

/** Clipped words show when a button or link is narrower than what it holds; only lists may end theirs with an ellipsis. */
const clipped = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("main button, header a, header button, nav a, [role=dialog] button")]
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
      .map((element) => element.textContent || (element.ariaLabel ?? "")),
  );

/**
 * Goes to a screen, takes its picture in both themes, and expects that all of it fits. The second theme is put over the first as the
 * system of a person does it, and stays, so that every other screen is opened in it.
 */
export async function look(
  { page }: Visit,
  screen: Screen,
  { locale, size }: Omit<Look, "theme">,
  also: (page: Page) => Promise<void> = async () => undefined,
): Promise<void> {
  await page.goto(screen.path);
  await screen.first?.(page, words[locale]);
  await seen(screen.shows(page, words[locale]));
  const isDark = await page.evaluate(() => window.matchMedia("(prefers-color-scheme: dark)").matches);
  for (const theme of isDark ? (["dark", "light"] as const) : (["light", "dark"] as const)) {
    await turn(page, theme);
    await examine(page, screen.name, { locale, size, theme });
    await also(page);
  }
}

/** Puts a theme over the page as the system of a person does it, and waits until all of the page is in it. */
export async function turn(page: Page, theme: Look["theme"]): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.locator(`html[data-theme=${theme}]`).waitFor({ state: "attached" });
  // Colours on their way from the other theme are nobody's, and one that arrives may set out another; what spins has no end to wait for.
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    for (let quiet = 0; quiet < 3; quiet++) {
      await frame();
      const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
      if (transitions.length > 0) quiet = -1;
      await Promise.allSettled(transitions.map(({ finished }) => finished));
    }
  });
}

async function examine(page: Page, name: string, { locale, theme, size }: Look): Promise<void> {
  expect(await page.locator("html").getAttribute("lang")).toBe(words[locale].tag);
  await screenshot(page, `${name}-${size}-${theme}-${words[locale].tag}`);
  expect(await overhang(page)).toBe(0);
  expect(await clipped(page)).toEqual([]);
}
