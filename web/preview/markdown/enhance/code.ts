import hljs from "highlight.js/lib/core";
import { yieldEvery } from "../../../lib/slices.ts";
import { linesOf } from "../../text/coloured-lines.ts";
import { languagesFor, loadLanguage } from "./languages.ts";

/** Colouring runs on the page's own thread; a block beyond this many characters stays plain. */
const MAX_CHARACTERS = 60_000;

async function register(name: string): Promise<void> {
  if (hljs.getLanguage(name)) return;
  const grammar = await loadLanguage(name);
  if (grammar) hljs.registerLanguage(name, grammar);
}

/** Colours the code blocks below `root`, loading only the languages they name. */
export async function colourCode(blocks: readonly HTMLElement[]): Promise<void> {
  const turn = yieldEvery();
  for (const block of blocks) {
    await turn();
    const source = block.textContent;
    const names = languagesFor(block.dataset.language ?? "");
    const [own] = names;
    if (!own || source.length > MAX_CHARACTERS) continue;
    await Promise.all(names.map(register));
    if (!block.isConnected) return;
    // highlight.js escapes the source itself and adds nothing but <span class="hljs-...">.
    const { value } = hljs.highlight(source, { language: own, ignoreIllegals: true });
    block.innerHTML = block.closest(".md-numbered") ? numbered(value) : value;
  }
}

/** Lines in elements of their own again, which their numbers stand before. */
const numbered = (html: string): string =>
  `${linesOf(html.replace(/\n$/, ""))
    .map((line) => `<span>${line}</span>`)
    .join("\n")}\n`;
