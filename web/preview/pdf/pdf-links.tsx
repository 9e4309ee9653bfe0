import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist";
import { t, useLanguage } from "../../i18n/i18n.ts";

/** A link of a page: to the web, or to another page. */
export interface PageLink {
  readonly at: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
  readonly url?: string;
  readonly page?: number;
}

/** Links of one page that are made at most. */
const MAX_LINKS = 300;

/** What pdf.js tells of an annotation, as far as links are concerned. */
interface Annotation {
  readonly subtype?: string;
  readonly rect?: readonly number[];
  readonly url?: string;
  readonly dest?: unknown;
}

/** The links of a page, as the page lies at this scale. Only what a browser may follow, and nothing that runs. */
export async function readLinks(pdf: PDFDocumentProxy, page: PDFPageProxy, scale: number): Promise<PageLink[]> {
  const annotations = (await page.getAnnotations({ intent: "display" })) as readonly Annotation[];
  const viewport = page.getViewport({ scale });
  const links = annotations.filter(({ subtype, rect }) => subtype === "Link" && rect?.length === 4).slice(0, MAX_LINKS);
  return await Promise.all(
    links.map(async ({ rect = [], url, dest }) => {
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = rectangleIn(viewport.transform, rect);
      const at = { left: Math.min(x1, x2), top: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) };
      if (url && /^(https?|mailto):/i.test(url)) return { at, url };
      const target = await pageOf(pdf, dest);
      return target === undefined ? { at } : { at, page: target };
    }),
  );
}

/** A rectangle of a page as it lies in the window (ISO 32000 section 8.3.3). */
function rectangleIn(
  [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: readonly number[],
  [x1 = 0, y1 = 0, x2 = 0, y2 = 0]: readonly number[],
) {
  return [a * x1 + c * y1 + e, b * x1 + d * y1 + f, a * x2 + c * y2 + e, b * x2 + d * y2 + f];
}

/** The number of the page that a destination names. */
async function pageOf(pdf: PDFDocumentProxy, dest: unknown): Promise<number | undefined> {
  try {
    const named = typeof dest === "string" ? await pdf.getDestination(dest) : dest;
    const [reference] = Array.isArray(named) ? named : [];
    return reference ? (await pdf.getPageIndex(reference)) + 1 : undefined;
  } catch {
    // It names a page that is not there.
    return undefined;
  }
}

interface PdfLinksProps {
  readonly links: readonly PageLink[];
  readonly onGo: (page: number) => void;
}

/** The links, where they are on the page. */
export function PdfLinks({ links, onGo }: PdfLinksProps) {
  useLanguage();
  return links.map((link) => (
    <PdfLink key={`${link.at.left} ${link.at.top} ${link.url ?? link.page}`} {...link} onGo={onGo} />
  ));
}

/** One link, as large as the page says. */
function PdfLink({ at, url, page, onGo }: PageLink & Pick<PdfLinksProps, "onGo">) {
  const looks = { style: at, className: "absolute rounded-sm hover:bg-accent/20" };
  if (url) return <a {...looks} href={url} target="_blank" rel="noopener noreferrer" aria-label={url} title={url} />;
  if (page === undefined) return null;
  const label = t("viewer.pdf.goTo", { page });
  return <button type="button" {...looks} aria-label={label} title={label} onClick={() => onGo(page)} />;
}
