/**
 * The key of a request that makes something, kept from one attempt to the next until it is answered: the server then knows
 * the second for the first, whose answer was lost. What asks for something else is another request.
 */
export function createRequestKey(newKey: () => string) {
  let last: { readonly options: string; readonly key: string } | undefined;
  return {
    of(options: string): string {
      if (last?.options !== options) last = { options, key: newKey() };
      return last.key;
    },
    /** It was answered: whoever begins once more wants another one. */
    settle(): void {
      last = undefined;
    },
  };
}
