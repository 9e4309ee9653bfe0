import type { Language } from "#contract/languages";

/** Where the files are that build.ts makes for shares; no address leads there. */
export const sharePages = "/share-pages/";

/** What is shared: a text, a file, or by a link several things of the tree. */
export type SharedKind = "paste" | "file" | "link";

/** Those files: in each language the page that tells nothing, and the one that brings a text. */
export const sharePagePath = (kind: SharedKind | "text", language: Language): string =>
  `${sharePages}${kind}.${language}.html`;
