import type { Language } from "#contract/languages";

/** Where the files are that build.ts makes for shares; no address leads there. */
export const sharePages = "/share-pages/";

/** Those files: in each language the page that tells nothing, and the one that brings a text. */
export const sharePagePath = (kind: "paste" | "file" | "text", language: Language): string =>
  `${sharePages}${kind}.${language}.html`;
