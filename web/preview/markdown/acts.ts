import { t } from "../../i18n/i18n.ts";
import { copyText } from "../../lib/clipboard.ts";

interface ActWords {
  readonly copied: string;
  readonly copy: string;
  readonly fold: string;
  readonly unfold: string;
}

/** The words of the buttons in the language of the moment. */
export const actWords = (): ActWords => ({
  copied: t("reading.markdown.copied"),
  copy: t("reading.markdown.copy"),
  fold: t("reading.markdown.fold"),
  unfold: t("reading.markdown.unfold"),
});

/** How long a copy button says that it has copied, in milliseconds. */
const COPIED = 2000;

/** Does what the button under a click offers: copy or fold a code block, load an image. One listener serves the whole page. */
export function act(event: Event, words: ActWords): void {
  const target = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-act]") : null;
  if (!target) return;
  // A remote image may stand inside a link, which its button must not follow.
  event.preventDefault();
  if (target.dataset.act === "image") loadImage(target);
  if (target.dataset.act === "fold") fold(target, words);
  if (target.dataset.act === "copy") void copyCode(target, words);
}

function loadImage(button: HTMLElement): void {
  const image = document.createElement("img");
  image.referrerPolicy = "no-referrer";
  image.alt = button.dataset.alt ?? "";
  image.src = button.dataset.src ?? "";
  button.replaceWith(image);
}

function fold(button: HTMLElement, words: ActWords): void {
  const figure = button.closest<HTMLElement>(".md-code");
  if (!figure) return;
  const folded = figure.dataset.folded === "1";
  figure.dataset.folded = folded ? "0" : "1";
  button.setAttribute("aria-expanded", String(folded));
  button.textContent = folded ? words.fold : words.unfold;
  if (!folded) figure.scrollIntoView({ block: "nearest" });
}

async function copyCode(button: HTMLElement, words: ActWords): Promise<void> {
  const code = button.closest(".md-code")?.querySelector("code")?.textContent ?? "";
  if (!(await copyText(code))) return;
  button.textContent = words.copied;
  setTimeout(() => {
    button.textContent = words.copy;
  }, COPIED);
}
