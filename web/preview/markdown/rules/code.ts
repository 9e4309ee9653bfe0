import type MarkdownIt from "markdown-it";
import type { MarkdownWords } from "../word-shapes.ts";
import { lineOf } from "./line.ts";

/** Code with more lines than this starts folded. */
const FOLD_LINES = 30;

/** Lines beyond this have no numbers: each needs an element of its own. */
const MOST_NUMBERED = 5000;

/** What a block is when it is drawn, if a browser can draw it. */
function frameFor(language: string, code: string): "html" | "svg" | undefined {
  if (/^(?:html?|xhtml)$/.test(language)) return "html";
  return language === "svg" || (language === "xml" && /^\s*<svg[\s>]/.test(code)) ? "svg" : undefined;
}

/** Blocks that mermaid draws: as its own, and as flowcharts without the line that says so. */
function diagramOf(language: string, code: string): string | undefined {
  if (language === "mermaid") return code;
  if (language !== "flowchart" && language !== "flow") return undefined;
  if (/^\s*(?:flowchart|graph)\b/m.test(code)) return code;
  // What flowchart.js writes is another language, which stays code.
  return code.includes("=>") ? undefined : `flowchart TD\n${code}`;
}

/** Code blocks get their language, line numbers, a line count, a copy button and, when long, a fold; blocks of diagrams wait for those. */
export function codeRules(md: MarkdownIt, words: MarkdownWords): void {
  const block = (code: string, language: string, line: string): string => {
    const safe = md.utils.escapeHtml;
    const diagram = diagramOf(language, code);
    if (diagram !== undefined) return `<figure class="md-diagram"${line}><pre>${safe(diagram)}</pre></figure>`;
    const written = code.replace(/\n$/, "").split("\n");
    const lines = written.length;
    const long = lines > FOLD_LINES;
    const numbered = lines > 1 && lines <= MOST_NUMBERED;
    const name = safe(language);
    const shown = frameFor(language.toLowerCase(), code);
    return (
      `<figure class="md-code"${line}${long ? ` data-folded="1"` : ""}>` +
      `<figcaption><span>${name || safe(words.code)}</span><small>${safe(words.lines(lines))}</small>` +
      `${shown ? `<button type="button" data-act="${shown}">${safe(words.preview)}</button>` : ""}` +
      `<button type="button" data-act="copy">${safe(words.copy)}</button></figcaption>` +
      `<pre tabindex="0"${numbered ? ` class="md-numbered"` : ""}><code${name ? ` data-language="${name}"` : ""}>` +
      `${numbered ? `${written.map((line) => `<span>${safe(line)}</span>`).join("\n")}\n` : safe(code)}</code></pre>` +
      `${long ? `<button type="button" class="md-fold" data-act="fold" aria-expanded="false">${safe(words.unfold)}</button>` : ""}</figure>\n`
    );
  };
  md.renderer.rules.fence = (tokens, index) => {
    const token = tokens[index];
    return block(token?.content ?? "", token?.info.trim().split(/\s+/)[0]?.slice(0, 30) ?? "", lineOf(token));
  };
  md.renderer.rules.code_block = (tokens, index) => block(tokens[index]?.content ?? "", "", lineOf(tokens[index]));
}
