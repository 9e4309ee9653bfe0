import type { Language } from "#contract/languages";

/** The pages of the app to which strangers come who follow no link. Each has a file in each language that names at once what it needs (build.ts). */
export const openPageNames = ["home", "upload"] as const;
export type OpenPage = (typeof openPageNames)[number];

/** Where those files are; no address leads there. */
export const openPages = "/open-pages/";

export const openPagePath = (name: OpenPage, language: Language): string => `${openPages}${name}.${language}.html`;

const addresses: ReadonlyMap<string, OpenPage> = new Map([
  ["/", "home"],
  ["/upload", "upload"],
]);

/** The file of the page at an address; undefined where all that there is need not be named. */
export function openPageAt(path: string, language: Language): string | undefined {
  const name = addresses.get(path);
  return name && openPagePath(name, language);
}
