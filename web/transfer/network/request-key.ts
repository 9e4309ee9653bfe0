/**
 * Keeps the Idempotency-Key of a request from one attempt to the next until it is answered, so that the server recognizes the
 * repetition of a request whose answer was lost. Other options get another key.
 */
export function createRequestKey(newKey: () => string) {
  let last: { readonly options: string; readonly key: string } | undefined;
  return {
    of(options: string): string {
      if (last?.options !== options) last = { options, key: newKey() };
      return last.key;
    },
    /** Records that the request was answered: the next one gets a new key. */
    settle(): void {
      last = undefined;
    },
  };
}
