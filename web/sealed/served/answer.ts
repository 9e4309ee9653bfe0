import { SealedFailure } from "../failures.ts";
import { readOpened } from "../read-opened.ts";
import { CHUNK, SEALED_CHUNK } from "../sizes.ts";
import type { OpenedFile } from "./messages.ts";
import { sourceAt } from "./source.ts";

/**
 * What is opened may be anything: a page, a drawing or a script of somebody hostile. It is shown and kept, and never runs as something of ours:
 * a document of it has no origin and may do nothing, and for what a page would take in as its own code there is no answer.
 */
const safety = {
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  // Neither the browser's cache nor any of the app's.
  "cache-control": "no-store",
};

const code: ReadonlySet<string> = new Set([
  ...["script", "style", "worker", "sharedworker", "serviceworker", "audioworklet", "paintworklet"],
  ...["xslt", "manifest", "object", "embed", "font", "json"],
]);

interface Answering {
  readonly file: OpenedFile;
  /** Told when its bytes cannot be opened: what was on its way has broken off. */
  readonly onBroken: (code: SealedFailure["code"]) => void;
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** Answers a request for a file that a page has opened: all of it or a range, to be shown or, with `?download`, to be kept. */
export function answerOpened(request: Request, { file, onBroken, fetch }: Answering): Response {
  if (request.method !== "GET" && request.method !== "HEAD") return refusal(405);
  if (code.has(request.destination)) return refusal(403);
  const { opening, source: url } = file;
  const { size } = opening;
  const range = request.method === "GET" ? rangeIn(request.headers.get("range"), size) : undefined;
  if (range === "unsatisfiable") return refusal(416, { "content-range": `bytes */${size}` });
  const [from, to] = range ?? [0, size];
  const keeps = new URL(request.url).searchParams.has("download");
  const headers = {
    ...safety,
    "content-type": servedType(file.type),
    "content-length": String(to - from),
    "content-disposition": disposition(keeps ? "attachment" : "inline", file.name),
    "accept-ranges": "bytes",
    ...(range && { "content-range": `bytes ${from}-${to - 1}/${size}` }),
  };
  const status = range ? 206 : 200;
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const end = Math.min(opening.sealedSize, opening.payloadStart + Math.ceil(to / CHUNK) * SEALED_CHUNK);
  const source = sourceAt({ url, size: opening.sealedSize, end, ...(fetch && { fetch }) });
  return new Response(telling(readOpened(source, opening, from, to), onBroken), { status, headers });
}

/** Where there is nothing to read. */
export const refusal = (status: number, more: Readonly<Record<string, string>> = {}): Response =>
  new Response(null, { status, headers: { ...safety, ...more } });

/** The same bytes; whoever asked for them learns of a damage by an error, and the page by a message, for no answer can be taken back. */
function telling(bytes: ReadableStream<Uint8Array>, onBroken: Answering["onBroken"]): ReadableStream<Uint8Array> {
  const reader = bytes.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        if (error instanceof SealedFailure) onBroken(error.code);
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** The one range of a header, from the first byte to the one behind the last; undefined means all of it (RFC 9110 section 14.1.2). */
function rangeIn(header: string | null, size: number): readonly [number, number] | "unsatisfiable" | undefined {
  const [, first = "", last = ""] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  if (first === "")
    return Number(last) === 0 || size === 0 ? "unsatisfiable" : [Math.max(0, size - Number(last)), size];
  const from = Number(first);
  const to = last === "" ? size : Math.min(size, Number(last) + 1);
  if (last !== "" && Number(last) < from) return undefined;
  return from < size ? [from, to] : "unsatisfiable";
}

/** A type as a header can carry it. Texts are nearly always UTF-8; without a word a browser would take them for older. */
function servedType(type: string): string {
  const plain = /^[\w.+-]+\/[\w.+-]+/.exec(type)?.[0].toLowerCase() ?? "application/octet-stream";
  return plain.startsWith("text/") ? `${plain}; charset=utf-8` : plain;
}

/** The name of a file for a browser that keeps it (RFC 6266, RFC 8187). */
function disposition(kind: "inline" | "attachment", name: string): string {
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*!]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${name.replace(/[^\x20-\x7e]|["\\%]/g, "_")}"; filename*=UTF-8''${encoded}`;
}
