import "./pdf.css";
import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronUp from "lucide-react/icons/chevron-up";
import ZoomIn from "lucide-react/icons/zoom-in";
import ZoomOut from "lucide-react/icons/zoom-out";
import type { PDFDocumentProxy } from "pdfjs-dist";
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { MAX_PDF_PAGES } from "#contract/viewer-limits";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { IconButton } from "../../ui/button.tsx";
import { Frame, Pick, tall } from "../file/frame.tsx";
import { ViewerNote } from "../file/viewer-note.tsx";
import { fitTo, type PageSize, STEP, type Zoom, zoomed, zooms } from "./page-size.ts";
import { PdfPage } from "./pdf-page.tsx";
import { PdfSearch } from "./pdf-search.tsx";
import { useFinds } from "./use-finds.ts";

interface PdfReaderProps {
  readonly pdf: PDFDocumentProxy;
  readonly name: string;
}

/** The pages of a PDF under each other. Those near the window are drawn; keys: + - 0 zoom, Page Up and Down scroll, Ctrl+F searches. */
export function PdfReader({ pdf, name }: PdfReaderProps) {
  const number = new Intl.NumberFormat(useLanguage());
  const area = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const [zoom, setZoom] = useState<Zoom>("width");
  const [current, setCurrent] = useState(1);
  const room = useRoom(area);
  const first = useFirstPage(pdf);
  const pages = Math.min(pdf.numPages, MAX_PDF_PAGES);
  const scale = first && room.width > 0 ? fitTo(zoom, first, room) : undefined;
  const goTo = useCallback((page: number) => {
    area.current?.querySelector(`[data-page="${page}"]`)?.scrollIntoView({ block: "start" });
  }, []);
  const finds = useFinds(pdf, goTo);

  const onKeyDown = (event: KeyboardEvent) => {
    const command = event.ctrlKey || event.metaKey;
    if (event.key === "f" && command) search.current?.focus();
    else if (event.target instanceof HTMLInputElement || command) return;
    else if (event.key === "+" || event.key === "=") setZoom(zoomed(scale, STEP));
    else if (event.key === "-") setZoom(zoomed(scale, 1 / STEP));
    else if (event.key === "0") setZoom("width");
    else return;
    event.preventDefault();
  };

  const tools = <PdfTools {...{ zoom, setZoom, scale, current, pages, goTo, finds, search }} />;

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of everything within
    <div onKeyDown={onKeyDown} className="min-w-0">
      <Frame label={t("file.view.tools")} tools={tools}>
        {pages < pdf.numPages && (
          <ViewerNote>
            {t("viewer.pdf.cut", { pages: number.format(pages), all: number.format(pdf.numPages) })}
          </ViewerNote>
        )}
        <section
          ref={area}
          aria-label={name}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys
          tabIndex={0}
          onScroll={({ currentTarget }) => setCurrent(pageIn(currentTarget))}
          className={`overflow-auto bg-sunken outline-offset-[-2px] ${tall}`}
        >
          <div className="grid w-max min-w-full justify-items-center gap-3 p-3">
            {first &&
              scale !== undefined &&
              Array.from({ length: pages }, (_, index) => (
                <PdfPage
                  // biome-ignore lint/suspicious/noArrayIndexKey: a page is its number
                  key={index}
                  {...{ pdf, scale, area }}
                  number={index + 1}
                  expected={first}
                  onText={finds.onText}
                  onGo={goTo}
                />
              ))}
          </div>
        </section>
      </Frame>
    </div>
  );
}

interface PdfToolsProps {
  readonly zoom: Zoom;
  readonly setZoom: (zoom: Zoom) => void;
  /** Undefined until the first page is there. */
  readonly scale: number | undefined;
  readonly current: number;
  readonly pages: number;
  readonly goTo: (page: number) => void;
  readonly finds: ReturnType<typeof useFinds>;
  readonly search: RefObject<HTMLInputElement | null>;
}

