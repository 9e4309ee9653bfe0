import {
  getDocument,
  PasswordException,
  PasswordResponses,
  type PDFDataRangeTransport,
  type PDFDocumentProxy,
  PDFWorker,
  VerbosityLevel,
} from "pdfjs-dist";
import workerAddress from "pdfjs-dist/build/pdf.worker.min.mjs?worker";
import { VIEWER_PATIENCE } from "#contract/viewer-limits";
import { pathTo } from "../../lib/base-path.ts";

/** Pixels of one picture in a PDF; larger ones are left out. */
const MAX_PICTURE = 64 * 1024 * 1024;
/** How much is fetched at once, in bytes; of a file of which one page is drawn small, it looks at many places for a little. */
const PIECE = 256 * 1024;
const SMALL_PIECE = 32 * 1024;

/** Where pdf.js finds what it needs for some files; build.ts copies it there. */
const parts = new URL(pathTo("/assets/pdfjs/"), window.location.origin).href;

/** Why a PDF does not open. */
export type PdfProblem = "password" | "wrongPassword" | "late" | "broken";

interface Opening {
  /** Where the file is, or what fetches its parts. */
  readonly from: string | PDFDataRangeTransport;
  readonly password: string | undefined;
}

/**
 * Opens a PDF by pieces in a thread of its own. Scripts in it are not run: pdf.js does that only in a viewer that asks for it. `close` ends
 * the thread, whatever the file has it do.
 */
export function openPdf({ from, password }: Opening) {
  const thread = new Worker(workerAddress, { type: "module" });
  const task = getDocument({
    ...(typeof from === "string" ? { url: from } : { range: from }),
    ...(password !== undefined && { password }),
    worker: PDFWorker.create({ port: thread }),
    cMapUrl: `${parts}cmaps/`,
    standardFontDataUrl: `${parts}standard_fonts/`,
    wasmUrl: `${parts}wasm/`,
    iccUrl: `${parts}iccs/`,
    maxImageSize: MAX_PICTURE,
    rangeChunkSize: typeof from === "string" ? PIECE : SMALL_PIECE,
    disableAutoFetch: true,
    disableStream: true,
    enableXfa: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  const { promise, resolve, reject } = Promise.withResolvers<PDFDocumentProxy>();
  let timer: Timer | undefined;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => reject(new PdfFailure("late")), VIEWER_PATIENCE);
  };
  wait();
  task.onProgress = wait;
  task.promise.then(resolve, (error: unknown) => reject(new PdfFailure(problemOf(error))));
  const opened = promise.finally(() => clearTimeout(timer));
  return { opened, close: () => thread.terminate() };
}

export class PdfFailure extends Error {
  readonly problem: PdfProblem;
  constructor(problem: PdfProblem) {
    super(problem);
    this.problem = problem;
  }
}

function problemOf(error: unknown): PdfProblem {
  if (!(error instanceof PasswordException)) return "broken";
  return error.code === PasswordResponses.INCORRECT_PASSWORD ? "wrongPassword" : "password";
}
