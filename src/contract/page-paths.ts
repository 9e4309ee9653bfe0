/** The app shows pages at and below these, whatever their names end in: a file in the explorer has a page, too. */
export const pageRoots = ["paste", "file", "s", "in", "mount-explorer", "admin"] as const;

const roots = new RegExp(`^/(?:${pageRoots.join("|")})(?:/|$)`);
const pages = new RegExp(`${roots.source}|^/(?:upload/?)?$`, "i");

/** Reports whether a path is at or below one of these. */
export const isBelowPageRoot = (path: string): boolean => roots.test(path);

/** A share that came from another program (src/fronts/moved.ts): the server leads on to its page. */
const movedShare = /^\/s\/[\da-f]{8}-[\da-f-]{27}\/?$/i;

/**
 * Reports whether the app shows a page at a path, in capitals or not. Elsewhere it says that there is none, or the server has something of
 * another kind: the program for terminals, addresses at which a share is deleted, files of the site.
 */
export const isPagePath = (path: string): boolean => pages.test(path) && !movedShare.test(path);
