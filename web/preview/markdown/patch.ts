const LINE = / data-line="\d+"/g;

/** What each block of a page was made from. */
const sources = new WeakMap<Element, string>();

/**
 * Shows a page in place of the one before and returns the blocks that are new. What is the same at its beginning and its end stays
 * as it is: colours, drawn diagrams, images that were asked for, boxes that were ticked.
 */
export function patch(root: HTMLElement, html: string): HTMLElement[] {
  const parsed = document.createElement("template");
  parsed.innerHTML = html;
  const next = [...parsed.content.children].filter((child) => child instanceof HTMLElement);
  const old = [...root.children];
  const source = (index: number) => next[index]?.outerHTML.replace(LINE, "");
  const most = Math.min(next.length, old.length);
  const isSame = (was: Element | undefined, index: number) => was !== undefined && sources.get(was) === source(index);
  let head = 0;
  while (head < most && isSame(old[head], head)) head += 1;
  let tail = 0;
  while (tail < most - head && isSame(old[old.length - 1 - tail], next.length - 1 - tail)) tail += 1;

  for (const block of next) sources.set(block, block.outerHTML.replace(LINE, ""));
  const kept = [...next.slice(0, head), ...next.slice(next.length - tail)];
  const stays = [...old.slice(0, head), ...old.slice(old.length - tail)];
  for (const [index, block] of stays.entries()) moveLines(block, kept[index]);
  for (const block of old.slice(head, old.length - tail)) block.remove();
  const fresh = next.slice(head, next.length - tail);
  const after = old[old.length - tail] ?? null;
  for (const block of fresh) root.insertBefore(block, after);
  return fresh;
}

/** Blocks that stay have moved to other lines. */
function moveLines(block: Element, as: Element | undefined): void {
  const marked = (element: Element | undefined) =>
    element ? [element, ...element.querySelectorAll("[data-line]")].filter((one) => one.hasAttribute("data-line")) : [];
  const lines = marked(as).map((one) => one.getAttribute("data-line") ?? "");
  for (const [index, one] of marked(block).entries()) one.setAttribute("data-line", lines[index] ?? "");
}
