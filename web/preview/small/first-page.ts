import { PDFDataRangeTransport } from "pdfjs-dist";
import { openPdf } from "../pdf/open-pdf.ts";
import type { Look, Source } from "./drawn.ts";

/** Bytes that are fetched of a PDF for its first page: its list of objects, the page, and what is on it. */
const MAX_FETCHED = 8 * 1024 * 1024;

/** Draws the first page of a PDF, of which only parts are fetched. Rejects when it is locked or damaged, or needs too much. */
export async function firstPage(source: Source, across: number, signal: AbortSignal): Promise<Look> {
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  const ended = new AbortController();
  signal.addEventListener("abort", () => reject(signal.reason), { signal: ended.signal });
  const from = partsOf(source, AbortSignal.any([signal, ended.signal]), reject);
  const { opened, close } = openPdf({ from, password: undefined });
  try {
    signal.throwIfAborted();
    return await Promise.race([drawn(opened, across), givenUp]);
  } finally {
    ended.abort();
    close();
  }
}

/** Fetches the parts of a file that are asked for, `MAX_FETCHED` bytes of it at most; pdf.js itself asks for all of it first. */
function partsOf({ address, size }: Source, signal: AbortSignal, onFail: (error: unknown) => void) {
  let left = MAX_FETCHED;
  const parts = new PDFDataRangeTransport(size, null);
  const fetchPart = async (begin: number, end: number): Promise<void> => {
    left -= end - begin;
    if (left < 0) throw new Error("This PDF needs too much for its first page.");
    const response = await fetch(address, { signal, headers: { range: `bytes=${begin}-${end - 1}` } });
    if (response.status !== 206) {
      await response.body?.cancel();
      throw new Error(`A part of the PDF answered ${response.status}.`);
    }
    parts.onDataRange(begin, new Uint8Array(await response.arrayBuffer()));
  };
  parts.requestDataRange = (begin, end) => void fetchPart(begin, end).catch(onFail);
  return parts;
}

async function drawn(opened: ReturnType<typeof openPdf>["opened"], across: number): Promise<Look> {
  const page = await (await opened).getPage(1);
  const whole = page.getViewport({ scale: 1 });
  const viewport = page.getViewport({ scale: Math.min(across / whole.width, (2 * across) / whole.height) });
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(viewport.width));
  canvas.height = Math.max(1, Math.round(viewport.height));
  await page.render({ canvas, viewport }).promise;
  return { picture: canvas, width: canvas.width, height: canvas.height, close: () => undefined };
}
