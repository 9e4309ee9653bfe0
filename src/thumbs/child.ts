import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setPriority } from "node:os";
import { rgbaToThumbHash } from "thumbhash";
import type { PictureFacts } from "#contract/files";
import { coefficientBytes } from "./jpeg.ts";
import { pixelsOf } from "./pixels.ts";

/** A picture to make small, as file names. */
export interface Work {
  readonly source: string;
  readonly target: string;
  /** Pixels; the thumbnail is at most twice as high. */
  readonly width: number;
  /** Formats that are decoded, by their names in Bun. */
  readonly formats: readonly string[];
  /** Pixels that the picture may have. */
  readonly maxPixels: number;
  /** From 1 to 100; that of thumbnails unless said. */
  readonly quality?: number | undefined;
}

/** What became of it; `failed` says nothing of the picture. */
export type Outcome = PictureFacts | "tooLarge" | "unreadable" | "failed";

const QUALITY = 76;
/** Pixels of a side, as many as JPEG and GIF can say: a PNG of one endless row or column takes twice the memory of any other of its pixels. */
const MAX_SIDE = 65_535;
/** Bytes of a JPEG that its decoder holds before it draws a row: as much as the largest PNG takes, and 100 megapixels as cameras write them. */
const MAX_COEFFICIENT_BYTES = 400_000_000;
/** Pixels of the longer side from which a hash is made; it has room for seven waves. */
const HASHED = 32;

/** Decodes a picture, turned as its camera says, and writes it as WebP that is no larger than asked. */
async function makeThumbnail(work: Work): Promise<Outcome> {
  const { source, target, width, formats, maxPixels, quality = QUALITY } = work;
  try {
    const bytes = await readFile(source);
    const picture = new Bun.Image(bytes, { maxPixels });
    const { format, width: across, height } = await picture.metadata();
    if (!formats.includes(format)) return "unreadable";
    if (across * height > maxPixels || Math.max(across, height) > MAX_SIDE) return "tooLarge";
    if (format === "jpeg" && coefficientBytes(bytes) > MAX_COEFFICIENT_BYTES) return "tooLarge";
    const small = picture.resize(width, 2 * width, { fit: "inside", withoutEnlargement: true });
    const made = await small.webp({ quality }).bytes();
    writeFileSync(target, made, { mode: 0o600 });
    return { width: across, height, hash: await hashOf(made) };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ERR_IMAGE_TOO_MANY_PIXELS") return "tooLarge";
    return code.startsWith("ERR_IMAGE_") ? "unreadable" : "failed";
  }
}

/** The ThumbHash of a picture, in base64. */
async function hashOf(picture: Uint8Array): Promise<string> {
  const tiny = new Bun.Image(picture).resize(HASHED, HASHED, { fit: "inside", withoutEnlargement: true });
  const { width, height, rgba } = pixelsOf(await tiny.png().bytes());
  return Buffer.from(rgbaToThumbHash(width, height, rgba)).toString("base64");
}

/** Makes thumbnails for the process that started this one, one after the other, until that ends. */
export function serveThumbnails(): void {
  yieldToOthers();
  process.on("disconnect", () => process.exit(0));
  process.on("message", (work: Work) => void makeThumbnail(work).then((outcome) => process.send?.(outcome)));
}

/** Requests come first; and a system without memory ends this process and not the server. */
function yieldToOthers(): void {
  try {
    setPriority(10);
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Where a system has neither, thumbnails are made as well.
  }
}
