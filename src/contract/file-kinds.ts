import type { FileType } from "./files.ts";
import { MAX_THUMB_SOURCE } from "./limits.ts";

/** What the name and the media type of a file say about it, for server and page alike. */

/** Families of media types; the first that fits counts. */
const byMediaType: readonly (readonly [pattern: RegExp, kind: FileType])[] = [
  [/^text\//, "text"],
  [/^image\//, "image"],
  [/^video\//, "video"],
  [/^audio\//, "audio"],
  [/^application\/pdf$/, "document"],
  [
    /^application\/(msword|rtf|vnd\.(ms-(excel|powerpoint|word)|openxmlformats-officedocument|oasis\.opendocument)\b.*)$/,
    "office",
  ],
];

/** The kind of a file by its media type. */
export const kindOfMedia = (type: string): FileType =>
  byMediaType.find(([pattern]) => pattern.test(type))?.[1] ?? "unknown";

/**
 * What tells a file's kind in its name, in lower case: the text behind the last dot, and where there is none the whole name
 * (Dockerfile, LICENSE).
 */
export const endingOf = (name: string): string => name.slice(name.lastIndexOf(".") + 1).toLowerCase();

/** Pictures that the server makes smaller; a browser draws others as they are. */
const shrunk: ReadonlySet<string> = new Set(["jpg", "jpeg", "jfif", "png", "webp", "gif"]);

interface Named {
  readonly name: string;
  /** Bytes. */
  readonly size?: number | undefined;
}

/** Reports whether the server makes a thumbnail of a file, as far as its name and size say. */
export const isShrunk = ({ name, size = 0 }: Named): boolean => shrunk.has(endingOf(name)) && size <= MAX_THUMB_SOURCE;

const kindShape = /^(\.[^\s/\\*,]+|[a-z0-9*][\w.+-]*\/(\*|[\w.+-]+))$/;

/** Whether a text is an ending like `.pdf`, or a media type like `image/*`, as links ask for files. */
export const isFileKind = (kind: string): boolean => kindShape.test(kind);

/** Whether a file is of one of these kinds, or there are none, by what its name and its sender say: a hint, which anybody can get around. */
export function isOfKinds(kinds: readonly string[], name: string, type: string): boolean {
  const [called, said] = [name.toLowerCase(), type.toLowerCase()];
  const fits = (kind: string) => {
    if (kind.startsWith(".")) return called.endsWith(kind);
    return kind.endsWith("/*") ? said.startsWith(kind.slice(0, -1)) : said === kind;
  };
  return kinds.length === 0 || kinds.some(fits);
}
