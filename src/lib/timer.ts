/**
 * Creates a timer that is cheap to restart for every chunk: a restart only moves the deadline, and one runtime timer looks now
 * and then whether it has passed. Call `clear` in the end.
 */
export function createTimer(expired: () => void) {
  let deadline = Number.POSITIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let due = Number.POSITIVE_INFINITY;

  const schedule = (milliseconds: number) => {
    clearTimeout(timer);
    due = performance.now() + milliseconds;
    timer = setTimeout(look, milliseconds);
  };
  const look = () => {
    due = Number.POSITIVE_INFINITY;
    const left = deadline - performance.now();
    if (left <= 0) return expired();
    if (left < Number.POSITIVE_INFINITY) schedule(left);
  };

  return {
    /** Sets the deadline so many milliseconds from now. */
    restart(milliseconds: number): void {
      deadline = performance.now() + milliseconds;
      if (deadline < due) schedule(milliseconds);
    },
    /** Removes the deadline until the next `restart`. */
    pause(): void {
      deadline = Number.POSITIVE_INFINITY;
    },
    clear(): void {
      deadline = Number.POSITIVE_INFINITY;
      clearTimeout(timer);
      due = Number.POSITIVE_INFINITY;
    },
  };
}
