import type { WrittenHeading } from "./outline.ts";
import type { Part } from "./parts.ts";
import type { Step } from "./render.ts";
import { sanitize } from "./sanitize.ts";

const LINE = / data-line="(\d+)"/g;

/** Letters of HTML that go into the page together. */
const TOGETHER = 16_000;

/** What each block of a page was made from. */
const sources = new WeakMap<Element, string>();

const sourceOf = (parts: readonly Part[]): string => parts.map(({ html }) => html.replace(LINE, "")).join("");

/** Has blocks made anew in which something was said after they were made (`data-said`): what they were made from does not tell it. */
export function forgetSaid(root: HTMLElement): void {
  for (const said of root.querySelectorAll("[data-said]")) {
    let block: Element = said;
    while (block.parentElement && block.parentElement !== root) block = block.parentElement;
    sources.delete(block);
  }
}

interface RenderListeners {
  /** Called with the headings of the text before anything of it is shown. */
  readonly onHeadings?: ((headings: readonly WrittenHeading[]) => void) | undefined;
  /** Called with the elements that are new, as soon as they are in the page and before they are drawn. */
  readonly onFresh?: (elements: readonly HTMLElement[]) => void;
  /** Called when all of it is there. */
  readonly onWhole?: (() => void) | undefined;
}

/**
 * Shows a page in place of the one before, step by step. What is the same at its beginning and its end stays as it is: colours,
 * drawn diagrams, images that were asked for, boxes that were ticked.
 */
export function* show(
  root: HTMLElement,
  steps: Iterable<Step>,
  { onHeadings, onFresh, onWhole }: RenderListeners,
): Generator<undefined, void> {
  const old = [...root.children];
  const blocks: Part[][] = [];
  const writer = new Writer(root, onFresh);
  for (const step of steps) {
    if (step && "headings" in step) onHeadings?.(step.headings);
    else if (step && old.length === 0) writer.add(step);
    else if (step) (step.within ? (blocks.at(-1) ?? newBlock(blocks)) : newBlock(blocks)).push(step);
    yield;
  }
  if (old.length > 0) yield* replace(old, blocks, writer);
  writer.flush();
  onWhole?.();
}

function newBlock(blocks: Part[][]): Part[] {
  const block: Part[] = [];
  blocks.push(block);
  return block;
}

function* replace(old: readonly Element[], blocks: readonly Part[][], writer: Writer): Generator<undefined, void> {
  const wanted = blocks.map(sourceOf);
  const had = old.map((element) => sources.get(element));
  const most = Math.min(wanted.length, old.length);
  let head = 0;
  while (head < most && had[head] === wanted[head]) head += 1;
  let tail = 0;
  while (tail < most - head && had.at(-1 - tail) === wanted.at(-1 - tail)) tail += 1;

  for (let at = 0; at < head; at++) moveLines(old[at], blocks[at]);
  for (let at = 1; at <= tail; at++) moveLines(old.at(-at), blocks.at(-at));
  for (const element of old.slice(head, old.length - tail)) element.remove();
  writer.before = old[old.length - tail] ?? null;
  for (const part of blocks.slice(head, blocks.length - tail).flat()) {
    writer.add(part);
    yield;
  }
}

/** A block that stays has moved to other lines. */
function moveLines(block: Element | undefined, parts: readonly Part[] = []): void {
  const lines = parts.flatMap(({ html }) => [...html.matchAll(LINE)].map(([, line = ""]) => line));
  const marked = block
    ? [block, ...block.querySelectorAll("[data-line]")].filter((one) => one.hasAttribute("data-line"))
    : [];
  for (const [index, one] of marked.entries()) one.setAttribute("data-line", lines[index] ?? "");
}

/** Writes parts into a page, in one place and in their order. */
class Writer {
  /** What stands behind the place, or null at the end of the page. */
  before: Element | null = null;
  private waiting: Part[] = [];
  private letters = 0;

  constructor(
    readonly root: HTMLElement,
    readonly onFresh: RenderListeners["onFresh"],
  ) {}

  add(part: Part): void {
    if (part.within) this.flush();
    this.waiting.push(part);
    this.letters += part.html.length;
    if (this.letters > TOGETHER) this.flush();
  }

  flush(): void {
    const parts = this.waiting;
    const [first] = parts;
    if (!first) return;
    this.waiting = [];
    this.letters = 0;
    const made = sanitize(first.within + parts.map(({ html }) => html).join(""));
    const last = this.before ? this.before.previousElementSibling : this.root.lastElementChild;
    const fresh: Element[] = [];
    const depth = first.within.match(/<\w/g)?.length ?? 0;
    if (depth > 0 && last && made.firstElementChild) {
      goOn(last, made.firstElementChild, depth - 1, fresh);
      made.firstElementChild.remove();
      sources.set(last, (sources.get(last) ?? "") + sourceOf([first]));
    }
    const blocks = [...made.children];
    const own = parts.filter(({ within }) => !within);
    // Every block is one element; should one not be, it is made anew with the next change.
    if (own.length === blocks.length)
      for (const [index, block] of blocks.entries()) sources.set(block, sourceOf(own.slice(index, index + 1)));
    for (const block of blocks) this.root.insertBefore(block, this.before);
    this.onFresh?.([...fresh, ...blocks].filter((one) => one instanceof HTMLElement));
  }
}

/** Moves what a part brings into the elements that the part before left open, which are the last ones. */
function goOn(into: Element, from: Element, depth: number, fresh: Element[]): void {
  const first = from.firstElementChild;
  if (depth > 0 && first && into.lastElementChild) {
    goOn(into.lastElementChild, first, depth - 1, fresh);
    first.remove();
  }
  fresh.push(...from.children);
  into.append(...from.childNodes);
}
