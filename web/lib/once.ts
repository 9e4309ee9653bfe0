/** Makes a function that does its work at the first call, and for all later ones answers with that; a failure counts as done. */
export function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work().catch(() => undefined);
    return running;
  };
}
