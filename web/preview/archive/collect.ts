import { MAX_EXTRACTED } from "#contract/viewer-limits";

export class TooLarge extends Error {}

/** Gathers the bytes of a file that is taken out of an archive, MAX_EXTRACTED at most. */
export function createCollector() {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  return {
    /** Throws TooLarge. */
    write(piece: Uint8Array<ArrayBuffer>): void {
      size += piece.length;
      if (size > MAX_EXTRACTED) throw new TooLarge();
      pieces.push(piece);
    },
    size: () => size,
    /** Of a type that no browser adds an ending for, or opens as a page. */
    blob: () => new Blob(pieces, { type: "application/octet-stream" }),
  };
}