/** Turns pages, zooms and searches. */
function PdfTools({ zoom, setZoom, scale, current, pages, goTo, finds, search }: PdfToolsProps) {
  useLanguage();
  return (
    <>
      <IconButton label={t("viewer.pdf.previous")} disabled={current <= 1} onClick={() => goTo(current - 1)}>
        <ChevronUp aria-hidden />
      </IconButton>
      <IconButton label={t("viewer.pdf.next")} disabled={current >= pages} onClick={() => goTo(current + 1)}>
        <ChevronDown aria-hidden />
      </IconButton>
      <PageNumber current={current} count={pages} onGo={goTo} />
      <span className="mx-1 h-5 w-px bg-line max-sm:hidden" />
      <IconButton
        label={t("viewer.pdf.smaller")}
        className="max-sm:hidden"
        onClick={() => setZoom(zoomed(scale, 1 / STEP))}
      >
        <ZoomOut aria-hidden />
      </IconButton>
      <Pick
        label={t("viewer.pdf.zoom")}
        value={String(zoom)}
        options={zoomOptions(zoom)}
        onPick={(picked) => setZoom(picked === "width" || picked === "page" ? picked : Number(picked))}
      />
      <IconButton label={t("viewer.pdf.larger")} className="max-sm:hidden" onClick={() => setZoom(zoomed(scale, STEP))}>
        <ZoomIn aria-hidden />
      </IconButton>
      <PdfSearch finds={finds} field={search} />
    </>
  );
}

function zoomOptions(zoom: Zoom) {
  const fixed = typeof zoom === "number" && !zooms.includes(zoom) ? [...zooms, zoom].sort((a, b) => a - b) : zooms;
  return [
    { value: "width", label: t("viewer.pdf.fitWidth") },
    { value: "page", label: t("viewer.pdf.fitPage") },
    ...fixed.map((value) => ({ value: String(value), label: `${Math.round(value * 100)}%` })),
  ];
}

/** The page that stands at the upper third of what is seen. */
function pageIn(area: HTMLElement): number {
  const { top, height } = area.getBoundingClientRect();
  const line = top + height / 3;
  const pages = Array.from(area.querySelectorAll("[data-page]"));
  const at = pages.findLast((page) => page.getBoundingClientRect().top <= line);
  return Number(at?.getAttribute("data-page") ?? 1);
}

function useRoom(area: { readonly current: HTMLElement | null }): PageSize {
  const [room, setRoom] = useState<PageSize>({ width: 0, height: 0 });
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const measure = () => setRoom({ width: element.clientWidth - 24, height: element.clientHeight - 24 });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [area]);
  return room;
}

/** The size of the first page: the others are taken for as large until they are near. */
function useFirstPage(pdf: PDFDocumentProxy): PageSize | undefined {
  const [size, setSize] = useState<PageSize>();
  useEffect(() => {
    pdf.getPage(1).then(
      (page) => setSize(page.getViewport({ scale: 1 })),
      // A4, in points: a first page that cannot be read says nothing about the others.
      () => setSize({ width: 595, height: 842 }),
    );
  }, [pdf]);
  return size;
}

interface PageNumberProps {
  readonly current: number;
  readonly count: number;
  readonly onGo: (page: number) => void;
}

function PageNumber({ current, count, onGo }: PageNumberProps) {
  useLanguage();
  const [typed, setTyped] = useState<string>();
  const go = () => {
    const page = Number(typed);
    if (Number.isInteger(page) && page >= 1 && page <= count) onGo(page);
    setTyped(undefined);
  };
  return (
    <span className="flex items-center gap-1.5 text-[13px] text-muted tabular-nums">
      <input
        aria-label={t("viewer.pdf.page")}
        inputMode="numeric"
        value={typed ?? String(current)}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={go}
        onKeyDown={({ key }) => key === "Enter" && go()}
        className="h-8 w-12 rounded-lg border border-line bg-raised px-1 text-center text-text pointer-coarse:h-11"
      />
      / {count}
    </span>
  );
}
