import type { DiagramWords } from "../word-shapes.ts";

/** Adds colours, formulas, diagrams and players to rendered blocks; each library is loaded only when the text has use for it. */
export async function enhance(blocks: readonly HTMLElement[], words: DiagramWords): Promise<void> {
  const all = (selector: string) =>
    blocks.flatMap((block) => [
      ...(block.matches(selector) ? [block] : []),
      ...block.querySelectorAll<HTMLElement>(selector),
    ]);
  const code = all("code[data-language]");
  const math = all(".md-math");
  const diagrams = all(".md-diagram:not([data-drawn])");
  const media = all("a.md-media");
  const work: Promise<unknown>[] = [];
  if (code.length > 0) work.push(import("./code.ts").then((chunk) => chunk.colourCode(code)));
  if (math.length > 0) work.push(import("./math.ts").then((chunk) => chunk.setFormulas(math)));
  if (diagrams.length > 0) {
    work.push(import("./diagrams.ts").then((chunk) => chunk.drawDiagrams(diagrams, words)));
  }
  if (media.length > 0) work.push(import("./media.ts").then((chunk) => chunk.addPlayers(media)));
  // A chunk that cannot be loaded (offline, a new version) leaves its source readable: nothing to report.
  await Promise.allSettled(work);
}
