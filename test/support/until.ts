const PATIENCE = 10_000;

/** Asks again and again until the answer is what is wanted; throws with the last answer when it is not in so many milliseconds. */
export async function until<Value>(
  read: () => Value | Promise<Value>,
  wanted: (value: Value) => boolean,
  patience = PATIENCE,
): Promise<Value> {
  const deadline = performance.now() + patience;
  for (;;) {
    const value = await read();
    if (wanted(value)) return value;
    if (performance.now() > deadline) throw new Error(`It is still ${JSON.stringify(value)}.`);
    await Bun.sleep(20);
  }
}
