import { type IOptions, type IPicture, parseBuffer, parseFromTokenizer, selectCover } from "music-metadata";
import { MAX_COVER, MAX_TAGS, MAX_TITLE } from "#contract/viewer-limits";
import { shownName } from "../../lib/shown-name.ts";
import { type PiecedFile, PiecewiseTokenizer } from "./piecewise.ts";

/** What a recording says of itself, as far as it makes sense. */
export interface MusicTags {
  readonly title?: string | undefined;
  readonly artist?: string | undefined;
  readonly album?: string | undefined;
  readonly year?: number | undefined;
  /** A picture of a kind that is no program. */
  readonly cover?: Blob | undefined;
}

/** Letters of a name that are shown. */
const MAX_NAME = 200;

/** What a file has said so far, whatever it is. */
interface Said {
  readonly title?: unknown;
  readonly artist?: unknown;
  readonly album?: unknown;
  readonly year?: unknown;
  readonly picture?: IPicture[] | undefined;
}

/**
 * Reads the tags of a recording (ID3, Vorbis comments, atoms of MP4 and what else the library knows), with its cover or without. Bounded
 * whatever the file says; what was read before it went wrong counts.
 */
export async function readTags(file: PiecedFile, withCover: boolean): Promise<MusicTags> {
  let said: Said = {};
  const options: IOptions = {
    skipCovers: !withCover,
    skipPostHeaders: true,
    observer: ({ metadata }) => {
      said = metadata.common;
    },
  };
  const most = withCover ? MAX_TAGS : MAX_TITLE;
  const first = await readId3(file, most);
  if (first) await parseBuffer(first, { mimeType: "audio/mpeg" }, options).catch(() => undefined);
  // An empty one at the beginning says nothing about the one at the end.
  if (Object.keys(said).length === 0)
    await parseFromTokenizer(new PiecewiseTokenizer(file, most), options).catch(() => undefined);
  return tagsOf(said);
}

/** Bytes of an ID3v2 header (ID3v2.4, 3.1). */
const HEADER = 10;

/**
 * The ID3v2 tag at the beginning of a file; undefined where there is none. Of one that is too large there is the beginning, which says that it is
 * all of it: the cover mostly stands behind the names.
 */
async function readId3(file: PiecedFile, most: number): Promise<Uint8Array | undefined> {
  if (file.size <= HEADER) return undefined;
  const header = await file.read(0, HEADER);
  if (String.fromCharCode(...header.subarray(0, 3)) !== "ID3") return undefined;
  const size = header.subarray(6, HEADER).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
  const bytes = await file.read(0, Math.min(HEADER + size, most, file.size));
  const held = bytes.length - HEADER;
  for (let at = 0; at < 4; at += 1) bytes[HEADER - 1 - at] = (held >> (7 * at)) & 0x7f;
  return bytes;
}

function tagsOf({ title, artist, album, year, picture }: Said): MusicTags {
  return {
    title: textOf(title),
    artist: textOf(artist),
    album: textOf(album),
    year: typeof year === "number" && Number.isInteger(year) && year > 0 && year < 10_000 ? year : undefined,
    cover: coverOf(selectCover(picture)),
  };
}

/** A text without what cannot be seen and what turns the direction of writing; undefined where nothing is left. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = shownName(value.slice(0, 10 * MAX_NAME).toWellFormed())
    .replace(/[\p{Cc}\p{Z}\ufeff]+/gu, " ")
    .trim();
  return text === "" ? undefined : text.slice(0, MAX_NAME).toWellFormed();
}

/** The pictures that a cover may be, by their first bytes (in Latin-1) and not by what the file calls them: an SVG is a program. */
const pictures: readonly (readonly [type: string, at: number, bytes: string])[] = [
  ["image/jpeg", 0, "\xff\xd8\xff"],
  ["image/png", 0, "\x89PNG\r\n\x1a\n"],
  ["image/gif", 0, "GIF8"],
  ["image/webp", 8, "WEBP"],
];

function coverOf(picture: IPicture | null): Blob | undefined {
  const data: unknown = picture?.data;
  if (!(data instanceof Uint8Array) || data.length > MAX_COVER) return undefined;
  const head = String.fromCharCode(...data.subarray(0, 16));
  const type = pictures.find(([, at, bytes]) => head.startsWith(bytes, at))?.[0];
  return type ? new Blob([new Uint8Array(data)], { type }) : undefined;
}
