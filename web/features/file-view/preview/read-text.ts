import { REQUEST_TIMEOUT } from "#contract/limits";
import { ApiFailure } from "../../../api/failure.ts";
import { t } from "../../../i18n/i18n.ts";

/** Marks at the beginning of a text that tell how it is written (Unicode 16, section 23.8). */
const marks = [
  { encoding: "utf-16le", bytes: [0xff, 0xfe] },
  { encoding: "utf-16be", bytes: [0xfe, 0xff] },
] as const;

/** The text that these bytes are: UTF-16 where they begin with its mark, else UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  const marked = marks.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte));
  return new TextDecoder(marked?.encoding ?? "utf-8").decode(bytes);
}

/** Fetches a text file within `patience` milliseconds; throws an ApiFailure. */
export async function readText(url: string, signal: AbortSignal, patience = REQUEST_TIMEOUT): Promise<string> {
  const tooLong = AbortSignal.timeout(patience);
  const response = await fetch(url, { signal: AbortSignal.any([signal, tooLong]) }).catch(() => undefined);
  const bytes = response?.ok ? await response.bytes().catch(() => undefined) : undefined;
  if (bytes) return decodeText(bytes);
  if (tooLong.aborted) throw new ApiFailure({ code: "timeout", status: 0, message: t("shell.failure.timeout") });
  if (response && !response.ok) {
    throw new ApiFailure({ code: "unknown", status: response.status, message: t("file.view.unreadable") });
  }
  throw new ApiFailure({ code: "network", status: 0, message: t("shell.failure.network") });
}
