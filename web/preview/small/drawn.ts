import { endingOf, isShrunk } from "#contract/file-kinds";
import type { FileType } from "#contract/files";
import { MAX_SHOWN_PDF } from "#contract/viewer-limits";

/** How a browser draws a small picture of a file: it decodes a picture, takes a frame of a film, or the first page of a PDF. */
export type DrawnAs = "picture" | "film" | "page";

/** Bytes of a picture that is fetched to be drawn small. Of films and PDFs only parts are fetched. */
export const MAX_DRAWN_PICTURE = 20 * 1024 * 1024;

/** Pictures of which a small one is drawn here: some browsers draw them, and what others have drawn is kept. */
const pictures: ReadonlySet<string> = new Set(["avif", "heic", "heif", "hif", "bmp"]);
const films: ReadonlySet<string> = new Set(["mp4", "m4v", "mov", "webm", "ogv", "mkv"]);

interface Drawable {
  readonly name: string;
  readonly typeName: FileType;
  readonly size?: number | undefined;
}

/** How this browser may draw a file small; undefined for most files, and for pictures that the server makes small. */
export function drawnAs({ name, typeName, size = 0 }: Drawable): DrawnAs | undefined {
  const ending = endingOf(name);
  if (typeName === "image")
    return !isShrunk({ name, size }) && pictures.has(ending) && size <= MAX_DRAWN_PICTURE ? "picture" : undefined;
  if (typeName === "video" && films.has(ending)) return "film";
  return ending === "pdf" && size <= MAX_SHOWN_PDF ? "page" : undefined;
}

/** A file to draw. */
export interface Source {
  readonly as: DrawnAs;
  readonly filename: string;
  readonly mimetype: string;
  /** Bytes. */
  readonly size: number;
  /** Where it is fetched, by ranges too; it lets pages read what they draw. */
  readonly address: string;
}

/** Something to be seen, with its size in pixels. */
export interface Look {
  readonly picture: CanvasImageSource;
  readonly width: number;
  readonly height: number;
  /** Frees what it holds. */
  readonly close: () => void;
}
