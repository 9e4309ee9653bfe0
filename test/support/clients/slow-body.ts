/** A body whose first half comes at once and whose rest when the test says so, if ever. */
export function slowBody(first: string, rest: string) {
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const encoder = new TextEncoder();
  let pulls = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        pulls += 1;
        if (pulls === 1) return controller.enqueue(encoder.encode(first));
        begun.resolve();
        await goOn.promise;
        controller.enqueue(encoder.encode(rest));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return {
    body,
    /** Settles when whoever reads it waits for the rest. */
    begun: begun.promise,
    finish: goOn.resolve,
  };
}
