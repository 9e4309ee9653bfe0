import type { Cluster } from "../cluster/cluster.ts";
import type { Cache, CacheScope } from "../lib/cache.ts";
import { type Clock, steadyClock } from "../lib/clock.ts";

interface CachesDeps {
  readonly caches: readonly Cache[];
  readonly clock: Clock;
  readonly cluster: Pick<Cluster, "follow" | "publish">;
}

const MiB = 1024 * 1024;
const megabytes = (bytes: number): number => Math.round(bytes / MiB);

/** Everything that is kept in memory to answer faster, to look at and to empty. */
export function createCaches({ caches, clock, cluster }: CachesDeps) {
  const steady = steadyClock(clock);
  const startedAt = steady();

  const clear = (scopes?: readonly CacheScope[]): number =>
    (scopes ?? [undefined])
      .flatMap((scope) => caches.map((cache) => cache.clear(scope)))
      .reduce((sum, count) => sum + count, 0);
  cluster.follow("caches", (subjects) => void clear(subjects?.map((scope) => JSON.parse(scope) as CacheScope)));

  return {
    /** The caches by name, with their counts since the start. */
    stats: () =>
      caches.map(({ name, counts, size }) => {
        const asked = counts.hits + counts.misses + counts.expired;
        return { name, ...counts, cacheSize: size(), hitRate: asked === 0 ? 0 : counts.hits / asked };
      }),

    /** The memory of the process in megabytes, and its age in seconds. */
    process() {
      const { rss, heapTotal, heapUsed, external, arrayBuffers } = process.memoryUsage();
      const memory = {
        rss: megabytes(rss),
        heapTotal: megabytes(heapTotal),
        heapUsed: megabytes(heapUsed),
        external: megabytes(external),
        arrayBuffers: megabytes(arrayBuffers),
        heapUsagePercent: Math.min(100, Math.round((heapUsed / heapTotal) * 100)),
      };
      return { memory, uptime: Math.floor((steady() - startedAt) / 1000) };
    },

    /**
     * Empties all of them, or forgets what they keep of these scopes, on all servers; returns how many entries that were here.
     */
    async clear(scopes?: readonly CacheScope[]): Promise<number> {
      const count = clear(scopes);
      if (scopes?.length !== 0)
        await cluster.publish("caches", ...(scopes ?? []).map((scope) => JSON.stringify(scope)));
      return count;
    },
  };
}
