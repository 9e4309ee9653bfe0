import { isUuid } from "./paths.ts";

/** The app shows pages at and below these, whatever their names end in: a file in the explorer has a page, too. */
export const pageRoots = ["paste", "file", "s", "in", "mount-explorer", "admin"] as const;

const roots = new RegExp(`^/(?:${pageRoots.join("|")})(?:/|$)`);
const pages = new RegExp(`${roots.source}|^/(?:upload/?)?$`, "i");

/** Reports whether a path is at or below one of these. */
export const isBelowPageRoot = (path: string): boolean => roots.test(path);

/** The id of a share at an address that it had in another program; no slug looks like a UUID, so it is none of ours. */
export function movedShareId(path: string): string | undefined {
  const id = /^\/s\/([^/]+)\/?$/i.exec(path)?.[1];
  return id !== undefined && isUuid(id) ? id : undefined;
}

/**
 * Reports whether the app shows a page at a path, in capitals or not. Elsewhere it says that there is none, or the server has something of
 * another kind: the program for terminals, addresses at which a share is deleted, files of the site.
 */
export const isPagePath = (path: string): boolean => pages.test(path) && movedShareId(path) === undefined;
