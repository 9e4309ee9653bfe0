import { closeSync } from "node:fs";
import { canReach, OPEN_FILES } from "./named-folders.ts";

/** Bytes of a file from one offset to another. */
export interface FilePart {
  readonly start: number;
  /** Behind the last byte. */
  readonly end: number;
}

/** A file that is open as long as it has a descriptor here. */
export interface Held {
  file: number | undefined;
}

interface Opened extends FilePart {
  /** Where it was opened. */
  readonly path: string;
  /** Reads the part of what is held, and lets go of it. */
  readonly read: (held: Held) => ReadableStream<Uint8Array>;
}

/** Whether a path leads to what a descriptor has open. */
const hasDescriptors = canReach();

/** How long a file stays open of which nobody has anything left but what is reading it, in milliseconds. */
const LEFT_OPEN = 10_000;

const abandoned = new FinalizationRegistry<Held>((held) => {
  if (held.file !== undefined) setTimeout(() => close(held), LEFT_OPEN).unref();
});

function close(held: Held): void {
  const { file } = held;
  held.file = undefined;
  if (file !== undefined) closeSync(file);
}

/**
 * A part of a file that is open already, to be read or to be sent once: whatever is at its path by then. It is closed when it was read or
 * given up, or is being sent; else when nobody has it any more.
 */
export class OpenFile {
  readonly #held: Held;
  readonly #opened: Opened;

  constructor(file: number, opened: Opened) {
    this.#held = { file };
    this.#opened = opened;
    abandoned.register(this, this.#held, this.#held);
  }

  stream(): ReadableStream<Uint8Array> {
    const stream = this.#opened.read(this.#held);
    abandoned.unregister(this.#held);
    abandoned.register(stream, this.#held);
    return stream;
  }

  /** The file as the system sends it, which opens it anew by its descriptor. */
  blob(): Blob {
    const { path, start, end } = this.#opened;
    return Bun.file(hasDescriptors ? `${OPEN_FILES}/${this.#held.file}` : path).slice(start, end);
  }

  close(): void {
    close(this.#held);
  }
}

/** Bytes that are stored. */
export type StoredBody = Blob | OpenFile | ReadableStream<Uint8Array>;

/** What the bytes of a storage are read from. */
export const bodyStream = (body: StoredBody): ReadableStream<Uint8Array> =>
  body instanceof ReadableStream ? body : body.stream();

/** The same as a body that comes in. */
export const responseOf = (body: StoredBody | undefined): Response =>
  new Response(body instanceof OpenFile ? body.stream() : body);

const sent = new WeakMap<Response, OpenFile>();

/** An answer with a body; an open file is held until the answer is sent. */
export function answerWith(body: StoredBody, init: ResponseInit): Response {
  if (!(body instanceof OpenFile)) return new Response(body, init);
  const response = new Response(body.blob(), init);
  sent.set(response, body);
  return response;
}

/** Called with an answer that the server sends next: Bun opens its file then and there, and needs ours no longer. */
export function sending(response: Response): Response {
  const file = sent.get(response);
  if (file) setImmediate(() => file.close());
  return response;
}
