/**
 * Does something to each of many, up to `width` at once, and answers what came of them in their order. Whoever stops reading
 * waits for those that are under way.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  width: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      const one = work(item);
      // It is read in its turn; until then its failure has nobody who hears it.
      one.catch(() => undefined);
      running.push(one);
      if (running.length >= width) yield await (running.shift() as Promise<Result>);
    }
    for (let one = running.shift(); one; one = running.shift()) yield await one;
  } finally {
    await Promise.allSettled(running);
  }
}
