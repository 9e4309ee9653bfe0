const LINE = / data-line="\d+"/g;

/** What each piece of a page was made from. */
const sources = new WeakMap<Node, string>();

const sourceOf = (node: Node): string =>
  node instanceof Element ? node.outerHTML.replace(LINE, "") : (node.textContent ?? "");

/**
 * Shows a page in place of the one before and returns the blocks that are new. What is the same at its beginning and its end stays
 * as it is: colours, drawn diagrams, images that were asked for, boxes that were ticked.
 */
export function patch(root: HTMLElement, html: string): HTMLElement[] {
  const parsed = document.createElement("template");
  parsed.innerHTML = html;
  const next = [...parsed.content.childNodes];
  const wanted = next.map(sourceOf);
  const old = [...root.childNodes];
  const had = old.map((node) => sources.get(node));
  const most = Math.min(next.length, old.length);
  let head = 0;
  while (head < most && had[head] === wanted[head]) head += 1;
  let tail = 0;
  while (tail < most - head && had.at(-1 - tail) === wanted.at(-1 - tail)) tail += 1;

  for (const [index, node] of next.entries()) sources.set(node, wanted[index] ?? "");
  const stays = [...old.slice(0, head), ...old.slice(old.length - tail)];
  const like = [...next.slice(0, head), ...next.slice(next.length - tail)];
  for (const [index, node] of stays.entries()) moveLines(node, like[index]);
  for (const node of old.slice(head, old.length - tail)) node.remove();
  const fresh = next.slice(head, next.length - tail);
  const after = old[old.length - tail] ?? null;
  for (const node of fresh) root.insertBefore(node, after);
  return fresh.filter((node) => node instanceof HTMLElement);
}

/** Blocks that stay have moved to other lines. */
function moveLines(block: Node, as: Node | undefined): void {
  const lines = marked(as).map((one) => one.getAttribute("data-line") ?? "");
  for (const [index, one] of marked(block).entries()) one.setAttribute("data-line", lines[index] ?? "");
}

const marked = (node: Node | undefined): Element[] =>
  node instanceof Element
    ? [node, ...node.querySelectorAll("[data-line]")].filter((one) => one.hasAttribute("data-line"))
    : [];
