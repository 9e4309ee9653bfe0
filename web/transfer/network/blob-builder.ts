/** Bytes that become one Blob: browsers keep Blobs out of the memory of the page, large ones on disk. */
const PIECE = 4 * 1024 * 1024;

/** Makes a builder of a Blob from chunks. The page's own memory holds only the last few of them. */
export function createBlobBuilder() {
  const pieces: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let held = 0;
  const flush = () => {
    pieces.push(new Blob(chunks));
    [chunks, held] = [[], 0];
  };
  return {
    add(chunk: Uint8Array<ArrayBuffer>): void {
      chunks.push(chunk);
      held += chunk.byteLength;
      if (held >= PIECE) flush();
    },
    /** Returns all chunks in order, as parts for `new Blob` or `new File`. */
    pieces(): readonly Blob[] {
      flush();
      return pieces;
    },
  };
}
