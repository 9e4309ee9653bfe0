/** The folder in the form of the API's answers: with a slash at its end. */
export const asFolder = (path: string): string => (path.endsWith("/") ? path : `${path}/`);

/** A path without the slash that folders end in. */
export const bare = (path: string): string => (path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path);
