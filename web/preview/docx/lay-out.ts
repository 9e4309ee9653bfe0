import { renderAsync } from "docx-preview";
import { safeCss } from "../html/safe-css.ts";
import { sanitizePage } from "../html/sanitize-page.ts";

/** What pages lie on, in each theme; their paper is white in both. */
const colours = { light: "#e7e5e2", dark: "#1c1917" } as const;

/** Pages on a desk; on a phone they take the whole width. */
export const deskOf = (theme: keyof typeof colours): string => `
  body { margin: 0; background: ${colours[theme]}; }
  .docx-wrapper { background: ${colours[theme]} !important; padding: 16px !important; }
  .docx-wrapper > section.docx { box-shadow: 0 1px 4px rgb(0 0 0 / 0.2) !important; margin-bottom: 16px !important; max-width: 100%; box-sizing: border-box; }
  img { max-width: 100%; height: auto; }
  @media (max-width: 640px) {
    .docx-wrapper { padding: 0 !important; }
    .docx-wrapper > section.docx { width: auto !important; min-height: 0 !important; padding: 24px 16px !important; }
  }`;

/** A document that `docx.worker.ts` has passed, as HTML that may stand in a SandboxedFrame. Its pictures are within it. */
export async function layOut(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<{ readonly html: string; readonly style: string }> {
  // Out of the page: nothing of it is laid out or loaded here.
  const body = document.createElement("div");
  const style = document.createElement("div");
  await renderAsync(bytes, body, style, {
    useBase64URL: true,
    renderAltChunks: false,
    ignoreLastRenderedPageBreak: false,
  });
  const css = [...style.querySelectorAll("style")].map(({ textContent }) => textContent ?? "").join("\n");
  return { html: sanitizePage(body.innerHTML), style: safeCss(css).replaceAll("</", "") };
}
