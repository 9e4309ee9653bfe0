import hljs from "highlight.js/lib/core";
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
  for (const block of blocks) {
    const source = block.textContent;
    const names = languagesFor(block.dataset.language ?? "");
    const [own] = names;
    if (!own || source.length > MAX_CHARACTERS) continue;
    await Promise.all(names.map(register));
    if (!block.isConnected) return;
    // highlight.js escapes the source itself and adds nothing but <span class="hljs-...">.
    block.innerHTML = hljs.highlight(source, { language: own, ignoreIllegals: true }).value;
  }
}
