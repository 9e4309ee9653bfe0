import { partSizeFor } from "#contract/limits";
import { createBlobBuilder } from "./blob-builder.ts";
import type { Download } from "./download.ts";
import { failed } from "./failures.ts";
import type { Payload } from "./payload.ts";

interface Facts {
  readonly name: string;
  readonly type: string;
}

interface Arriving extends Facts {
  /** Bytes. */
  readonly size: number;
  /** Told why the file does not come: who sends it learns only that it cannot be read any more. */
  readonly onBroken: (reason: unknown) => void;
}

/**
 * Reads a download to its end into a file. Throws ApiFailure: those of the download, `sourceChanged` when it is not as long as expected,
 * file.tooLarge beyond `most` bytes.
 */
export async function wholeFile(
  download: Download,
  { name, type, size, most = Number.POSITIVE_INFINITY }: Facts & { size: number | null; most: number | undefined },
): Promise<File> {
  const builder = createBlobBuilder();
  for (let chunk = await download.next(); chunk; chunk = await download.next()) {
    builder.add(chunk);
    if (download.received() > most) throw failed("file.tooLarge");
    if (size !== null && download.received() > size) throw failed("sourceChanged");
  }
  if (size !== null && download.received() !== size) throw failed("sourceChanged");
  return new File([...builder.pieces()], name, { type });
}

/**
 * A file of known size that goes up in parts while it still comes down: a part is read when it is sent, and forgotten when it has arrived,
 * so that no more of the file is held than is on its way.
 */
export function arrivingFile(download: Download, { name, type, size, onBroken }: Arriving): Payload {
  const partSize = partSizeFor(size);
  const pieces = new Map<number, Blob>();
  let chunk: Uint8Array<ArrayBuffer> | undefined;
  let position = 0;
  let reading: Promise<void> = Promise.resolve();

  /** The next bytes, `most` of them at most; undefined at the end. */
  const take = async (most: number): Promise<Uint8Array<ArrayBuffer> | undefined> => {
    chunk ??= await download.next();
    const taken = chunk?.subarray(0, most);
    chunk = chunk && chunk.byteLength > most ? chunk.subarray(most) : undefined;
    return taken;
  };

  const readPiece = async (): Promise<void> => {
    const length = Math.min(partSize, size - position);
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for (let missing = length; missing > 0; ) {
      const taken = await take(missing);
      if (!taken) throw failed("sourceChanged");
      chunks.push(taken);
      missing -= taken.byteLength;
    }
    // The last part is not sent before it is sure that nothing follows it.
    if (position + length === size && (await take(1))) throw failed("sourceChanged");
    pieces.set(position, new Blob(chunks));
    position += length;
  };

  /** Parts that were asked for out of turn wait for those before them. */
  const readTo = async (from: number): Promise<void> => {
    while (position <= from && position < size) await readPiece();
  };

  return {
    name,
    type,
    size,
    lastModified: 0,
    webkitRelativePath: "",
    async slice(from) {
      try {
        reading = reading.then(() => readTo(from));
        await reading;
      } catch (error) {
        onBroken(error);
      }
      const piece = pieces.get(from);
      if (!piece) throw failed("fileUnreadable");
      return piece;
    },
    done: (from) => void pieces.delete(from),
  };
}
