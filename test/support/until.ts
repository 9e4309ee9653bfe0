/** Milliseconds that only a test which fails takes. It ends before the test counts as hung (test/run.ts), and tells what was there instead. */
const PATIENCE = 120_000;

/** Asks again and again until the answer is what is wanted; throws with the last answer when it never is. */
export async function until<Value>(
  read: () => Value | Promise<Value>,
  wanted: (value: Value) => boolean,
): Promise<Value> {
  const deadline = performance.now() + PATIENCE;
  for (;;) {
    const value = await read();
    if (wanted(value)) return value;
    if (performance.now() > deadline) throw new Error(`It is still ${JSON.stringify(value)}.`);
    await Bun.sleep(20);
  }
}
