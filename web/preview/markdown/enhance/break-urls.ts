/** Elements of HTML labels that load something. */
const loading =
  /<(?=\/?(?:img|image|feimage|picture|source|video|audio|track|iframe|frame|object|embed|link|style|input|body|table|t[dhr]|svg|use|base|meta)\b)/gi;
const scheme = /\b(https?|wss?|ftp|blob|data)(?=\s*:)/gi;
const slashes = /[\\/](?=[\\/])/g;

/** Shown as nothing, and no address is one any more with it inside. */
const BREAK = "\u200b";

/**
 * A diagram's source that makes its reader's browser ask nobody. mermaid draws into the living page before anybody can clean up,
 * and knows several ways to load a picture (labels of HTML, image shapes, url() in styles, all of them switched on by a line of
 * the source), so every address in it is broken invisibly. Its text looks the same.
 */
export const breakUrls = (source: string): string =>
  source.replace(loading, "").replace(scheme, `$1${BREAK}`).replace(slashes, `$&${BREAK}`);
