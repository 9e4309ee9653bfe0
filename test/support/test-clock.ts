/** A clock that moves only when it is told to. */
export function createTestClock(start = Date.parse("2030-01-02T03:04:05.678Z")) {
  let present = start;
  return {
    now: () => present,
    /** Moves on by milliseconds. */
    advance(milliseconds: number) {
      present += milliseconds;
    },
  };
}

export const minutes = (count: number) => count * 60_000;
export const hours = (count: number) => minutes(60) * count;
export const days = (count: number) => hours(24) * count;
