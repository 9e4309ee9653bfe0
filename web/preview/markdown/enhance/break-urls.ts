/** Elements of HTML labels that load something. */
const loading =
  /<(?=\/?(?:img|image|feimage|picture|source|video|audio|track|iframe|frame|object|embed|link|style|input|body|table|t[dhr]|svg|use|base|meta)\b)/gi;
/** What loads in styles, and the option of a shape that is a picture, wherever they lead. */
const pictures = /\b(?:url|src|image-set)(?=\s*\()|\bimg(?=["']?\s*:)/gi;
const scheme = /\b(https?|wss?|ftp|blob|data)(?=\s*:)/gi;
const slashes = /[\\/](?=[\\/])/g;
/** Ways to write a letter by its number, in JSON, YAML and CSS, and letters that need none; a quote and `\n` lead nowhere. */
const escapes = /\\(?!["'n])/g;
/** mermaid cuts a line of options out of wherever it stands, and what was around it is together then. */
const within = /(?<=\S)[ ]*%%(?=\{)/g;

/** Shown as nothing, and no address is one any more with it inside. */
const BREAK = "\u200b";

/**
 * A diagram's source that makes its reader's browser ask nobody. mermaid draws into the living page before anybody can clean up,
 * and knows several ways to load a picture (labels of HTML, image shapes, url() in styles, all of them switched on by a line of
 * the source), so every address in it is broken invisibly. Its text looks the same. Tabs, which browsers leave out of
 * addresses, become spaces.
 */
export const breakUrls = (source: string): string =>
  source
    .replaceAll("\t", " ")
    .replace(loading, "")
    .replace(within, `${BREAK}%%`)
    .replace(pictures, `$&${BREAK}`)
    .replace(scheme, `$1${BREAK}`)
    .replace(slashes, `$&${BREAK}`)
    .replace(escapes, `$&${BREAK}`);
