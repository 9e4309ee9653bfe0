import openLibrary from "libheif-js/libheif-wasm/libheif.js";
import { MAX_HEIC_PIXELS } from "#contract/viewer-limits";
import { type WorkerAnswer, WorkerFailure } from "../file/run-worker.ts";
import type { HeicQuestion } from "./heic.ts";
import { isDisplayP3 } from "./profile.ts";

const QUALITY = 0.92;

/** A picture as it is decoded: rows of RGBA, which may be longer than the picture is wide. */
interface Pixels {
  readonly data: Uint8Array;
  readonly stride: number;
  readonly width: number;
  readonly height: number;
}

/** What is called of libheif 1.23, whose own types say `any` of it (its `post.js` is where the names come from). */
interface LibHeif {
  readonly heif_error_code: { readonly heif_error_Ok: unknown };
  readonly heif_colorspace: { readonly heif_colorspace_RGB: unknown };
  readonly heif_chroma: { readonly heif_chroma_interleaved_RGBA: unknown };
  heif_context_alloc(): unknown;
  heif_context_read_from_memory(context: unknown, bytes: Uint8Array): { readonly code: unknown };
  heif_js_context_get_primary_image_handle(context: unknown): { readonly code?: unknown } | undefined;
  heif_image_handle_get_width(handle: unknown): number;
  heif_image_handle_get_height(handle: unknown): number;
  heif_image_handle_has_alpha_channel(handle: unknown): number;
  heif_js_decode_image2(handle: unknown, space: unknown, chroma: unknown): { readonly channels?: readonly Pixels[] };
}

/** Decodes the first picture of a file (ISO 23008-12), turned as the file says. */
function decode({ bytes, library }: HeicQuestion) {
  const heif = openLibrary({ wasmBinary: library, print: ignore, printErr: ignore }) as unknown as LibHeif;
  const context = heif.heif_context_alloc();
  const { code } = heif.heif_context_read_from_memory(context, bytes);
  const handle = heif.heif_js_context_get_primary_image_handle(context);
  if (code !== heif.heif_error_code.heif_error_Ok || !handle || handle.code) throw new WorkerFailure("broken");
  const pixels = heif.heif_image_handle_get_width(handle) * heif.heif_image_handle_get_height(handle);
  if (pixels > MAX_HEIC_PIXELS) throw new WorkerFailure("tooLarge");
  const { heif_colorspace_RGB: rgb } = heif.heif_colorspace;
  const { heif_chroma_interleaved_RGBA: rgba } = heif.heif_chroma;
  const [picture] = heif.heif_js_decode_image2(handle, rgb, rgba).channels ?? [];
  if (!picture || picture.width * picture.height > MAX_HEIC_PIXELS) throw new WorkerFailure("broken");
  return { picture, isTransparent: heif.heif_image_handle_has_alpha_channel(handle) !== 0 };
}

/** libheif writes its complaints about files to the console. */
const ignore = (): void => undefined;

/** The rows one right behind the other. */
function packed({ data, stride, width, height }: Pixels): Uint8ClampedArray<ArrayBuffer> {
  const rows = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y++) rows.set(data.subarray(y * stride, y * stride + width * 4), y * width * 4);
  return rows;
}

/** The picture in a format that every browser draws, with the colours that it has. */
async function convert(question: HeicQuestion): Promise<Blob> {
  const { picture, isTransparent } = decode(question);
  const { width, height } = picture;
  const colorSpace = isDisplayP3(question.bytes) ? "display-p3" : "srgb";
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { colorSpace });
  if (!context) throw new WorkerFailure("broken");
  context.putImageData(new ImageData(packed(picture), width, height, { colorSpace }), 0, 0);
  return await canvas.convertToBlob({ type: isTransparent ? "image/webp" : "image/jpeg", quality: QUALITY });
}

addEventListener("message", async ({ data }: MessageEvent<HeicQuestion>) => {
  const answer: WorkerAnswer<Blob> = await convert(data).then(
    (result) => ({ result }),
    (error: unknown) => ({ failed: error instanceof WorkerFailure ? error.code : "broken" }),
  );
  postMessage(answer);
});
