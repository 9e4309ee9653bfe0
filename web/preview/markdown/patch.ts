/** What lets through of HTML only what is harmless. */
type Wall = (html: string) => string;

const LINE = / data-line="(\d+)"/g;

interface Block {
  /** As it was rendered. */
  readonly html: string;
  /** That without its lines, which change with each line above it. */
  readonly source: string;
  readonly nodes: readonly ChildNode[];
}

/** What each page shows. */
const pages = new WeakMap<HTMLElement, readonly Block[]>();

/**
 * Shows a page in place of the one before and returns the elements that are new. What is the same at its beginning and its end stays
 * as it is: colours, drawn diagrams, images that were asked for, boxes that were ticked. Only what is new passes the wall, which costs
 * several times what rendering does.
 */
export function patch(root: HTMLElement, blocks: readonly string[], wall: Wall): HTMLElement[] {
  const old = pages.get(root) ?? [];
  const wanted = blocks.map((html) => html.replace(LINE, ""));
  const isSame = (had: Block | undefined, source: string | undefined) =>
    had !== undefined && had.source === source && had.nodes.every(({ parentNode }) => parentNode === root);
  const most = Math.min(blocks.length, old.length);
  let head = 0;
  while (head < most && isSame(old[head], wanted[head])) head += 1;
  let tail = 0;
  while (tail < most - head && isSame(old.at(-1 - tail), wanted.at(-1 - tail))) tail += 1;

  const stay = (had: readonly Block[], html: readonly string[]) =>
    had.map((block, index) => moved(block, html[index] ?? ""));
  const before = stay(old.slice(0, head), blocks);
  const after = stay(old.slice(old.length - tail), blocks.slice(blocks.length - tail));
  const end = after.flatMap(({ nodes }) => nodes)[0] ?? null;
  const start = before.flatMap(({ nodes }) => nodes).at(-1);
  for (let node = start ? start.nextSibling : root.firstChild; node && node !== end; ) {
    const { nextSibling } = node;
    node.remove();
    node = nextSibling;
  }
  const fresh = blocks.slice(head, blocks.length - tail);
  const added = nodesOf(fresh, wall).map((nodes, index) => ({
    html: fresh[index] ?? "",
    source: wanted[head + index] ?? "",
    nodes,
  }));
  const nodes = added.flatMap((block) => block.nodes);
  for (const node of nodes) root.insertBefore(node, end);
  pages.set(root, [...before, ...added, ...after]);
  return nodes.filter((node) => node instanceof HTMLElement);
}

/** What blocks become behind the wall: all in one go, each within an element of its own by which they are told apart. */
function nodesOf(blocks: readonly string[], wall: Wall): (readonly ChildNode[])[] {
  const parsed = document.createElement("template");
  const [only = ""] = blocks;
  parsed.innerHTML = wall(blocks.length === 1 ? only : blocks.map((html) => `<div>${html}</div>`).join(""));
  const { children, childNodes } = parsed.content;
  if (blocks.length === 1) return [[...childNodes]];
  // One that closes what it has not opened has to stand alone.
  if (children.length !== blocks.length) return blocks.flatMap((html) => nodesOf([html], wall));
  return Array.from(children, (element) => [...element.childNodes]);
}

/** A block that stays has moved to other lines. */
function moved(block: Block, html: string): Block {
  if (block.html === html) return block;
  const lines = Array.from(html.matchAll(LINE), ([, line = ""]) => line);
  const marked = block.nodes
    .filter((node) => node instanceof Element)
    .flatMap((node) => [node, ...node.querySelectorAll("[data-line]")])
    .filter((one) => one.hasAttribute("data-line"));
  for (const [index, one] of marked.entries()) one.setAttribute("data-line", lines[index] ?? "");
  return { ...block, html };
}
