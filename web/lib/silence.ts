/** Ends what may take any time but says something now and then, once it has said nothing for `patience` milliseconds. */
export function createSilence(patience: number) {
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    /** Aborts when nothing came in time, and in the end. */
    signal: silence.signal,
    /** Expects the next word from now on. Until this is first called, nothing is too late. */
    expectMore(within = patience): void {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), within);
    },
    /** Nothing more is expected. */
    end(): void {
      clearTimeout(timer);
      silence.abort();
    },
  };
}
