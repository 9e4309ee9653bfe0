import type { Page } from "playwright-core";
import { dictionaries } from "./dictionaries.ts";

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
