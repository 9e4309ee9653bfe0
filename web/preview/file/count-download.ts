import { failureOf } from "../../api/call.ts";
import { lost } from "../../api/transport/send-file.ts";

/**
 * Has the server count that something of a file is kept, as it counts downloads of all of it: by a download of one byte. Throws an ApiFailure where
 * there may be none any more.
 */
export async function countDownload(address: string): Promise<void> {
  const answer = await fetch(address, { headers: { range: "bytes=0-0" } }).catch(() => {
    throw lost(undefined);
  });
  // A file without a byte has none to send.
  if (!answer.ok && answer.status !== 416) throw failureOf(answer, await answer.text());
  await answer.body?.cancel();
}
