import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { MAX_THUMB_PIXELS } from "#contract/limits";

/** A picture to make small, as file names. */
export interface Work {
  readonly source: string;
  readonly target: string;
  /** Pixels; the thumbnail is at most twice as high. */
  readonly width: number;
}

/** What became of it; `failed` says nothing of the picture. */
export type Outcome = "made" | "tooLarge" | "unreadable" | "failed";

/** What every browser draws is what is decoded: a drawing (SVG) is a program, and other formats are left to the system of a browser. */
const FORMATS: ReadonlySet<string> = new Set(["jpeg", "png", "webp", "gif"]);
const QUALITY = 76;

/** Decodes a picture, turned as its camera says, and writes it as WebP that is no larger than asked. */
async function makeThumbnail({ source, target, width }: Work): Promise<Outcome> {
  try {
    const picture = new Bun.Image(source, { maxPixels: MAX_THUMB_PIXELS });
    const { format, width: across, height } = await picture.metadata();
    if (!FORMATS.has(format)) return "unreadable";
    if (across * height > MAX_THUMB_PIXELS) return "tooLarge";
    const small = picture.resize(width, 2 * width, { fit: "inside", withoutEnlargement: true });
    const bytes = await small.webp({ quality: QUALITY }).bytes();
    writeFileSync(target, bytes, { mode: 0o600 });
    return "made";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ERR_IMAGE_TOO_MANY_PIXELS") return "tooLarge";
    return code.startsWith("ERR_IMAGE_") ? "unreadable" : "failed";
  }
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
