import { toBlob } from "html-to-image";
import { t } from "../../../i18n/i18n.ts";
import { pathTo } from "../../../lib/base-path.ts";
import { yieldEvery } from "../../../lib/slices.ts";
import { enhance } from "../../../preview/markdown/enhance/enhance.ts";
import { withoutTooLarge } from "../../../preview/markdown/pictures.ts";
import { render } from "../../../preview/markdown/render.ts";
import { show } from "../../../preview/markdown/show.ts";
import { diagramWords, markdownWords } from "../../../preview/markdown/words.ts";

/** Pixels: the column of the exported page, and what browsers draw at most on one side. */
const COLUMN = 760;
const MOST_PIXELS = 16_000;
/** A picture is made this many times as large as it is shown, as far as the browser can. */
const SCALE = 4;

/** Milliseconds after which nobody prints any more. */
const PRINTING = 60_000;

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

/** Renders the whole text where nobody sees it. What it has of other sites waits for a press, and nobody can press it. */
async function renderInto(place: HTMLElement, text: string): Promise<void> {
  place.className = "markdown";
  place.inert = true;
  place.style.cssText = `position:fixed;left:-20000px;top:0;width:${COLUMN}px;box-sizing:border-box`;
  document.body.append(place);
  const turn = yieldEvery();
  for (const _ of show(place, render(text, { words: markdownWords(), origin: location.origin }), {})) await turn();
  await enhance([place], diagramWords(), false);
}

async function withPage<Result>(text: string, use: (page: HTMLElement) => Promise<Result>): Promise<Result> {
  const page = document.createElement("div");
  try {
    await renderInto(page, text);
    return await use(page);
  } finally {
    page.remove();
  }
}

/** Removes what only works in the app. */
function withoutControls(root: HTMLElement): void {
  for (const zoom of root.querySelectorAll("button.md-zoom")) zoom.replaceWith(...zoom.childNodes);
  for (const player of root.querySelectorAll(".md-player")) player.replaceWith(...player.querySelectorAll("a"));
  for (const button of root.querySelectorAll("figure button")) button.remove();
  for (const code of root.querySelectorAll("[data-folded]")) code.removeAttribute("data-folded");
}

/** Leaves the words of images of other sites in their place; answers how many there were. */
function withoutRemote(root: HTMLElement): number {
  const remote = [...root.querySelectorAll<HTMLElement>("button.md-image")];
  for (const button of remote) button.replaceWith(button.dataset.alt ?? "");
  return remote.length;
}

/** Formulas as MathML alone, which needs neither style sheet nor fonts. */
function plainFormulas(root: HTMLElement): void {
  for (const formula of root.querySelectorAll(".katex")) {
    const math = formula.querySelector("math");
    if (math) formula.replaceWith(math);
  }
}

/** The page as it is handed on, in a document of its own that fetches nothing; images of other sites are images there. */
function handedOn(page: HTMLElement): { readonly whole: Document; readonly main: HTMLElement } {
  const whole = document.implementation.createHTMLDocument("");
  const main = whole.createElement("main");
  main.className = "markdown";
  main.innerHTML = page.innerHTML;
  plainFormulas(main);
  withoutControls(main);
  for (const button of main.querySelectorAll<HTMLElement>("button.md-image")) {
    if (button.dataset.media) {
      const link = whole.createElement("a");
      link.textContent = button.dataset.alt || button.dataset.src || "";
      link.setAttribute("href", button.dataset.src ?? "");
      button.replaceWith(link);
      continue;
    }
    const image = whole.createElement("img");
    image.alt = button.dataset.alt ?? "";
    image.setAttribute("src", button.dataset.src ?? "");
    button.replaceWith(image);
  }
  whole.body.append(main);
  return { whole, main };
}

async function dataUrlOf(address: string): Promise<string> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  const blob = await answer.blob();
  return await new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** Pictures of this server go along with the page: their addresses mean nothing on another computer. */
async function inlinePictures(root: HTMLElement): Promise<void> {
  const addressOf = (image: HTMLImageElement) => new URL(image.getAttribute("src") ?? "", location.href);
  const own = [...root.querySelectorAll("img")].filter((image) => addressOf(image).origin === location.origin);
  await Promise.allSettled(own.map(async (image) => image.setAttribute("src", await dataUrlOf(addressOf(image).href))));
}

/** The text as HTML, without anything that only works in the app. */
export const htmlOf = (text: string): Promise<string> => withPage(text, async (page) => handedOn(page).main.innerHTML);

