import { Failure } from "#contract/failures";
import { type Log, unforeseen } from "../../lib/log.ts";

/** Something that the stream reports at each change. */
export interface EventSource {
  /** Of its events. */
  readonly name: string;
  /** Calls `ring` after each change until the answer is called. */
  readonly watch: (ring: () => void) => Promise<() => void>;
  /** Throws when the client may no longer read it. */
  readonly recheck: () => Promise<void>;
  /** The data of an event, on one line, and whether it is the last. */
  readonly read: () => Promise<{ readonly data: string; readonly last: boolean }>;
}

interface Pace {
  /** Milliseconds between two events at least. */
  readonly spacing: number;
  /** Milliseconds without a byte at most: proxies close silent connections, many after a minute. */
  readonly silence: number;
  /** Milliseconds that a client may leave an event unread; then its stream ends. */
  readonly patience: number;
}

const usualPace: Pace = { spacing: 200, silence: 15_000, patience: 60_000 };

/** For what many pages watch at once, each of which asks for more at every event. */
export const slowPace: Pace = { ...usualPace, spacing: 1000 };

// nginx keeps answers back until there is more of them, unless the last header says otherwise.
export const eventHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
} as const;

/**
 * Sends a source as server-sent events (HTML Standard section 9.2): at once, and after each change. It is read when
 * the client has taken the previous event, so a slow client gets the newest. Ends after the last event, and silently
 * when the client may no longer read the source, or reads nothing any more.
 */
export async function eventStream(
  source: EventSource,
  log: Log,
  pace = usualPace,
): Promise<ReadableStream<Uint8Array>> {
  const bell = createBell();
  const unwatch = await source.watch(bell.ring);
  const events = eventsOf(source, bell, pace);
  const encoder = new TextEncoder();
  let gone = false;
  let unread: Timer | undefined;

  const waitFor = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    unread = setTimeout(() => {
      gone = true;
      unwatch();
      controller.close();
    }, pace.patience);
  };

  return new ReadableStream<Uint8Array>(
    {
      start: waitFor,
      async pull(controller) {
        clearTimeout(unread);
        const text = await next(events, log);
        if (text !== undefined && !gone) {
          controller.enqueue(encoder.encode(text));
          return waitFor(controller);
        }
        unwatch();
        if (!gone) controller.close();
      },
      cancel() {
        gone = true;
        clearTimeout(unread);
        unwatch();
        bell.ring();
      },
    },
    { highWaterMark: 0 },
  );
}

async function* eventsOf(
  { name, recheck, read }: EventSource,
  bell: Bell,
  { spacing, silence }: Pace,
): AsyncGenerator<string> {
  for (;;) {
    bell.reset();
    await recheck();
    const { data, last } = await read();
    yield `event: ${name}\ndata: ${data}\n\n`;
    if (last) return;
    await Bun.sleep(spacing);
    while (!(await bell.rings(silence))) {
      await recheck();
      yield ":\n\n";
    }
  }
}

/** Undefined at the end. */
async function next(events: AsyncGenerator<string>, log: Log): Promise<string | undefined> {
  try {
    const { value, done } = await events.next();
    return done ? undefined : value;
  } catch (error) {
    // The client reconnects and learns the reason from that answer's status.
    if (!(error instanceof Failure)) log.error("event stream broken off", unforeseen(error));
    return undefined;
  }
}

type Bell = ReturnType<typeof createBell>;

/** Remembers that it rang until it is reset. */
function createBell() {
  let rung = Promise.withResolvers<true>();
  return {
    ring: () => rung.resolve(true),
    reset() {
      rung = Promise.withResolvers<true>();
    },
    /** Reports whether it has rung, or does so within a time in milliseconds. */
    async rings(within: number): Promise<boolean> {
      const silent = Promise.withResolvers<false>();
      const timer = setTimeout(() => silent.resolve(false), within);
      const rang = await Promise.race([rung.promise, silent.promise]);
      clearTimeout(timer);
      return rang;
    },
  };
}
