import { useEffect, useState } from "react";
import { offlineFallback } from "../../api/transport/offline-fallback.ts";
import { SealedFailure } from "../../sealed/failures.ts";
import { readOpened } from "../../sealed/open.ts";
import { isControlled, offer } from "../../sealed/served/offer.ts";
import { sourceAt } from "../../sealed/served/source.ts";
import type { Problem, Unlocked } from "./unlocked.ts";

const MiB = 1024 * 1024;

/** What is opened in the memory of the page where no worker serves it, in bytes. */
const MOST_IN_MEMORY = 256 * MiB;
/** So many chunks are a few MiB. */
const PIECES_OF_BLOB = 64;
/** Nobody waits for the worker with less than that. */
const SMALL = 8 * MiB;
/** How long a worker is waited for that is being installed, in milliseconds: for what fits into memory, and for what does not. */
const SHORT_WAIT = 8000;
const LONG_WAIT = 60_000;

export type Served =
  /** `come`: bytes that are open so far, where they are opened in memory. */
  | { readonly state: "preparing"; readonly come?: number | undefined }
  /** `saveAs`: the name for what is kept of it, where the address does not say it. */
  | { readonly state: "ready"; readonly read: string; readonly download: string; readonly saveAs?: string }
  | { readonly state: "tooLarge" }
  | { readonly state: "failed"; readonly problem: Problem };

/**
 * An address at which the browser finds what was opened: at the worker, which opens of it what is asked for; else in memory, if it is not too large.
 * And what turned out to be damaged after the worker had begun to serve it.
 */
export function useAddress(unlocked: Unlocked) {
  const [served, setServed] = useState<Served>({ state: "preparing" });
  const [broken, setBroken] = useState<SealedFailure["code"]>();
  useEffect(() => {
    const left = new AbortController();
    let address: string | undefined;
    const serve = async (): Promise<Served> => {
      const offered = await atWorker(unlocked, setBroken);
      if (offered !== undefined) return { state: "ready", read: offered, download: `${offered}?download` };
      if (unlocked.opening.size > MOST_IN_MEMORY) return { state: "tooLarge" };
      const come = (bytes: number) => setServed({ state: "preparing", come: bytes });
      address = URL.createObjectURL(await inMemory(unlocked, come, left.signal));
      return { state: "ready", read: address, download: address, saveAs: unlocked.names.name };
    };
    const failed = (error: unknown): Served => ({
      state: "failed",
      problem: error instanceof SealedFailure ? error.code : "unreachable",
    });
    serve()
      .catch(failed)
      .then((next) => {
        if (!left.signal.aborted) setServed(next);
        else if (address !== undefined) URL.revokeObjectURL(address);
      });
    return () => {
      left.abort();
      if (address !== undefined) URL.revokeObjectURL(address);
    };
  }, [unlocked]);
  return { served, broken };
}

/** The address at the worker, which is installed now if it is not there: pages of shares do that later by themselves. */
async function atWorker(
  { names: { name, type }, opening, source }: Unlocked,
  onBroken: (code: SealedFailure["code"]) => void,
): Promise<string | undefined> {
  void offlineFallback.get();
  const { size } = opening;
  const patience = size <= SMALL ? 0 : size <= MOST_IN_MEMORY ? SHORT_WAIT : LONG_WAIT;
  if (!(await isControlled(patience))) return undefined;
  return await offer({ name, type, source, opening, onBroken });
}

async function inMemory(
  { names: { type }, opening, source: url }: Unlocked,
  onCome: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const source = sourceAt({ url, size: opening.sealedSize });
  const reader = readOpened(source, opening, 0, opening.size, signal).getReader();
  const blobs: Blob[] = [];
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let come = 0;
  // Read here piece by piece: a Response would not say why its bytes broke off.
  for (;;) {
    const { done, value } = await reader.read();
    if (value) pieces.push(value);
    if (!done && pieces.length < PIECES_OF_BLOB) continue;
    // Browsers keep what is in a Blob outside of the page, and may put it on the disk.
    const blob = new Blob(pieces);
    blobs.push(blob);
    if (done) return new Blob(blobs, { type: harmlessType(type) });
    come += blob.size;
    onCome(come);
    pieces = [];
  }
}

/** An address of bytes is of this origin: what a browser would open there as a page or a drawing is bytes and nothing more. */
const harmlessType = (type: string): string =>
  /^(image|audio|video)\/|^application\/pdf$/i.test(type) && !/xml/i.test(type) ? type : "application/octet-stream";
