/** How long a server may send nothing, and how often it may send on to another address. */
const STALL_MILLISECONDS = 60_000;
const MAX_REDIRECTS = 5;

/** Bounds of a download. */
export interface Bounds {
  /** Bytes. */
  readonly limit: number;
  /** Milliseconds for all of it. */
  readonly time: number;
  readonly signal: AbortSignal;
  /** Milliseconds in which a byte must come. */
  readonly stall?: number | undefined;
}

/**
 * Downloads what is at an address, piece by piece. Throws a sentence when it is not there, is larger than `limit`, comes too slowly, or when a
 * server sends on to an address that is neither encrypted nor of this machine.
 */
export async function* download(address: URL, bounds: Bounds): AsyncGenerator<Uint8Array> {
  const { limit, time, stall = STALL_MILLISECONDS } = bounds;
  const slow = new AbortController();
  const late = () => slow.abort(new Error(`${shown(address)} sends nothing any more.`));
  const all = setTimeout(() => slow.abort(new Error(`${shown(address)} takes too long.`)), time);
  let timer = setTimeout(late, stall);
  const signal = AbortSignal.any([bounds.signal, slow.signal]);
  try {
    const response = await open(address, signal);
    const length = Number(response.headers.get("content-length") ?? 0);
    const tooLarge = `${shown(address)} is larger than the ${limit} bytes that it may have.`;
    if (length > limit) throw new Error(tooLarge);
    let received = 0;
    for await (const piece of response.body ?? []) {
      clearTimeout(timer);
      received += piece.length;
      if (received > limit) throw new Error(tooLarge);
      yield piece;
      timer = setTimeout(late, stall);
    }
    if (length > 0 && received !== length) throw new Error(`${shown(address)} was cut off.`);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error;
  } finally {
    clearTimeout(timer);
    clearTimeout(all);
    // What is not read any more is not sent any more.
    slow.abort();
  }
}

/** Asks for an address, follows where it leads, and answers what is there. */
async function open(start: URL, signal: AbortSignal): Promise<Response> {
  let address = start;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    const response = await ask(address, signal);
    const next = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
    if (next === null) {
      if (response.status !== 200) throw new Error(`${shown(address)} answers with ${response.status}.`);
      return response;
    }
    await response.body?.cancel();
    const target = URL.canParse(next, address) ? new URL(next, address) : undefined;
    if (!target || !mayFollow(start, target))
      throw new Error(`${shown(address)} sends on to an address that is not encrypted.`);
    address = target;
  }
  throw new Error(`${shown(start)} sends on too often.`);
}

/** Whether an address is on this machine, where nobody listens in between. */
export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);

/** Whoever began encrypted stays so; a server of this machine may send on to one of this machine. */
const mayFollow = (start: URL, target: URL): boolean =>
  target.protocol === "https:" || (start.protocol === "http:" && target.protocol === "http:" && isLoopback(target));

async function ask(address: URL, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(address, { redirect: "manual", signal, headers: { "accept-encoding": "identity" } });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${shown(address)} cannot be reached: ${reason}`);
  }
}

/** An address in a sentence: what stands behind ? may be a permission. */
const shown = ({ origin, pathname }: URL): string => `${origin}${pathname}`;
