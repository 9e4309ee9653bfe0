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
