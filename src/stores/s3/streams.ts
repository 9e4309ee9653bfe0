/**
 * The runtime sends 256 requests at once (Bun 1.4.5), and all others wait. An object that is streamed keeps its request until its
 * reader has read it, so readers that do not read could keep everybody from every storage: only so many are streamed at once.
 */
const AT_ONCE = 192;

/** Places of objects on their way to their readers. */
export interface Streams {
  /** Waits for a place and returns what gives it back, which may be called again. Throws the reason of the signal once that is aborted. */
  enter(signal: AbortSignal): Promise<() => void>;
}

/** Creates the places that all storages share. */
export function createStreams(atOnce = AT_ONCE): Streams {
  let places = atOnce;
  const waiting = new Set<() => void>();

  const leave = (): void => {
    places += 1;
    const [next] = waiting;
    if (next) next();
  };

  const wait = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const go = () => {
        waiting.delete(go);
        signal.removeEventListener("abort", stop);
        places -= 1;
        resolve();
      };
      const stop = () => {
        waiting.delete(go);
        reject(signal.reason);
      };
      waiting.add(go);
      signal.addEventListener("abort", stop, { once: true });
    });

  return {
    async enter(signal) {
      signal.throwIfAborted();
      if (places > 0) places -= 1;
      else await wait(signal);
      let isHeld = true;
      return () => {
        if (isHeld) leave();
        isHeld = false;
      };
    },
  };
}
