import { AbstractTokenizer, EndOfStreamError } from "strtok3/core";
import { MAX_TAG_PIECES } from "#contract/viewer-limits";

/** A file of which pieces are read. */
export interface PiecedFile {
  /** Bytes. */
  readonly size: number;
  /** The bytes from `start` up to, and without, `end`. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** What is read at least with each piece, in bytes: tags are many small fields side by side. */
export const PIECE = 64 * 1024;

/** Thrown where a file would have more of itself read than is allowed. */
class TooMuchRead extends Error {}

type ReadOptions = Parameters<AbstractTokenizer["readBuffer"]>[1];

/** Lets the library that knows tags read a file piece by piece, wherever its fields lead: `most` bytes of it in all, whatever they say. */
export class PiecewiseTokenizer extends AbstractTokenizer {
  override readonly fileInfo: { readonly size: number };
  readonly #file: PiecedFile;
  #left: number;
  #pieces = 0;
  #held = { start: 0, bytes: new Uint8Array() };

  constructor(file: PiecedFile, most: number) {
    super({ maxBufferSize: most });
    this.fileInfo = { size: file.size };
    this.#file = file;
    this.#left = most;
  }

  override supportsRandomAccess(): boolean {
    return true;
  }

  setPosition(position: number): void {
    this.validateLength(position, "position");
    this.position = position;
  }

  override async readBuffer(target: Uint8Array, options?: ReadOptions): Promise<number> {
    const { position } = this.normalizeOptions(target, options);
    const bytes = await this.peekBuffer(target, options);
    this.position = position + bytes;
    return bytes;
  }

  override async peekBuffer(target: Uint8Array, options?: ReadOptions): Promise<number> {
    const { position, length, mayBeLess } = this.normalizeOptions(target, options);
    const end = Math.min(position + length, this.fileInfo.size);
    if (end - position < length && !mayBeLess) throw new EndOfStreamError();
    if (end <= position) return 0;
    target.set(await this.#bytesAt(position, end));
    return end - position;
  }

  async #bytesAt(start: number, end: number): Promise<Uint8Array> {
    const { start: from, bytes } = this.#held;
    if (start < from || end > from + bytes.length) await this.#fetch(start, end);
    return this.#held.bytes.subarray(start - this.#held.start, end - this.#held.start);
  }

  async #fetch(start: number, wanted: number): Promise<void> {
    const end = Math.min(Math.max(wanted, start + PIECE), this.fileInfo.size);
    this.#left -= end - start;
    this.#pieces += 1;
    if (this.#left < 0 || this.#pieces > MAX_TAG_PIECES) throw new TooMuchRead();
    this.#held = { start, bytes: await this.#file.read(start, end) };
  }
}