/** The text without its marks. */
export const plainOf = (text: string): Promise<string> =>
  withPage(text, async (page) => {
    plainFormulas(page);
    withoutControls(page);
    withoutRemote(page);
    for (const caption of page.querySelectorAll(".md-code figcaption")) caption.remove();
    // biome-ignore lint/performance/useDomNodeTextContent: paragraphs and items are lines only as they are laid out
    return page.innerText.trim();
  });

/** The text as a Word document; what makes it travels when it is asked for. */
export const wordOf = (text: string): Promise<Blob> =>
  withPage(text, async (page) => {
    const { docxOf } = await import("./word/docx.ts");
    await withoutTooLarge(page);
    withoutControls(page);
    return await docxOf(page);
  });

const titleOf = (text: string): string =>
  /^#{1,6}[ \t]+(\S.*)$/m.exec(text)?.[1]?.trim() ?? t("editing.export.untitled");

/** A page that stands for itself: styles and pictures of this server in it, scripts nowhere and forbidden. */
export const pageOf = (text: string, remote = true): Promise<string> =>
  withPage(text, async (page) => {
    if (!remote) {
      withoutRemote(page);
      await withoutTooLarge(page);
    }
    const { whole, main } = handedOn(page);
    await inlinePictures(main);
    whole.title = titleOf(text);
    const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src ${remote ? "* " : ""}data:; style-src 'unsafe-inline'">`;
    whole.head.insertAdjacentHTML("afterbegin", head);
    const style = whole.createElement("style");
    style.textContent = `${pageStyle()}\n${paper}`;
    whole.head.append(style);
    return `<!doctype html>\n${whole.documentElement.outerHTML}\n`;
  });

/** The fonts of formulas as a style sheet that needs no other file: those that the page uses. */
async function formulaFonts(page: HTMLElement): Promise<string> {
  const parts = [...page.querySelectorAll(".katex-html *")];
  if (parts.length === 0) return "";
  const used = new Set(parts.map((part) => getComputedStyle(part).fontFamily.split(",")[0]?.replaceAll('"', "")));
  const sheet = await (await fetch(pathTo("/assets/katex/katex.min.css"))).text();
  const faces = [...sheet.matchAll(/@font-face\{[^}]*\}/g)].map(([face]) => face);
  const wanted = faces.filter((face) => used.has(/font-family:"?([^;"]+)/.exec(face)?.[1]));
  const whole = await Promise.all(
    wanted.map(async (face) => {
      const file = /url\(([^)]+\.woff2)\)/.exec(face)?.[1];
      const source = file ? await dataUrlOf(pathTo(`/assets/katex/${file}`)) : "";
      return face.replace(/src:[^;}]*/, `src:url(${source}) format("woff2")`);
    }),
  );
  return whole.join("\n");
}

interface Picture {
  readonly blob: Blob | null;
  /** Images of other sites are left out: a canvas that shows them cannot be read (CORS). */
  readonly leftOut: number;
}

/** The rendered text as a picture. */
export const pictureOf = (text: string): Promise<Picture> =>
  withPage(text, async (page) => {
    withoutControls(page);
    const leftOut = withoutRemote(page);
    await withoutTooLarge(page);
    await Promise.allSettled([...page.querySelectorAll("img")].map((image) => image.decode()));
    const height = page.scrollHeight + 64;
    const blob = await toBlob(page, {
      backgroundColor: getComputedStyle(document.documentElement).getPropertyValue("--raised").trim() || "#fff",
      pixelRatio: Math.max(1, Math.min(SCALE, MOST_PIXELS / height)),
      width: COLUMN,
      height,
      style: { position: "static", padding: "32px 24px" },
      fontEmbedCSS: await formulaFonts(page),
    });
    return { blob, leftOut };
  });

/** Prints the text by itself, in a frame in which nothing can run and which asks nobody for anything. */
export async function print(text: string): Promise<void> {
  const frame = document.createElement("iframe");
  frame.sandbox.add("allow-same-origin", "allow-modals");
  frame.style.cssText = "position:fixed;left:-20000px;width:800px;height:600px";
  frame.srcdoc = await pageOf(text, false);
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
  document.body.append(frame);
  await loaded;
  frame.contentWindow?.print();
  // Some browsers are still printing when this returns, and no listener may run in a frame without scripts.
  setTimeout(() => frame.remove(), PRINTING);
}
