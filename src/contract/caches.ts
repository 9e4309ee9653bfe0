import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";

/** What the server keeps in memory to answer faster. */

const idField = z.optional(z.nullable(z.string().check(z.maxLength(64))));

/** Without either, everything is forgotten; with both, what is kept of the mount if it stands on that storage. */
const wanted = z.object({
  /** Only what is kept of this mount. */
  mountId: idField,
  /** Only what is kept of this storage. */
  s3ConfigId: idField,
});

const cleared = z.object({ data: z.object({ clearedCount: z.int(), timestamp: z.string() }) });

const megabytes = z.int();

export const caches = {
  stats: endpoint({
    method: "GET",
    path: "/admin/cache/stats",
    access: "admin",
    summary: "What is kept in memory and how often it was of use, and the memory of the process in megabytes",
    response: z.object({
      data: z.object({
        /** By name. */
        cache: z.record(
          z.string(),
          z.object({
            name: z.string(),
            hits: z.int(),
            misses: z.int(),
            /** Entries that were too old when they were asked for. */
            expired: z.int(),
            /** Times that a change made it forget. */
            invalidations: z.int(),
            /** Entries that had to make room. */
            pruned: z.int(),
            cacheSize: z.int(),
            /** From 0 to 1. */
            hitRate: z.number(),
          }),
        ),
        system: z.object({
          memory: z.object({
            rss: megabytes,
            heapTotal: megabytes,
            heapUsed: megabytes,
            external: megabytes,
            arrayBuffers: megabytes,
            heapUsagePercent: z.int(),
          }),
          /** Seconds. */
          uptime: z.number(),
        }),
        timestamp: z.string(),
      }),
    }),
  }),
  clear: endpoint({
    method: "POST",
    path: "/admin/cache/clear",
    access: "admin",
    audit: "cache.clear",
    offline: "clearCache",
    summary: "Forget what is kept in memory: all of it, or that of one mount or storage",
    body: z._default(wanted, {}),
    response: cleared,
  }),
  clearVisible: endpoint({
    method: "POST",
    path: "/user/cache/clear",
    access: "mount_view",
    summary: "Forget what is kept in memory of the mounts that the caller sees",
    body: z._default(wanted, {}),
    response: cleared,
  }),
};
