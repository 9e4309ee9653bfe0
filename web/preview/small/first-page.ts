import { openPdf } from "../pdf/open-pdf.ts";
import type { Look } from "./draw.ts";

/** Bytes that are fetched of a PDF for its first page: its list of objects, the page, and what is on it. */
const MAX_FETCHED = 16 * 1024 * 1024;

/** Draws the first page of a PDF, of which only parts are fetched. Rejects when it is locked or damaged, or needs too much. */
export async function firstPage(address: string, across: number, signal: AbortSignal): Promise<Look> {
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  const give = () => reject(signal.reason);
  signal.addEventListener("abort", give);
  const { opened, close } = openPdf({
    address,
    password: undefined,
    onProgress: (bytes) => bytes > MAX_FETCHED && reject(new Error("This PDF needs too much for its first page.")),
  });
  try {
    signal.throwIfAborted();
    return await Promise.race([drawn(opened, across), givenUp]);
  } finally {
    signal.removeEventListener("abort", give);
    close();
  }
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
