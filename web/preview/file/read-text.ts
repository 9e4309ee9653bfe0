import { REQUEST_TIMEOUT } from "#contract/limits";
import { ApiFailure, isFailure } from "../../api/failure.ts";
import { t } from "../../i18n/i18n.ts";

/** Byte order marks at the beginning of a text (Unicode 16, section 23.8). */
const marks = [
  { encoding: "utf-16le", bytes: [0xff, 0xfe] },
  { encoding: "utf-16be", bytes: [0xfe, 0xff] },
] as const;

/** The text that these bytes are: UTF-16 where they begin with its mark, else UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  const marked = marks.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte));
  return new TextDecoder(marked?.encoding ?? "utf-8").decode(bytes);
}

/** Fetches a text file; throws an ApiFailure, also if no byte arrives for `patience` milliseconds. */
export async function readText(url: string, signal: AbortSignal, patience = REQUEST_TIMEOUT): Promise<string> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), patience);
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), patience);
  };
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, silence.signal]) });
    if (!response.ok) {
      throw new ApiFailure({ code: "unknown", status: response.status, message: t("file.view.unreadable") });
    }
    return decodeText(await bytesOf(response, heard));
  } catch (error) {
    if (isFailure(error)) throw error;
    const code = silence.signal.aborted ? "timeout" : "network";
    throw new ApiFailure({ code, status: 0, message: t(`shell.failure.${code}`) });
  } finally {
    clearTimeout(timer);
  }
}

/** The body of an answer, telling of each piece of it. */
async function bytesOf({ body }: Response, onPiece: () => void): Promise<Uint8Array> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const reader = body?.getReader();
  for (;;) {
    const piece = await reader?.read();
    if (!piece || piece.done) return new Uint8Array(await new Blob(pieces).arrayBuffer());
    onPiece();
    pieces.push(piece.value);
  }
}
