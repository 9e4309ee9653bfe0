import { archiveFormat } from "./archive/formats.ts";
import { endingOf } from "./file-kinds.ts";
import type { FileType } from "./files.ts";
import {
  MAX_SHOWN_BOOK,
  MAX_SHOWN_DATA,
  MAX_SHOWN_DOCUMENT,
  MAX_SHOWN_PDF,
  MAX_SHOWN_PICTURE,
  MAX_SHOWN_TEXT,
} from "./viewer-limits.ts";

/** What tells how a file can be shown. */
export interface Previewed {
  readonly filename: string;
  readonly mimetype: string;
  readonly typeName: FileType;
  readonly size: number;
}

/** The viewers: each is a row of `viewers.ts` and a folder of web/preview. */
export type ViewerKind =
  | "image"
  | "video"
  | "audio"
  | "text"
  | "markdown"
  | "html"
  | "csv"
  | "json"
  | "pdf"
  | "docx"
  | "sheet"
  | "office"
  | "archive"
  | "epub";

/** `unknown` files may say with their first bytes what they are. */
export type Shown =
  | { readonly as: ViewerKind }
  | { readonly as: "nothing"; readonly why?: "tooLarge" | "unknown" | undefined };

/** The largest file that a viewer takes, in bytes. The others, plain text among them, read no more of a file than they show. */
const most: Partial<Record<ViewerKind, number>> = {
  image: MAX_SHOWN_PICTURE,
  markdown: MAX_SHOWN_TEXT,
  html: MAX_SHOWN_TEXT,
  csv: MAX_SHOWN_DATA,
  json: MAX_SHOWN_DATA,
  pdf: MAX_SHOWN_PDF,
  docx: MAX_SHOWN_DOCUMENT,
  sheet: MAX_SHOWN_DOCUMENT,
  epub: MAX_SHOWN_BOOK,
};

const endings: Readonly<Record<string, ViewerKind>> = {
  ...named("markdown", "md markdown mdown mkd mdwn mdtxt mdtext rmd"),
  ...named("html", "html htm xhtml"),
  ...named("csv", "csv tsv"),
  ...named("json", "json geojson webmanifest ipynb"),
  ...named("docx", "docx docm dotx"),
  ...named("sheet", "xlsx xlsm xlsb xls ods"),
  ...named("pdf", "pdf"),
  ...named("epub", "epub"),
  ...named("archive", "zip jar apk war cbz xpi vsix whl nupkg tar tgz tzst gz"),
};

function named(kind: ViewerKind, list: string): Record<string, ViewerKind> {
  return Object.fromEntries(list.split(" ").map((ending) => [ending, kind]));
}

const media: readonly (readonly [pattern: RegExp, kind: ViewerKind])[] = [
  [/^text\/markdown$/, "markdown"],
  [/^text\/html$|^application\/xhtml\+xml$/, "html"],
  [/^text\/(csv|tab-separated-values)$/, "csv"],
  [/^application\/(.+\+)?json$/, "json"],
  [/^application\/pdf$/, "pdf"],
  [/^application\/epub\+zip$/, "epub"],
  [/^application\/(x-)?zip(-compressed)?$/, "archive"],
  [/^application\/vnd\.openxmlformats-officedocument\.wordprocessingml\./, "docx"],
  [
    /^application\/vnd\.(openxmlformats-officedocument\.spreadsheetml\.|ms-excel|oasis\.opendocument\.spreadsheet)/,
    "sheet",
  ],
  [/^application\/(x-mpegurl|vnd\.apple\.mpegurl)$/, "video"],
  // Text although its first half does not say so.
  [/^(text\/.+|application\/((.+\+)?xml|javascript|yaml|toml|sql|x-sh|x-httpd-php))$/, "text"],
  [/^image\//, "image"],
  [/^video\//, "video"],
  [/^audio\//, "audio"],
];

/** Forms in which a kind of the settings comes; anything else that the settings call so is shown by the kind's own viewer. */
const forms: Partial<Record<FileType, readonly ViewerKind[]>> = {
  text: ["markdown", "html", "csv", "json"],
  office: ["docx", "sheet"],
  document: ["pdf", "docx", "sheet", "epub"],
};

/** How a file is shown: as its kind says, which follows the settings; then as its name and its media type do. */
export function shownAs(file: Previewed): Shown {
  const kind = viewerOf(file);
  if (kind === undefined) return { as: "nothing", why: "unknown" };
  if (file.size <= (most[kind] ?? Number.POSITIVE_INFINITY)) return { as: kind };
  // What is written in lines can be read from its beginning.
  return file.typeName === "text" ? { as: "text" } : { as: "nothing", why: "tooLarge" };
}

function viewerOf({ typeName, mimetype, filename }: Previewed): ViewerKind | undefined {
  const byName = endings[endingOf(filename)] ?? (archiveFormat(filename) && "archive");
  const byMedia = media.find(([pattern]) => pattern.test(mimetype))?.[1];
  if (typeName === "image" || typeName === "video" || typeName === "audio") return typeName;
  const form = [byName, byMedia].find((kind) => kind !== undefined && forms[typeName]?.includes(kind));
  if (typeName === "text") return form ?? "text";
  if (typeName === "office") return form ?? "office";
  return form ?? byName ?? byMedia;
}
