/** In place of an answer that did not come in time. */
export const LATE = Symbol("late");

/**
 * Asks once at a time: whoever asks meanwhile gets the same answer. Whoever asks what has no answer after so many milliseconds is
 * told that it is late, at once if the question is older than that.
 */
export function singleFlight<Answer>(
  ask: () => Promise<Answer>,
  patience: number,
): () => Promise<Answer | typeof LATE> {
  let open: Promise<Answer | typeof LATE> | undefined;

  const begin = () => {
    const late = Promise.withResolvers<typeof LATE>();
    const timer = setTimeout(() => late.resolve(LATE), patience);
    const answer = ask();
    const end = () => {
      clearTimeout(timer);
      open = undefined;
    };
    answer.then(end, end);
    return Promise.race([answer, late.promise]);
  };

  return () => {
    open ??= begin();
    return open;
  };
}
