/** The folder in the form of the API's answers: with a slash at its end. */
export const asFolder = (path: string): string => (path.endsWith("/") ? path : `${path}/`);

/** A path without the slash that folders end in. */
export const bare = (path: string): string => (path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path);

/** Reports whether a path is that of an entry, or below it if the entry is a folder, whose path ends in a slash. */
export const isAtOrBelow = (path: string, entry: string): boolean =>
  path === entry || (entry.endsWith("/") && path.startsWith(entry));
