import { isShrunk } from "#contract/file-kinds";
import { formatBytes } from "#contract/format-bytes";
import type { Language } from "#contract/languages";
import { MAX_FILENAME_CHARACTERS, thumbSize } from "#contract/limits";
import { shownAs } from "#contract/shown-as";
import type { PublicFile } from "../../shares/public-facts.ts";
import { oneLine } from "./head.ts";
import type { Values } from "./template.ts";
import { minuteOf, timesOf } from "./words.ts";

/** The thumbnail that stands in the page and that programs draw which show a link, in pixels across: the one that the app shows. */
export const THUMB_WIDTH = 1280;

/**
 * The places of the page that brings what is known of a file, and its picture (web/features/file-view/served-file.tsx). Undefined where the
 * app shows a file in another place, because nothing can be shown of it.
 */
export function valuesOfFile(file: PublicFile, slug: string, language: Language): Values | undefined {
  const { name, type, typeName, size, remark } = file;
  if (shownAs({ filename: name, mimetype: type, typeName, size }).as === "nothing") return undefined;
  return {
    slug: encodeURIComponent(slug),
    name: Bun.escapeHTML(oneLine(name, MAX_FILENAME_CHARACTERS)),
    remark: remark ? Bun.escapeHTML(remark.toWellFormed()) : undefined,
    size: formatBytes(size, language),
    ...timesOf(file, language),
    // As long as how long ago that is, which takes its place.
    created: minuteOf(file.createdAt),
    ...pictureOf(file),
  };
}

/** Room is kept for a picture whose dimensions are known; any other comes with the app. */
function pictureOf({ name, typeName, size, picture }: PublicFile): Values {
  if (!picture || typeName !== "image" || !isShrunk({ name, size })) return {};
  const { width, height } = thumbSize(picture, THUMB_WIDTH);
  return { picture: "", width: String(width), height: String(height) };
}
