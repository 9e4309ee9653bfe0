type Bytes = Uint8Array<ArrayBuffer>;

/** Reads an answer from front to back. */
export interface BodyReader {
  /** Puts what comes next into this memory, which is no more the caller's; answers with where it is now, less only where the body ends. */
  fill(memory: Bytes): Promise<Bytes>;
  cancel(): Promise<void>;
}

/** Browsers that write into memory that is there spare the search for new, which is most of what reading costs; not all do. */
export function readBody(body: ReadableStream<Bytes>): BodyReader {
  try {
    const reader = body.getReader({ mode: "byob" });
    return { fill: (memory) => fillFrom(reader, memory), cancel: () => reader.cancel() };
  } catch {
    return copying(body.getReader());
  }
}

async function fillFrom(reader: ReadableStreamBYOBReader, memory: Bytes): Promise<Bytes> {
  const { length } = memory;
  let bytes = memory.subarray(0, 0);
  while (bytes.length < length) {
    const filled = bytes.length;
    const { done, value } = await reader.read(new Uint8Array(bytes.buffer, filled, length - filled));
    if (value === undefined) break;
    bytes = new Uint8Array(value.buffer, 0, filled + value.length);
    if (done) break;
  }
  return bytes;
}

function copying(reader: ReadableStreamDefaultReader<Bytes>): BodyReader {
  /** What has arrived and was not asked for yet. */
  let rest: Bytes = new Uint8Array();
  return {
    async fill(memory) {
      let filled = 0;
      while (filled < memory.length) {
        if (rest.length === 0) {
          const { done, value } = await reader.read();
          if (done) break;
          rest = value;
        }
        const piece = rest.subarray(0, memory.length - filled);
        memory.set(piece, filled);
        filled += piece.length;
        rest = rest.subarray(piece.length);
      }
      return memory.subarray(0, filled);
    },
    cancel: () => reader.cancel(),
  };
}
