import type { Events } from "./event-stream.ts";

/** Pauses before a broken stream is opened again, in milliseconds. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;

interface FollowPorts {
  readonly events: Events;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

interface Following {
  readonly signal: AbortSignal;
  /** Answers whether that was the last that is wanted. */
  readonly onData: (data: string) => boolean;
  /** Why the stream broke; answers whether it is not opened again. */
  readonly onBroken: (error: unknown) => boolean | Promise<boolean>;
}

/** Follows a stream of events until it is over. One that breaks or ends is opened again, less and less often, at the address of that moment. */
export async function followEvents(
  { events, sleep }: FollowPorts,
  address: () => string,
  { signal, onData, onBroken }: Following,
): Promise<void> {
  for (let pause = FIRST_PAUSE; !signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    try {
      for await (const data of events(address(), signal)) {
        pause = FIRST_PAUSE;
        if (signal.aborted || onData(data)) return;
      }
    } catch (error) {
      if (signal.aborted || (await onBroken(error))) return;
    }
    await sleep(pause, signal);
  }
}
