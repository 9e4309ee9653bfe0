/**
 * Does something to each of many, up to `width` at once, and answers what came of them in their order. When one fails, or no
 * more can be had of the many, what came before is answered first. Whoever stops reading waits for those that are under way.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  width: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  const broken: unknown[] = [];
  try {
    for await (const item of untilBroken(items, broken)) {
      const one = work(item);
      // It is read in its turn; until then its failure has nobody who hears it.
      one.catch(() => undefined);
      running.push(one);
      const first = running.length >= width ? running.shift() : undefined;
      if (first) yield await first;
    }
    for (let one = running.shift(); one; one = running.shift()) yield await one;
    if (broken.length > 0) throw broken[0];
  } finally {
    await Promise.allSettled(running);
  }
}

/** Ends where the many break off, and leaves what they threw. */
async function* untilBroken<Item>(items: AsyncIterable<Item>, broken: unknown[]): AsyncGenerator<Item> {
  try {
    yield* items;
  } catch (error) {
    broken.push(error);
  }
}
