/**
 * The key of a creating request, kept from one attempt to the next until it is answered: the server then recognizes
 * the repetition of a request whose answer was lost. Other options make another request.
 */
export function createRequestKey(newKey: () => string) {
  let last: { readonly options: string; readonly key: string } | undefined;
  return {
    of(options: string): string {
      if (last?.options !== options) last = { options, key: newKey() };
      return last.key;
    },
    /** It was answered: the next request gets a new key. */
    settle(): void {
      last = undefined;
    },
  };
}
