import { TRANSFER_PATIENCE } from "#contract/limits";
import { isFailure } from "../../api/failure.ts";
import { failed, putFailure } from "../failures.ts";
import type { PutRequest, Sleep, UploadPorts } from "../ports.ts";
import type { Connection } from "./connection.ts";
import type { Place, Reachability } from "./reachability.ts";

/** Silence is counted in steps, so that a computer's sleep is not mistaken for a server that did not answer. */
const STEPS = 20;
/** Steps within which the first byte has to be sent to a storage that is not yet known to be reachable. */
const FIRST_STEPS = 2;

/** Sends bytes to a place and returns the ETag without its quotes. Throws ApiFailure. */
export type Send = (request: PutRequest & Place) => Promise<string | undefined>;

interface SendDeps extends Pick<UploadPorts, "put" | "sleep"> {
  readonly connection: Connection;
  readonly reach: Reachability;
}

/** Makes the function that sends bytes. It times out only if nothing moves, and tells apart why a request failed. */
export function createSend({ put, sleep, connection, reach }: SendDeps): Send {
  return async ({ storage, ...request }) => {
    const place = { storage, url: request.url };
    const silence = new AbortController();
    const over = new AbortController();
    const cut = connection.cut();
    let moved = false;
    const onProgress = (sent: number) => {
      moved = true;
      request.onProgress(sent);
    };
    const heard = () => {
      const answer = moved;
      moved = false;
      return answer;
    };
    void watch({ sleep, heard, over: over.signal, silence, first: reach.isNew(place) ? FIRST_STEPS : STEPS });
    try {
      const signal = AbortSignal.any([request.signal, silence.signal, cut]);
      const { status, etag } = await put({ ...request, onProgress, signal });
      reach.noteAnswer(place);
      const failure = putFailure(status);
      if (failure) throw failure;
      return etag?.replace(/^W\//, "").replaceAll('"', "") || undefined;
    } catch (error) {
      if (request.signal.aborted) throw failed("aborted");
      if (silence.signal.aborted) throw failed("timeout");
      if (isFailure(error, "network") && !(await isReadable(request.body))) throw failed("fileUnreadable");
      throw cut.aborted ? failed("network") : error;
    } finally {
      over.abort();
    }
  };
}

interface Watch {
  readonly sleep: Sleep;
  /** Reports whether anything moved since the last call. */
  readonly heard: () => boolean;
  readonly over: AbortSignal;
  readonly silence: AbortController;
  /** Steps within which the first bytes have to move. */
  readonly first: number;
}

async function watch({ sleep, heard, over, silence, first }: Watch): Promise<void> {
  let patience = first;
  for (let silent = 0; silent < patience; ) {
    await sleep(TRANSFER_PATIENCE / STEPS, over);
    if (over.aborted) return;
    const moved = heard();
    if (moved) patience = STEPS;
    silent = moved ? 0 : silent + 1;
  }
  silence.abort();
}

/** Reports whether the browser can still read a file: it reports one that was moved or changed as a network error. */
async function isReadable(body: Blob): Promise<boolean> {
  try {
    await body.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
