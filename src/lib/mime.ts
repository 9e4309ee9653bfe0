/** Endings that the general table takes for something else, or does not know. */
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
  }),
);

/** What a folder is served as. */
export const FOLDER_TYPE = "application/x-directory";

const UNKNOWN = "application/octet-stream";

/** What comes after the last dot of a file name, in lower case; empty when there is none. */
export const extensionOf = (name: string): string => {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot + 1).toLowerCase();
};

/** The media type that a file name stands for, `application/octet-stream` when it does not tell. */
export function typeOfName(name: string): string {
  const extension = extensionOf(name);
  if (extension === "") return UNKNOWN;
  return own.get(extension) ?? Bun.file(`x.${extension}`).type.split(";")[0] ?? UNKNOWN;
}

const SHAPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/;

/** A media type as somebody sent it, without its parameters and in lower case; undefined when it is none. */
export function plainType(text: string | null | undefined): string | undefined {
  const type = text?.split(";")[0]?.trim().toLowerCase();
  return type && SHAPE.test(type) ? type : undefined;
}

/** What a file is: its name tells best, what the client says counts when the name says nothing. */
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
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return ascii === name ? `${kind}; filename="${ascii}"` : `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
