import { createSemaphore } from "../lib/turns.ts";

/** One copy of a batch. */
interface BatchItem {
  /** Clean paths. */
  readonly source: string;
  readonly target: string;
}

/** Items of one batch that are worked on at the same time. */
const AT_ONCE = 8;

/**
 * Works on the items of a batch, several at once, but in the given order where one item writes what another touches.
 * `inOrder` names further pairs that keep their order. When all have ended, throws the error of the first that failed.
 */
export async function runBatch(
  items: readonly BatchItem[],
  inOrder: (item: BatchItem, index: number) => boolean,
  work: (index: number) => Promise<void>,
): Promise<void> {
  const touching = touchingItems(items);
  const lane: number[] = [];
  const runs: (() => Promise<void>)[] = [];
  for (const [index, item] of items.entries()) {
    if (touching.has(index) || inOrder(item, index)) lane.push(index);
    else runs.push(() => work(index));
  }
  runs.push(async () => {
    for (const index of lane) await work(index);
  });
  const semaphore = createSemaphore(AT_ONCE, Number.POSITIVE_INFINITY);
  for (const one of await Promise.allSettled(runs.map((run) => semaphore.run(run))))
    if (one.status === "rejected") throw one.reason;
}

/** The items that touch what another item writes, or write what another one touches. */
function touchingItems(items: readonly BatchItem[]): Set<number> {
  const clean = items.map(({ source, target }) => ({ source: nameOf(source), target: nameOf(target) }));
  const indexes = clean.map((_, index) => index);
  const reads = Map.groupBy(indexes, (index) => clean[index]?.source);
  const writes = Map.groupBy(indexes, (index) => clean[index]?.target);
  const touching = new Set<number>();
  const noted = new Set<readonly number[]>();
  const met = (index: number, others: readonly number[] = []) => {
    if (!others.some((other) => other !== index)) return;
    touching.add(index);
    if (noted.has(others)) return;
    noted.add(others);
    for (const other of others) touching.add(other);
  };
  for (const [index, { source, target }] of clean.entries()) {
    for (const path of lineage(target)) {
      met(index, writes.get(path));
      met(index, reads.get(path));
    }
    for (const path of lineage(source)) met(index, writes.get(path));
  }
  return touching;
}

/** Paths are compared as the tree compares them. */
const nameOf = (path: string): string => path.normalize("NFC");

/** A path and all above it. */
function* lineage(path: string): Generator<string> {
  for (let at = path; at.length > 1; at = at.slice(0, Math.max(1, at.lastIndexOf("/")))) yield at;
  yield "/";
}
