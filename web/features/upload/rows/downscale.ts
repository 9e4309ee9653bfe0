/** Twice the place that it takes, and something for the sides that are cut off; in pixels. */
const WIDTH = 112;

let last: Promise<unknown> = Promise.resolve();

/**
 * A small copy of a picture; undefined when the browser cannot show it, or nobody wants it any more. One is read after the
 * other: until it is small, a large photo takes a hundred megabytes.
 */
export function downscaled(file: File, signal: AbortSignal): Promise<ImageBitmap | undefined> {
  const read = last.then(() => (signal.aborted ? undefined : decode(file, signal)));
  last = read;
  return read;
}

async function decode(file: File, signal: AbortSignal): Promise<ImageBitmap | undefined> {
  try {
    const picture = await createImageBitmap(file, { resizeWidth: WIDTH, resizeQuality: "medium" });
    if (!signal.aborted) return picture;
    picture.close();
  } catch {
    // The sign for its kind stays.
  }
  return undefined;
}
