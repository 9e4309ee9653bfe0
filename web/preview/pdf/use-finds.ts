import type { PDFDocumentProxy } from "pdfjs-dist";
import { useCallback, useEffect, useRef, useState } from "react";
import { MAX_PDF_PAGES } from "#contract/viewer-limits";
import { type Dense, dense, findAll } from "./find.ts";

/** Places that are found at most. */
const MAX_FINDS = 5000;
/** Typing goes on; in milliseconds. */
const PAUSE = 250;

/** A place where the query occurs: the page, and which of its places it is. */
interface Find {
  readonly page: number;
  readonly nth: number;
}

/** Searches the text of all pages and shows where it is, in what is drawn and in the page's own order. */
export function useFinds(pdf: PDFDocumentProxy, goTo: (page: number) => void) {
  const texts = useRef(new Map<number, Dense>());
  const layers = useRef(new Map<number, HTMLElement>());
  const [query, setQuery] = useState("");
  const [finds, setFinds] = useState<readonly Find[]>([]);
  const [at, setAt] = useState(0);
  const [busy, setBusy] = useState(false);
  const [drawn, setDrawn] = useState(0);

  useEffect(() => {
    setFinds([]);
    setAt(0);
    setBusy(query.trim() !== "");
    if (query.trim() === "") return;
    const left = new AbortController();
    const timer = setTimeout(() => {
      void search({ pdf, query, texts: texts.current, signal: left.signal, onFinds: setFinds }).finally(() => {
        if (!left.signal.aborted) setBusy(false);
      });
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [pdf, query]);

  const current = finds[at];
  useEffect(() => {
    if (current) goTo(current.page);
  }, [current, goTo]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that was drawn has new places to mark
  useEffect(() => {
    const marked = mark(layers.current, query, current);
    marked?.startContainer.parentElement?.scrollIntoView({ block: "center" });
    return () => void mark(new Map(), "", undefined);
  }, [query, current, drawn]);

  const onText = useCallback((page: number, layer: HTMLElement | undefined) => {
    if (layer) layers.current.set(page, layer);
    else layers.current.delete(page);
    setDrawn((count) => count + 1);
  }, []);
  const step = (by: 1 | -1) => setAt((now) => (finds.length === 0 ? 0 : (now + by + finds.length) % finds.length));
  return { query, setQuery, count: finds.length, at, busy, step, onText };
}

export type Finds = ReturnType<typeof useFinds>;

interface Search {
  readonly pdf: PDFDocumentProxy;
  readonly query: string;
  readonly texts: Map<number, Dense>;
  readonly signal: AbortSignal;
  readonly onFinds: (finds: readonly Find[]) => void;
}

async function search({ pdf, query, texts, signal, onFinds }: Search): Promise<void> {
  let finds: Find[] = [];
  for (let page = 1; page <= Math.min(pdf.numPages, MAX_PDF_PAGES) && finds.length < MAX_FINDS; page += 1) {
    const text = texts.get(page) ?? (await textOf(pdf, page));
    if (signal.aborted) return;
    texts.set(page, text);
    const found = findAll(text, query).map((_, nth) => ({ page, nth }));
    if (found.length === 0) continue;
    finds = [...finds, ...found];
    onFinds(finds);
  }
}

/** The text of a page; none of one that cannot be read. */
async function textOf(pdf: PDFDocumentProxy, number: number): Promise<Dense> {
  try {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    return dense(items.map((item) => ("str" in item ? item.str : "")).join(""));
  } catch {
    return dense("");
  }
}

/** Marks what was found in the pages that are drawn; answers the place that is the current one, where it is among them. */
function mark(layers: ReadonlyMap<number, HTMLElement>, query: string, current: Find | undefined): Range | undefined {
  const all: Range[] = [];
  let active: Range | undefined;
  for (const [page, layer] of layers)
    for (const [nth, range] of rangesIn(layer, query).entries()) {
      if (current?.page === page && current.nth === nth) active = range;
      else all.push(range);
    }
  // Older browsers have no such marks; they still go to the page.
  if (typeof Highlight !== "undefined") {
    CSS.highlights.set("pdf-found", new Highlight(...all));
    CSS.highlights.set("pdf-current", active ? new Highlight(active) : new Highlight());
  }
  return active;
}

function rangesIn(layer: HTMLElement, query: string): Range[] {
  const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT);
  const nodes: { readonly node: Text; readonly from: number }[] = [];
  let source = "";
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    nodes.push({ node: node as Text, from: source.length });
    source += node.nodeValue ?? "";
  }
  const holding = (place: number) => nodes.findLast(({ from }) => from <= place);
  return findAll(dense(source), query).flatMap(([from, to]) => {
    const begin = holding(from);
    const end = holding(to - 1);
    if (!begin || !end) return [];
    const range = document.createRange();
    range.setStart(begin.node, from - begin.from);
    range.setEnd(end.node, to - end.from);
    return [range];
  });
}
