/** Extensions that the general table maps wrongly or does not know. */
const own: ReadonlyMap<string, string> = new Map(
  Object.entries({
    md: "text/markdown",
    markdown: "text/markdown",
    mdown: "text/markdown",
    mkd: "text/markdown",
    mdwn: "text/markdown",
    mdtxt: "text/markdown",
    mdtext: "text/markdown",
    rmd: "text/markdown",
    ts: "text/plain",
    tsx: "text/plain",
    jsx: "text/plain",
    rs: "text/plain",
    lrc: "text/plain",
    vue: "text/plain",
    php: "text/plain",
    sh: "text/plain",
    bat: "text/plain",
    go: "text/plain",
    py: "text/plain",
    flac: "audio/flac",
    hif: "image/heif",
  }),
);

/** The media type of a folder. */
export const FOLDER_TYPE = "application/x-directory";

const UNKNOWN = "application/octet-stream";

/** Returns the text after the last dot of a file name, in lower case; empty without one. */
export const extensionOf = (name: string): string => {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot + 1).toLowerCase();
};

/** Types of extensions of the general table, which takes longer to ask. A list of files has few of them. */
const known = new Map<string, string>();
const MOST_KNOWN = 1000;

function general(extension: string): string {
  const before = known.get(extension);
  if (before !== undefined) return before;
  const type = Bun.file(`x.${extension}`).type.split(";")[0] ?? UNKNOWN;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(extension, type);
  return type;
}

/** Returns the media type of a file name, `application/octet-stream` if unknown. */
export function typeOfName(name: string): string {
  const extension = extensionOf(name);
  if (extension === "") return UNKNOWN;
  return own.get(extension) ?? general(extension);
}

const SHAPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/;

/** Returns a media type without its parameters and in lower case; undefined if it is invalid. */
export function plainType(text: string | null | undefined): string | undefined {
  const type = text?.split(";")[0]?.trim().toLowerCase();
  return type && SHAPE.test(type) ? type : undefined;
}

/** Returns the media type of a file: its name decides, else the type that the client sent. */
export function typeOf(name: string, said: string | null | undefined): string {
  const named = typeOfName(name);
  return named === UNKNOWN ? (plainType(said) ?? named) : named;
}

/** The Content-Type of a stored file. Texts are nearly always UTF-8; without a word a browser would take them for older. */
export const servedType = (type: string): string => (type.startsWith("text/") ? `${type}; charset=utf-8` : type);

/**
 * A Content-Disposition header for a file name in any language: a plain ASCII form for old clients and the real name as
 * RFC 8187 says (RFC 6266 section 4.3).
 */
export function disposition(kind: "inline" | "attachment", name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const plain = `${kind}; filename="${ascii}"`;
  if (ascii === name) return plain;
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${plain}; filename*=UTF-8''${encoded}`;
}

/**
 * What `disposition` wrote, for curl, which saves a file under the name that it takes for bytes as they are, and knows none that is encoded.
 * Anything else stays as it is. What a terminal does not show, or obeys, becomes "_".
 */
export function dispositionForCurl(written: string): string {
  const [, kind, encoded = ""] = /^(inline|attachment); .*; filename\*=UTF-8''(\S+)$/.exec(written) ?? [];
  const name = decoded(encoded);
  if ((kind !== "inline" && kind !== "attachment") || name === undefined || disposition(kind, name) !== written)
    return written;
  // A character of a header is a byte (Latin-1), as which those of UTF-8 are sent.
  const bytes = Buffer.from(name.replace(/[\p{Cc}\p{Cf}"\\]/gu, "_")).toString("latin1");
  return written.replace(/filename="[^"]*"/, () => `filename="${bytes}"`);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
