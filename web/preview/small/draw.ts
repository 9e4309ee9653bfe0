import { MAX_PIXELS, VIEWER_PATIENCE } from "#contract/viewer-limits";
import { readBytes } from "../file/read-bytes.ts";
import { isHeic } from "../image/use-drawable.ts";
import { type DrawnAs, type Look, MAX_DRAWN_PICTURE, type Source } from "./drawn.ts";

/** Files that are drawn at once, in a page that shows hundreds. */
const AT_ONCE = 2;
/** Of how far into a film its frame is: the first ones are often black. */
const INTO_FILM = 0.1;
const QUALITY = 0.8;
const WIDTHS = { small: 320, large: 1280 } as const;

/** A file drawn small; `large` is there of pictures. */
export interface Drawn {
  readonly small: Blob;
  readonly large?: Blob | undefined;
}

const waiting = new Set<() => void>();
let running = 0;

/** Draws a file small, in its turn. Rejects when this browser cannot, when it takes too long, and with the reason of `signal`. */
export async function drawSmall(source: Source, signal: AbortSignal): Promise<Drawn> {
  await turn(signal);
  try {
    return await draw(source, AbortSignal.any([signal, AbortSignal.timeout(VIEWER_PATIENCE)]));
  } finally {
    const [next] = waiting;
    if (next) {
      waiting.delete(next);
      next();
    } else running -= 1;
  }
}

/** Resolves when it is this one's turn, which another one hands on, and rejects when it is given up before. */
async function turn(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (running < AT_ONCE) {
    running += 1;
    return;
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const leave = () => {
    waiting.delete(resolve);
    reject(signal.reason);
  };
  signal.addEventListener("abort", leave);
  waiting.add(resolve);
  await promise.finally(() => signal.removeEventListener("abort", leave));
}

async function draw(source: Source, signal: AbortSignal): Promise<Drawn> {
  const look = await looks[source.as](source, signal);
  try {
    const small = await smaller(look, WIDTHS.small);
    return { small, large: source.as === "picture" ? await smaller(look, WIDTHS.large) : undefined };
  } finally {
    look.close();
  }
}

const looks: Readonly<Record<DrawnAs, (source: Source, signal: AbortSignal) => Promise<Look>>> = {
  picture: pictureOf,
  film: frameOf,
  page: async (source, signal) => await (await import("./first-page.ts")).firstPage(source, WIDTHS.small, signal),
};

/** Decodes a picture outside of the page's thread. Its size is asked first, which decodes nothing. */
async function pictureOf(source: Source, signal: AbortSignal): Promise<Look> {
  const bytes = await drawableOf(source, signal);
  const { width, height } = await sizeOf(bytes, signal);
  const scale = scaleTo(width, height, WIDTHS.large);
  const picture = await createImageBitmap(bytes, {
    resizeWidth: Math.max(1, Math.round(width * scale)),
    resizeHeight: Math.max(1, Math.round(height * scale)),
    resizeQuality: "high",
  });
  return { picture, width: picture.width, height: picture.height, close: () => picture.close() };
}

/** The bytes of a picture that this browser may draw: a HEIC of which it knows nothing is decoded. */
async function drawableOf(source: Source, signal: AbortSignal): Promise<Blob> {
  const { address: url, mimetype } = source;
  if (isHeic(source)) {
    const { browserDrawsHeic, decodeHeic } = await import("../heic/heic.ts");
    if (!(await browserDrawsHeic())) return await decodeHeic({ url, signal, most: MAX_DRAWN_PICTURE });
  }
  return new Blob([await readBytes({ url, signal, most: MAX_DRAWN_PICTURE })], { type: mimetype });
}

async function sizeOf(bytes: Blob, signal: AbortSignal): Promise<{ readonly width: number; readonly height: number }> {
  const picture = new Image();
  const address = URL.createObjectURL(bytes);
  try {
    const loaded = once(picture, "load", signal);
    picture.src = address;
    await loaded;
    const { naturalWidth: width, naturalHeight: height } = picture;
    if (width === 0 || width * height > MAX_PIXELS) throw new Error("This picture is not drawn small.");
    return { width, height };
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** A frame of a film. The browser fetches what it needs to show it: the description of the film, and the part around the frame. */
async function frameOf({ address }: Source, signal: AbortSignal): Promise<Look> {
  const film = document.createElement("video");
  // What is left to play would go on loading.
  const close = () => {
    film.removeAttribute("src");
    film.load();
  };
  film.muted = true;
  film.playsInline = true;
  film.preload = "metadata";
  film.crossOrigin = "anonymous";
  try {
    const known = once(film, "loadedmetadata", signal);
    film.src = address;
    await known;
    const { videoWidth: width, videoHeight: height, duration } = film;
    if (width === 0 || width * height > MAX_PIXELS) throw new Error("There is nothing to see.");
    const there = once(film, "seeked", signal);
    film.currentTime = Number.isFinite(duration) ? duration * INTO_FILM : 0;
    await there;
    return { picture: film, width, height, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Waits for something to happen to an element; rejects when it meets an error, or when it is given up. */
function once(element: HTMLElement, happens: string, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const ended = new AbortController();
  const listening = { signal: ended.signal };
  element.addEventListener(happens, () => resolve(), listening);
  element.addEventListener("error", () => reject(new Error("This browser cannot draw it.")), listening);
  signal.addEventListener("abort", () => reject(signal.reason), listening);
  if (signal.aborted) reject(signal.reason);
  return promise.finally(() => ended.abort());
}

/** What a picture is made smaller by to be no wider than this, and no higher than twice that. */
const scaleTo = (width: number, height: number, most: number): number => Math.min(1, most / width, (2 * most) / height);

/** A picture as a file that the server takes: WebP, or JPEG where a browser does not write that. */
async function smaller({ picture, width, height }: Look, most: number): Promise<Blob> {
  const scale = scaleTo(width, height, most);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext("2d");
  if (!context) throw new Error("There is no room to draw.");
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const written = await encoded(canvas, "image/webp");
  return written.type === "image/webp" ? written : await encoded(canvas, "image/jpeg");
}

function encoded(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  const { promise, resolve, reject } = Promise.withResolvers<Blob>();
  canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("It cannot be encoded."))), type, QUALITY);
  return promise;
}
