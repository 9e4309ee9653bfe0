/**
 * The base path of a server (BASE_PATH): the path of its host below which all of it is, as in /satchel. It begins with a slash and ends in
 * none; empty is the root of the host.
 */

/** Characters of a base path at most. */
const MAX_BASE_PATH = 128;

/** Segments of letters that no browser, proxy or signature writes in another way (RFC 3986 section 2.3). */
const BASE_PATH = /^(?:\/[A-Za-z0-9._~-]+)+$/;

/** Reports whether a text is a base path, and has no segment that stands for another one. */
export const isBasePath = (text: string): boolean =>
  text.length <= MAX_BASE_PATH && BASE_PATH.test(text) && !/\/\.{1,2}(?:\/|$)/.test(text);

/**
 * The name that something has in a browser, which keeps what belongs to one origin together: servers at two base paths of one host would
 * else read what the other has stored.
 */
export const nameAt = (basePath: string, name: string): string => (basePath === "" ? name : `${basePath} ${name}`);
