import { appUpdate } from "../../../page/app-update.ts";
import type { DiagramWords } from "../word-shapes.ts";

/**
 * Adds colours, formulas, diagrams, emoji and players to rendered blocks; each library is loaded only when the text has use for it. A
 * library that went with an upgrade of the server loads the page anew if it `mayRenew`.
 */
export async function enhance(blocks: readonly HTMLElement[], words: DiagramWords, mayRenew: boolean): Promise<void> {
  const arrival = mayRenew ? appUpdate.arrival : <Part>(load: () => Promise<Part>) => load();
  const all = (selector: string) =>
    blocks.flatMap((block) => [
      ...(block.matches(selector) ? [block] : []),
      ...block.querySelectorAll<HTMLElement>(selector),
    ]);
  const code = all("code[data-language]");
  const math = all(".md-math");
  const diagrams = all(".md-diagram:not([data-drawn])");
  const media = all("a.md-media");
  const emoji = all(".md-emoji");
  const work: Promise<unknown>[] = [];
  if (code.length > 0) work.push(arrival(() => import("./code.ts")).then((chunk) => chunk.colourCode(code)));
  if (math.length > 0) work.push(arrival(() => import("./math.ts")).then((chunk) => chunk.setFormulas(math)));
  if (diagrams.length > 0) {
    work.push(arrival(() => import("./diagrams.ts")).then((chunk) => chunk.drawDiagrams(diagrams, words)));
  }
  if (media.length > 0) work.push(arrival(() => import("./media.ts")).then((chunk) => chunk.addPlayers(media)));
  if (emoji.length > 0) work.push(arrival(() => import("./emoji.ts")).then((chunk) => chunk.showEmoji(emoji)));
  // A chunk that cannot be loaded (offline) leaves its source readable: nothing to report.
  await Promise.allSettled(work);
}
