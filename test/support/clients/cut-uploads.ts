import { createHash } from "node:crypto";
import { connect } from "node:net";
import { metadataOf } from "./tus.ts";

/** A server, and who sends. */
export interface Sender {
  /** Without a slash at the end. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The same numbers for the same seed, below 1. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const TUS = { "tus-resumable": "1.0.0" };
export const PATCH_TYPE = "application/offset+octet-stream";

/** The address of an upload that becomes the share of this slug. */
export async function beginUpload(
  { address, headers }: Sender,
  size: number | undefined,
  slug?: string,
): Promise<string> {
  const length: Record<string, string> =
    size === undefined ? { "upload-defer-length": "1" } : { "upload-length": `${size}` };
  const metadata = { "upload-metadata": metadataOf({ filename: "cut.bin", ...(slug && { slug }) }) };
  const response = await fetch(`${address}/api/tus`, {
    method: "POST",
    headers: { ...TUS, ...headers, ...length, ...metadata },
  });
  if (response.status !== 201) throw new Error(`POST: ${response.status} ${await response.text()}`);
  return response.headers.get("location") ?? "";
}

export async function extentOf({ headers }: Sender, upload: string) {
  const response = await fetch(upload, { method: "HEAD", headers: { ...TUS, ...headers } });
  if (response.status !== 200) throw new Error(`HEAD: ${response.status}`);
  return { offset: Number(response.headers.get("upload-offset")), page: response.headers.get("x-share-url") };
}

export const append = (
  { headers }: Sender,
  upload: string,
  offset: number,
  body: Uint8Array<ArrayBuffer>,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(upload, {
    method: "PATCH",
    headers: { ...TUS, ...headers, "content-type": PATCH_TYPE, "upload-offset": `${offset}`, ...more },
    body,
  });

/** Begins a PATCH that announces all of a body, and sends so many bytes of it; the connection stays until it is ended. */
export async function startAppend({ headers }: Sender, upload: string, offset: number, body: Uint8Array, sent: number) {
  const { hostname, port, pathname, host } = new URL(upload);
  const socket = connect(Number(port), hostname);
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => undefined);
  let answer = "";
  socket.on("data", (bytes) => {
    answer += bytes.toString("latin1");
  });
  const lines = Object.entries({
    host,
    ...TUS,
    ...headers,
    "content-type": PATCH_TYPE,
    "upload-offset": `${offset}`,
    "content-length": `${body.length}`,
  }).map(([name, value]) => `${name}: ${value}`);
  socket.write(`PATCH ${pathname} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  await new Promise<void>((resolve) => socket.write(body.subarray(0, sent), () => resolve()));
  return {
    closed,
    answer: () => answer,
    /** Ends the connection after what was sent, or so that some of it may be lost. */
    cut: (how: "after" | "at once") => (how === "after" ? socket.destroySoon() : socket.resetAndDestroy()),
  };
}

interface Cuts {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly cuts: number;
  readonly random: () => number;
  /** Asked by turns. */
  readonly senders: readonly [Sender, ...Sender[]];
}

/** Sends a file whose connection breaks so often, at any byte; answers its page. */
export async function sendWithCuts({ bytes, cuts, random, senders }: Cuts): Promise<string> {
  const turn = (index: number): Sender => senders[index % senders.length] ?? senders[0];
  const path = new URL(await beginUpload(senders[0], bytes.length)).pathname;
  let offset = 0;
  for (let cut = 0; cut < cuts; cut++) {
    const sender = turn(cut);
    const left = bytes.length - offset;
    const most = Math.min(left - 1, Math.ceil((2 * bytes.length) / cuts));
    const count = Math.floor(random() * most);
    const running = await startAppend(sender, sender.address + path, offset, bytes.subarray(offset), count);
    const next = turn(cut + 1);
    const ask = () => extentOf(next, next.address + path);
    // The server ends some of them itself, which hang until somebody asks.
    const hangs = random() < 0.5;
    const asked = hangs ? await ask() : undefined;
    running.cut(random() < 0.7 ? "after" : "at once");
    const now = asked ?? (await ask());
    if (now.offset < offset || now.offset > bytes.length) throw new Error(`${offset} became ${now.offset}.`);
    offset = now.offset;
  }
  return await finishUpload(turn(cuts), path, bytes);
}

/** How often a client tries again that was ended by a request of its own which a server came to late. */
const TRIES = 5;

/** Sends the rest of a file as clients do it, which ask anew after 409; answers its page. */
async function finishUpload(sender: Sender, path: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const upload = sender.address + path;
  for (let tries = 1; ; tries++) {
    const { offset, page } = await extentOf(sender, upload);
    if (page) return page;
    const response = await append(sender, upload, offset, bytes.slice(offset));
    if (response.status === 204) return response.headers.get("x-share-url") ?? "";
    if (response.status !== 409 || tries === TRIES)
      throw new Error(`PATCH: ${response.status} ${await response.text()}`);
  }
}

/** The SHA-256 of the file behind a page. */
export async function sha256At(page: string): Promise<string> {
  const response = await fetch(`${page}?raw`);
  const hash = createHash("sha256");
  for await (const chunk of response.body ?? []) hash.update(chunk);
  return hash.digest("hex");
}
