import { REQUEST_TIMEOUT } from "#contract/limits";
import { MAX_PIXELS } from "#contract/viewer-limits";
import { t } from "../../i18n/i18n.ts";
import { foreignHost } from "./addresses.ts";

const isTooLarge = ({ naturalWidth, naturalHeight }: HTMLImageElement): boolean =>
  naturalWidth * naturalHeight > MAX_PIXELS;

/**
 * Keeps images within these elements from being drawn until their size is known: a browser unpacks a picture when it draws it, and
 * forty kilobytes may hold more pixels than it has memory for. Of one that is too large a card says so.
 */
export function hold(elements: readonly HTMLElement[]): void {
  for (const element of elements)
    for (const image of element.querySelectorAll("img")) holdImage(image, image.closest<HTMLElement>(".md-zoom"));
}

/** Does so with one image; the card takes the place of `frame` where there is one. */
export function holdImage(image: HTMLImageElement, frame?: HTMLElement | null): void {
  image.style.visibility = "hidden";
  // What is invisible says nothing: a link that has nothing else would have no name.
  const link = image.closest("a");
  if (link?.textContent?.trim() === "") link.setAttribute("aria-label", image.alt);
  const settle = (known: boolean) => {
    if (!known && image.naturalWidth === 0) return;
    observer.disconnect();
    if (isTooLarge(image)) (frame ?? image).replaceWith(cardOf(image));
    else image.style.visibility = "";
    link?.removeAttribute("aria-label");
  };
  // A picture grows to its size as soon as the first bytes have told it, long before the last ones are there.
  const observer = new ResizeObserver(() => settle(false));
  observer.observe(image);
  image.addEventListener("load", () => settle(true));
  image.addEventListener("error", () => settle(true));
  image.addEventListener("error", () => void drawIfLight(image), { once: true });
}

/** An SVG of this server comes to nobody who would draw it unread: it is read here, and drawn when that is little. */
async function drawIfLight(image: HTMLImageElement): Promise<void> {
  const { src } = image;
  if (!src.startsWith(`${location.origin}/`)) return;
  try {
    const { headers } = await fetch(src, { method: "HEAD", signal: AbortSignal.timeout(REQUEST_TIMEOUT) });
    if (!/svg/i.test(headers.get("content-type") ?? "")) return;
    const { readDrawing } = await import("../image/use-drawable.ts");
    const { address, isLight } = await readDrawing(src, AbortSignal.timeout(REQUEST_TIMEOUT));
    if (!isLight) return;
    image.src = address;
    await image.decode();
  } catch {
    // It stays what it is: a picture that did not load.
  }
}

/** Leaves the words of images that are too large in their place, for a page that is to be drawn as a whole. */
export async function withoutTooLarge(root: HTMLElement): Promise<void> {
  const check = async (image: HTMLImageElement) => {
    image.loading = "eager";
    if (!image.complete)
      await new Promise((resolve) => {
        for (const event of ["load", "error"]) image.addEventListener(event, resolve, { once: true });
        setTimeout(resolve, REQUEST_TIMEOUT);
      });
    if (image.complete && image.naturalWidth === 0) await drawIfLight(image);
    if (isTooLarge(image) || !image.complete) image.replaceWith(image.alt);
  };
  await Promise.all([...root.querySelectorAll("img")].map(check));
}

function cardOf(image: HTMLImageElement): HTMLElement {
  const card = document.createElement("span");
  card.className = "md-image";
  card.dataset.said = "";
  const add = <Name extends "span" | "small" | "a">(name: Name, text: string, into: HTMLElement = card) => {
    const made = document.createElement(name);
    made.textContent = text;
    into.append(made);
    return made;
  };
  const { naturalWidth: width, naturalHeight: height, alt, src } = image;
  if (alt) add("span", alt);
  add("small", t("reading.markdown.tooLarge", { width, height }));
  // Where the picture leads somewhere, that link stays the only one.
  if (image.closest("a")) return card;
  const ways = add("span", "");
  // Browsers open no window on what stands in an address itself.
  if (!src.startsWith("data:")) {
    const open = add("a", t("reading.markdown.open"), ways);
    Object.assign(open, { href: src, target: "_blank", rel: "noopener noreferrer" });
  }
  // Browsers open what another site has instead of keeping it, and not in place of the text.
  const isForeign = foreignHost(src, location.origin) !== undefined;
  if (!isForeign) Object.assign(add("a", t("reading.markdown.download"), ways), { href: src, download: "" });
  return card;
}
