import { openFaultyProxy, type ProxyFault } from "./faulty-proxy.ts";

/** A request of a storage at which a process is to end. */
export interface Point {
  /** Reads and writes are counted apart, because those of one page come in any order. */
  readonly of: "read" | "write";
  /** From 1. */
  readonly number: number;
  /** Whether the storage has heard of it, and done it. */
  readonly isDone: boolean;
}

/** What was asked of a storage for one change. */
interface Watch {
  readonly count: Record<Point["of"], number>;
  readonly point: Point | undefined;
  readonly held: PromiseWithResolvers<void>;
}

/**
 * A proxy before a storage that tells the requests of changes apart by the folders in which these are made, `change-…`, and holds a
 * change at one of them for ever.
 */
export async function openKillingProxy(target: string) {
  const watched = new Map<string, Watch>();

  const decide = (request: string): ProxyFault | undefined => {
    const watch = watched.get(/\bchange-\w+/.exec(request)?.[0] ?? "");
    if (!watch) return undefined;
    const { count, point, held } = watch;
    const of = /^(GET|HEAD) /.test(request) ? "read" : "write";
    count[of] += 1;
    if (point?.of !== of || point.number !== count[of]) return undefined;
    return { ...(point.isDone ? { stallAnswer: -1 } : { stallRequest: -1 }), stalled: held.resolve };
  };
  const proxy = await openFaultyProxy(target, decide);

  return {
    endpoint: proxy.endpoint,
    /** Counts the requests of a change from now on; `held` settles when one is held. */
    watch(folder: string, point: Point | undefined): { readonly held: Promise<void>; readonly count: Watch["count"] } {
      const watch = { count: { read: 0, write: 0 }, point, held: Promise.withResolvers<void>() };
      watched.set(folder, watch);
      return { held: watch.held.promise, count: watch.count };
    },
    /** Holds nothing that is asked from now on. */
    forget: (): void => watched.clear(),
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  };
}

/** Points of a change that asks so much, at most so many: before and after each write first, and then reads. */
export function pointsOf(count: Readonly<Record<Point["of"], number>>, most: number): Point[] {
  const all = (of: Point["of"], done: readonly boolean[]): Point[] =>
    Array.from({ length: count[of] }, (_, index) => done.map((isDone) => ({ of, number: index + 1, isDone }))).flat();
  const writes = spread(all("write", [false, true]), most);
  return [...writes, ...spread(all("read", [false]), most - writes.length)];
}

/** So many of them at most, from all over. */
const spread = (points: readonly Point[], most: number): readonly Point[] =>
  points.length <= most
    ? points
    : Array.from({ length: most }, (_, index) => points[Math.floor((index * points.length) / most)] ?? []).flat();
