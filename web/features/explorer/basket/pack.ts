import { fsBytes } from "#contract/fs/bytes";
import type { Call } from "../../../api/call.ts";
import { ApiFailure, failureText, noAnswer } from "../../../api/failure.ts";
import { fetchableAddress } from "../../../api/share-addresses.ts";
import { i18n, t } from "../../../i18n/i18n.ts";
import { pathTo } from "../../../lib/base-path.ts";
import type { TaskTrouble } from "../tasks/task.ts";
import type { BasketItem } from "./basket.ts";
import { placesOf } from "./plan.ts";

/** What packing in the browser needs of the world. */
interface PackPorts {
  readonly call: Call;
  readonly fetch: (address: string, signal: AbortSignal) => Promise<Response>;
}

interface Packing {
  readonly items: readonly BasketItem[];
  readonly signal: AbortSignal;
  /** Bytes that have just come, and of which file. */
  readonly onMoved: (bytes: number, item: BasketItem) => void;
  /** With why it is not in the archive, where it is not. */
  readonly onFile: (item: BasketItem, leftOut: TaskTrouble | undefined) => void;
}

/** Packs files in the browser; those that could not be fetched are named in a text inside. Throws when the signal aborts. */
export async function packInBrowser(ports: PackPorts, packing: Packing): Promise<Blob> {
  const { downloadZip } = await import("client-zip");
  return await downloadZip(entriesOf(ports, packing)).blob();
}

interface ZipEntry {
  readonly name: string;
  readonly lastModified: Date;
  readonly input: ReadableStream<Uint8Array> | string;
}

async function* entriesOf(ports: PackPorts, { items, signal, onMoved, onFile }: Packing): AsyncGenerator<ZipEntry> {
  const left: TaskTrouble[] = [];
  const now = new Date();
  for (const [item, name] of placesOf(items)) {
    signal.throwIfAborted();
    try {
      const body = await bytesOf(ports, item, signal);
      const counted = body.pipeThrough(counter((bytes) => onMoved(bytes, item)));
      yield { name, lastModified: now, input: counted };
      onFile(item, undefined);
    } catch (error) {
      signal.throwIfAborted();
      const leftOut = { path: item.path, reason: failureText(error) };
      left.push(leftOut);
      onFile(item, leftOut);
    }
  }
  if (left.length > 0) yield { name: nameOfReport(items), lastModified: now, input: reportOf(left) };
}

/** A file of that name may be in the basket itself. */
const nameOfReport = (items: readonly BasketItem[]): string =>
  items.some(({ name }) => name === "failed-files.txt") ? "failed-files (Satchel).txt" : "failed-files.txt";

const reportOf = (left: readonly TaskTrouble[]): string =>
  [t("basket.report"), "", ...left.map(({ path, reason }) => `${path}: ${reason}`), ""].join("\r\n");

async function bytesOf({ call, fetch }: PackPorts, { path }: BasketItem, signal: AbortSignal) {
  const { grant } = (await call(fsBytes.grant, { body: { paths: [path] }, signal })).data;
  const response = await fetch(
    fetchableAddress(pathTo(`/api/fs/download?${new URLSearchParams({ path, grant })}`)),
    signal,
  );
  if (!response.ok || !response.body) throw new Error(t("basket.unreadable", { status: response.status }));
  return response.body;
}

const counter = (onMoved: (bytes: number) => void) =>
  new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      onMoved(chunk.byteLength);
      controller.enqueue(chunk);
    },
  });

interface PackOnServer {
  readonly call: Call;
  readonly items: readonly BasketItem[];
  readonly name: string;
  /** The server answered with a refusal in place of the archive. */
  readonly onRefused: (message: string) => void;
}

/**
 * Has the browser fetch an archive that the server makes, by a form that it submits: the archive goes to its disk while it is
 * made, however long the list. Throws ApiFailure, before anything is submitted, when there is nothing to be had.
 */
export async function packOnServer({ call, items, name, onRefused }: PackOnServer): Promise<void> {
  const paths = items.map(({ path }) => path);
  const { grant } = (await call(fsBytes.grant, { body: { paths } })).data;
  const fields: (readonly [field: string, value: string])[] = [
    ["name", name],
    ...paths.map((path) => ["path", path] as const),
  ];
  const address = fetchableAddress(pathTo(`/api/fs/zip?${new URLSearchParams({ grant })}`));
  await checkArchive(address, fields);
  const form = document.createElement("form");
  form.method = "post";
  form.action = address;
  form.hidden = true;
  // A refusal would take the place of this page otherwise.
  const frame = document.createElement("iframe");
  frame.name = `archive-${crypto.randomUUID()}`;
  frame.hidden = true;
  form.target = frame.name;
  for (const [field, value] of fields) {
    const input = document.createElement("input");
    input.type = "hidden";
    input.name = field;
    input.value = value;
    form.append(input);
  }
  // A download loads nothing into the frame; what comes there is a refusal, which no page may read.
  frame.addEventListener("load", () => frame.contentDocument === null && onRefused(t("shell.failure.unknown")));
  document.body.append(frame, form);
  form.submit();
  form.remove();
  // The browser has taken the download over long before.
  setTimeout(() => frame.remove(), FRAME_LIFE);
}

/** Asks whether the archive is to be had, and takes none of it. Throws ApiFailure, with the server's reason. */
async function checkArchive(address: string, fields: readonly (readonly [string, string])[]): Promise<void> {
  const stop = new AbortController();
  const body = new URLSearchParams(fields.map(([field, value]) => [field, value]));
  const headers = { "accept-language": i18n.language.get() };
  const response = await fetch(address, { method: "POST", body, headers, signal: stop.signal }).catch(() => undefined);
  if (response?.ok) return stop.abort();
  if (!response) throw noAnswer("network");
  throw new ApiFailure({ code: "unknown", status: response.status, message: messageIn(await response.text()) });
}

/** The sentence of a refusal. */
function messageIn(text: string): string {
  try {
    const answer: unknown = JSON.parse(text);
    const message = typeof answer === "object" && answer !== null && "message" in answer ? answer.message : undefined;
    return typeof message === "string" ? message : t("shell.failure.unknown");
  } catch {
    return t("shell.failure.unknown");
  }
}

/** Milliseconds. */
const FRAME_LIFE = 60 * 60_000;
