import { toBlob } from "html-to-image";
import { t } from "../../../i18n/i18n.ts";
import { enhance } from "../../../preview/markdown/enhance/enhance.ts";
import { renderMarkdown } from "../../../preview/markdown/render.ts";
import { diagramWords, markdownWords } from "../../../preview/markdown/words.ts";

/** Pixels: the column of the exported page, and what browsers draw at most on one side. */
const COLUMN = 760;
const MOST_PIXELS = 16_000;
/** A picture is made this many times as large as it is shown, as far as the browser can. */
const SCALE = 4;

/** The tokens that the style of Markdown asks for, as they are on light. */
const paper = `:root{--text:#1c1917;--muted:#57534e;--line:#e7e5e4;--accent:#c2410c;--danger:#b91c1c;--font-mono:ui-monospace,Menlo,Consolas,monospace}
body{margin:0 auto;max-width:${COLUMN}px;padding:32px 24px;background:#fff;color:var(--text);font-family:system-ui,-apple-system,"PingFang SC","Microsoft YaHei","Noto Sans SC",sans-serif}
@media print{body{padding:0}.md-code,.md-table,.md-diagram{break-inside:avoid}}`;

/** The rules of this page's own style sheets that Markdown wears, and its tokens as they are on light. */
function pageStyle(): string {
  const rules = [...document.styleSheets]
    .filter(({ href }) => href === null || href.startsWith(location.origin))
    .flatMap((sheet) => [...sheet.cssRules])
    .flatMap((rule) =>
      "cssRules" in rule && rule.constructor.name === "CSSLayerBlockRule"
        ? [...(rule as CSSGroupingRule).cssRules]
        : [rule],
    );
  const worn = (text: string) => /\.(?:markdown|md-|hljs)/.test(text) || /^:root[^{]*\{[^}]*--code-surface/.test(text);
  return rules
    .map(({ cssText }) => cssText)
    .filter(worn)
    .join("\n");
}

/** What only works in the app. */
function withoutControls(root: HTMLElement): void {
  for (const button of root.querySelectorAll("figure button")) button.remove();
  for (const code of root.querySelectorAll("[data-folded]")) code.removeAttribute("data-folded");
  for (const zoom of root.querySelectorAll("button.md-zoom")) zoom.replaceWith(...zoom.childNodes);
  for (const image of root.querySelectorAll<HTMLElement>("button.md-image")) {
    const shown = document.createElement("img");
    shown.alt = image.dataset.alt ?? "";
    shown.setAttribute("src", image.dataset.src ?? "");
    image.replaceWith(shown);
  }
}

/** Renders the whole text where nobody sees it, in a document that loads nothing by itself. */
async function rendered(text: string): Promise<HTMLElement> {
  const place = document.createElement("div");
  place.className = "markdown";
  place.inert = true;
  place.style.cssText = `position:fixed;left:-20000px;top:0;width:${COLUMN}px;box-sizing:border-box`;
  const origin = location.origin;
  place.innerHTML = renderMarkdown(text, { words: markdownWords(), origin }).html;
  document.body.append(place);
  await enhance([place], diagramWords());
  return place;
}

/** Pictures of this server go along with the page: their addresses mean nothing on another computer. */
async function inlinePictures(root: HTMLElement): Promise<void> {
  const own = [...root.querySelectorAll("img")].filter(({ src }) => src.startsWith(`${location.origin}/`));
  await Promise.allSettled(
    own.map(async (image) => {
      const answer = await fetch(image.src);
      if (answer.ok) image.src = await dataUrlOf(await answer.blob());
    }),
  );
}

const dataUrlOf = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });

/** Formulas as MathML alone, which needs neither style sheet nor fonts. */
function plainFormulas(root: HTMLElement): void {
  for (const formula of root.querySelectorAll(".katex")) {
    const math = formula.querySelector("math");
    if (math) formula.replaceWith(math);
  }
}

async function withPage<Result>(
  text: string,
  use: (page: HTMLElement, leftOut: number) => Promise<Result>,
  keepRemote = true,
) {
  const page = await rendered(text);
  const remote = keepRemote ? [] : [...page.querySelectorAll("button.md-image")];
  for (const image of remote) image.replaceWith(image.querySelector("span")?.textContent ?? "");
  try {
    return await use(page, remote.length);
  } finally {
    page.remove();
  }
}

/** The text as HTML, without anything that only works in the app. */
export const htmlOf = (text: string): Promise<string> =>
  withPage(text, async (page) => {
    plainFormulas(page);
    withoutControls(page);
    return page.innerHTML;
  });

/** The text without its marks. */
export const plainOf = (text: string): Promise<string> =>
  withPage(text, async (page) => {
    plainFormulas(page);
    withoutControls(page);
    for (const caption of page.querySelectorAll(".md-code figcaption")) caption.remove();
    // biome-ignore lint/performance/useDomNodeTextContent: paragraphs and items are lines only as they are laid out
    return page.innerText.trim();
  });

const titleOf = (text: string): string => /^#{1,6}\s+(.+)$/m.exec(text)?.[1]?.trim() ?? t("editing.export.untitled");

/** A page that stands for itself: styles and pictures of this server in it, scripts nowhere and forbidden. */
export const pageOf = (text: string): Promise<string> =>
  withPage(text, async (page) => {
    plainFormulas(page);
    withoutControls(page);
    await inlinePictures(page);
    const whole = document.implementation.createHTMLDocument(titleOf(text));
    const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src * data:; style-src 'unsafe-inline'">`;
    whole.head.insertAdjacentHTML("afterbegin", head);
    const style = whole.createElement("style");
    style.textContent = `${pageStyle()}\n${paper}`;
    whole.head.append(style);
    whole.body.innerHTML = `<main class="markdown">${page.innerHTML}</main>`;
    return `<!doctype html>\n${whole.documentElement.outerHTML}\n`;
  });

interface Picture {
  readonly blob: Blob | null;
  /** Images of other sites are left out: a canvas that shows them cannot be read (CORS). */
  readonly leftOut: number;
}

/** The rendered text as a picture. */
export const pictureOf = (text: string): Promise<Picture> =>
  withPage(
    text,
    async (page, leftOut) => {
      withoutControls(page);
      await Promise.allSettled([...page.querySelectorAll("img")].map((image) => image.decode()));
      const height = page.scrollHeight + 64;
      const blob = await toBlob(page, {
        backgroundColor: getComputedStyle(document.body).getPropertyValue("--raised").trim() || "#fff",
        pixelRatio: Math.max(1, Math.min(SCALE, MOST_PIXELS / height)),
        width: COLUMN,
        height,
        style: { position: "static", padding: "32px 24px" },
        skipFonts: page.querySelector(".katex") === null,
      });
      return { blob, leftOut };
    },
    false,
  );

/** Prints the text by itself, in a frame in which nothing can run. */
export async function print(text: string): Promise<void> {
  const frame = document.createElement("iframe");
  frame.sandbox.add("allow-same-origin", "allow-modals");
  frame.style.cssText = "position:fixed;left:-20000px;width:800px;height:600px";
  frame.srcdoc = await pageOf(text);
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
  document.body.append(frame);
  await loaded;
  frame.contentWindow?.addEventListener("afterprint", () => frame.remove(), { once: true });
  frame.contentWindow?.print();
}
