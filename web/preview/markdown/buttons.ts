import { t } from "../../i18n/i18n.ts";
import { copyText } from "../../lib/clipboard.ts";
import { holdImage } from "./pictures.ts";

interface ButtonWords {
  readonly copied: string;
  readonly copy: string;
  readonly fold: string;
  readonly unfold: string;
  readonly enlarge: string;
}

/** The words of the buttons in the language of the moment. */
export const buttonWords = (): ButtonWords => ({
  copied: t("reading.markdown.copied"),
  copy: t("reading.markdown.copy"),
  fold: t("reading.markdown.fold"),
  unfold: t("reading.markdown.unfold"),
  enlarge: t("reading.markdown.enlarge"),
});

/** How long a copy button says that it has copied, in milliseconds. */
const COPIED = 2000;

/** A part of the text that is wanted by itself. */
export type PopOutContent =
  | { readonly kind: "image"; readonly src: string; readonly alt: string }
  | { readonly kind: "html" | "svg"; readonly code: string };

/**
 * Does what the button under a click offers: copy or fold a code block, load an image or a player; what is to be shown by itself is handed to
 * `show`. One listener serves the whole page.
 */
export function pressButton(event: Event, words: ButtonWords, show: (content: PopOutContent) => void): void {
  const target = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-act]") : null;
  if (!target) return;
  // A remote image may stand inside a link, which its button must not follow.
  event.preventDefault();
  const { act: name } = target.dataset;
  if (name === "image") loadImage(target, words);
  if (name === "media") void import("./enhance/media.ts").then(({ play }) => play(target));
  if (name === "fold") fold(target, words);
  if (name === "copy") void copyCode(target, words);
  if (name === "html" || name === "svg") show({ kind: name, code: codeOf(target) });
  const image = name === "enlarge" ? target.querySelector("img") : null;
  if (image) show({ kind: "image", src: image.src, alt: image.alt });
}

const codeOf = (button: HTMLElement): string => button.closest(".md-code")?.querySelector("code")?.textContent ?? "";

function loadImage(button: HTMLElement, { enlarge }: ButtonWords): void {
  const image = document.createElement("img");
  image.referrerPolicy = "no-referrer";
  image.alt = button.dataset.alt ?? "";
  image.src = button.dataset.src ?? "";
  if (button.closest("a")) {
    holdImage(image);
    button.replaceWith(image);
    return;
  }
  const zoom = document.createElement("button");
  Object.assign(zoom, { type: "button", className: "md-zoom", ariaLabel: `${enlarge} ${image.alt}`.trim() });
  zoom.dataset.act = "enlarge";
  zoom.append(image);
  holdImage(image, zoom);
  button.replaceWith(zoom);
  zoom.focus();
}

function fold(button: HTMLElement, words: ButtonWords): void {
  const figure = button.closest<HTMLElement>(".md-code");
  if (!figure) return;
  const folded = figure.dataset.folded === "1";
  figure.dataset.folded = folded ? "0" : "1";
  button.setAttribute("aria-expanded", String(folded));
  button.textContent = folded ? words.fold : words.unfold;
  if (!folded) figure.scrollIntoView({ block: "nearest" });
}

async function copyCode(button: HTMLElement, words: ButtonWords): Promise<void> {
  if (!(await copyText(codeOf(button)))) return;
  button.textContent = words.copied;
  setTimeout(() => {
    button.textContent = words.copy;
  }, COPIED);
}
