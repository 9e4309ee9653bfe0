import libraryAddress from "libheif-js/libheif-wasm/libheif.wasm" with { type: "file" };
import { MAX_SHOWN_PICTURE } from "#contract/viewer-limits";
import { readBytes } from "../file/read-bytes.ts";
import { runWorker } from "../file/run-worker.ts";
import workerAddress from "./heic.worker.ts?worker";

/** Bytes of libheif, which are 1.4 million. */
const MAX_LIBRARY = 4 * 1024 * 1024;

/** What the worker is asked. */
export interface HeicQuestion {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** libheif as WebAssembly: the worker itself reaches nothing. */
  readonly library: Uint8Array<ArrayBuffer>;
}

interface HeicSource {
  readonly url: string;
  readonly signal: AbortSignal;
  /** Told how much of the file has come, in bytes. */
  readonly onRead?: ((bytes: number) => void) | undefined;
  /** Bytes of the file. */
  readonly most?: number;
}

/** A HEIC picture of 64 pixels a side. */
const SAMPLE =
  "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAATptZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAAAAABAAAA" +
  "Imlsb2MAAAAAREAAAQABAAAAAAFeAAEAAAAAAAAAEAAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGh2YzEAAAAAumlwcnAAAACcaXBjbwAAAHJodmND" +
  "AQQIAAAAAAAAAAAAHvAA/Pz4+AAADwMgAAEAF0ABDAH//wQIAAADAJ/4AAADAAAeugJAIQABACZCAQEECAAAAwCf+AAAAwAAHsCCBBZbqSSmubAgAAADACAA" +
  "AAMAISIAAQAHRAHBcrAiQAAAABRpc3BlAAAAAAAAAEAAAABAAAAADnBpeGkAAAAAAQgAAAAWaXBtYQAAAAAAAAABAAEDgQKDAAAAGG1kYXQAAAAMKAGuCTDx" +
  "Kg0oZ3j4";

let drawing: Promise<boolean> | undefined;

/** Whether this browser draws HEIC by itself, as those of Apple do: it is given one to try. */
export function browserDrawsHeic(): Promise<boolean> {
  const tries = new Image();
  tries.src = `data:image/heic;base64,${SAMPLE}`;
  drawing ??= tries.decode().then(
    () => true,
    () => false,
  );
  return drawing;
}

/**
 * Fetches a HEIC picture and decodes it in a worker, to one that every browser draws. Throws an ApiFailure when it cannot be fetched, and a
 * WorkerFailure when it cannot be read.
 */
export async function decodeHeic({ url, signal, onRead, most = MAX_SHOWN_PICTURE }: HeicSource): Promise<Blob> {
  const libraryUrl = new URL(libraryAddress, import.meta.url).href;
  const [bytes, library] = await Promise.all([
    readBytes({ url, signal, most, onRead }),
    readBytes({ url: libraryUrl, signal, most: MAX_LIBRARY }),
  ]);
  const question: HeicQuestion = { bytes, library };
  return await runWorker<Blob>(workerAddress, question, { signal, transfer: [bytes.buffer, library.buffer] });
}
