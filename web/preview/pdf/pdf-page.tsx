import { type PDFDocumentProxy, type PDFPageProxy, RenderingCancelledException, TextLayer } from "pdfjs-dist";
import { type CSSProperties, type RefObject, useEffect, useRef, useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import type { PageSize } from "./page-size.ts";
import { type PageLink, PdfLinks, readLinks } from "./pdf-links.tsx";

/** Pixels of a drawn page at most: beyond it the page is drawn coarser. */
const MAX_CANVAS = 16 * 1024 * 1024;

interface PdfPageProps {
  readonly pdf: PDFDocumentProxy;
  readonly number: number;
  readonly scale: number;
  /** What scrolls. */
  readonly area: RefObject<HTMLElement | null>;
  /** How large it is taken for until it is known. */
  readonly expected: PageSize;
  /** Called with the text that lies over the page, and with undefined when it is gone. */
  readonly onText: (number: number, layer: HTMLElement | undefined) => void;
  readonly onGo: (page: number) => void;
}

/** One page: its picture, over it its text to be marked and found, over that its links. Away from the window it is an empty sheet. */
export function PdfPage({ pdf, number, scale, area, expected, onText, onGo }: PdfPageProps) {
  useLanguage();
  const sheet = useRef<HTMLDivElement>(null);
  const near = useNear(sheet, area);
  const [page, setPage] = useState<PDFPageProxy>();
  const [failed, setFailed] = useState(false);
  const [links, setLinks] = useState<readonly PageLink[]>([]);

  useEffect(() => {
    if (near && !page) pdf.getPage(number).then(setPage, () => setFailed(true));
  }, [near, page, pdf, number]);

  useEffect(() => {
    const element = sheet.current;
    if (!near || !page || !element) return;
    const drawing = draw(page, element, scale);
    drawing.done.then(
      (layer) => onText(number, layer),
      (error: unknown) => {
        if (!(error instanceof RenderingCancelledException)) setFailed(true);
      },
    );
    readLinks(pdf, page, scale).then(setLinks, () => setLinks([]));
    return () => {
      onText(number, undefined);
      drawing.cancel();
    };
  }, [near, page, scale, pdf, number, onText]);

  const { width, height } = page?.getViewport({ scale: 1 }) ?? expected;
  const size = { width: width * scale, height: height * scale, "--total-scale-factor": scale } as CSSProperties;
  return (
    <div data-page={number} style={size} className="relative bg-white shadow-raised">
      <div ref={sheet} className="absolute inset-0" />
      {near && <PdfLinks links={links} onGo={onGo} />}
      {failed && (
        <p role="alert" className="absolute inset-x-0 top-1/3 px-4 text-center text-danger">
          {t("viewer.pdf.pageBroken", { page: number })}
        </p>
      )}
    </div>
  );
}

/** Reports whether it is in sight or a screen away from it. */
function useNear(sheet: RefObject<HTMLElement | null>, area: RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    const element = sheet.current;
    if (!element) return;
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting === true), {
      root: area.current,
      rootMargin: "100% 0px",
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [sheet, area]);
  return near;
}

/** Draws a page into an element, and lays its text over it. */
function draw(page: PDFPageProxy, element: HTMLElement, scale: number) {
  const viewport = page.getViewport({ scale });
  const pixels = viewport.width * viewport.height;
  const density = Math.min(window.devicePixelRatio || 1, 2, Math.sqrt(MAX_CANVAS / pixels));
  const canvas = document.createElement("canvas");
  canvas.width = Math.floor(viewport.width * density);
  canvas.height = Math.floor(viewport.height * density);
  canvas.className = "absolute inset-0 size-full";
  const layer = document.createElement("div");
  layer.className = "pdf-text";
  const rendering = page.render({ canvas, viewport: page.getViewport({ scale: scale * density }) });
  const text = new TextLayer({ textContentSource: page.streamTextContent(), container: layer, viewport });
  // Together, so that no page is seen half.
  const done = rendering.promise.then(async () => {
    element.replaceChildren(canvas, layer);
    await text.render();
    return layer;
  });
  const cancel = () => {
    rendering.cancel();
    text.cancel();
    element.replaceChildren();
    // Frees its pixels at once.
    canvas.width = 0;
    page.cleanup();
  };
  return { done, cancel };
}
