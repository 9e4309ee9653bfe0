import type { Language } from "#contract/languages";
import type { Asset } from "./assets.ts";

/** Where the files are that build.ts makes for shares; no address leads there. */
export const sharePages = "/share-pages/";

/** What is shared: a text, a file, or by a link several things of the tree. */
export type SharedKind = "paste" | "file" | "link";

/** Those files: in each language the page that tells nothing, the one that brings a text, and the one that brings what is known of a file. */
export const sharePagePath = (kind: SharedKind | "text" | "details", language: Language): string =>
  `${sharePages}${kind}.${language}.html`;

const LINK = `${sharePages}link.`;
const SEALED = `${sharePages}sealed.`;

/** The page of a link as that of a sealed file: it has another policy (policies.ts). */
export const sealedPage = (link: Asset): Asset => ({ ...link, path: link.path.replace(LINK, SEALED) });

export const isSealedPage = (path: string): boolean => path.startsWith(SEALED);

/** Whether a page is that of an address which only who was given it shall know. */
export const isUnlisted = (path: string): boolean => path.startsWith(LINK) || isSealedPage(path);
