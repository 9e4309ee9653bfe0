import { partSizeFor } from "#contract/limits";
import { failed } from "../failures.ts";
import { createBlobBuilder } from "../network/blob-builder.ts";
import type { Payload } from "../payload.ts";
import type { Download } from "./download.ts";

interface Facts {
  readonly name: string;
  readonly type: string;
}

interface StreamedFileOptions extends Facts {
  /** Bytes. */
  readonly size: number;
  /** Called with the reason when the download fails: the upload only sees a file that cannot be read. */
  readonly onBroken: (reason: unknown) => void;
}

/**
 * Reads a download to its end into a file. Throws ApiFailure: those of the download, `sourceChanged` if its length is not the
 * expected one, file.tooLarge beyond `most` bytes.
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
 * Makes a file of known size that is uploaded in parts while it is still being downloaded. A part is read when it is sent and
 * released when it has arrived, so that memory holds only the parts that are being sent.
 */
export function streamedFile(download: Download, { name, type, size, onBroken }: StreamedFileOptions): Payload {
  const partSize = partSizeFor(size);
  const pieces = new Map<number, Blob>();
  let chunk: Uint8Array<ArrayBuffer> | undefined;
  let position = 0;
  let reading: Promise<void> = Promise.resolve();

  /** Returns the next bytes, at most `most` of them; undefined at the end. */
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
    // Before the last part is sent, the download must have ended.
    if (position + length === size && (await take(1))) throw failed("sourceChanged");
    pieces.set(position, new Blob(chunks));
    position += length;
  };

  /** Reads up to a part; one that is asked for out of order waits for those before it. */
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
