/** The time over which a rate is averaged, in milliseconds. */
const WINDOW = 4000;
/** The shortest time, in milliseconds, over which a rate is meaningful. */
const TOO_SHORT = 500;

interface Sample {
  readonly at: number;
  readonly moved: number;
}

/** Measures how fast something moves, from samples taken a few times a second; `now` in epoch milliseconds. */
export function createSpeed(now: () => number) {
  let moved = 0;
  let samples: Sample[] = [];
  return {
    add(bytes: number) {
      moved += bytes;
    },
    sample() {
      const at = now();
      // The last sample before the window stays, so that the rate covers the whole window.
      const first = samples.findLastIndex((sample) => at - sample.at >= WINDOW);
      samples = [...samples.slice(Math.max(first, 0)), { at, moved }];
    },
    reset() {
      samples = [{ at: now(), moved }];
    },
    /** Returns bytes per second over the last seconds. */
    rate(): number {
      const [first] = samples;
      const last = samples.at(-1);
      if (!first || !last || last.at - first.at < TOO_SHORT) return 0;
      return ((last.moved - first.moved) * 1000) / (last.at - first.at);
    },
  };
}

/** Returns the seconds that so many bytes take at this rate; undefined at rate 0. */
export function secondsFor(bytes: number, speed: number): number | undefined {
  if (bytes <= 0) return 0;
  return speed > 0 ? bytes / speed : undefined;
}
