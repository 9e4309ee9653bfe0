import { endpoint } from "./endpoint.ts";
import * as z from "./schemas.ts";

export const system = {
  health: endpoint({
    method: "GET",
    path: "/health",
    access: "anyone",
    summary:
      "Whether the server is well: `ok`, or `degraded` (still 200, also when its database does not answer) with what is wrong and what to do about it. Free disk and quotas are read at most every 5 seconds",
    response: z.object({
      status: z.enum(["ok", "degraded"]),
      timestamp: z.string(),
      /** Only of `degraded`. `problem` is stable: disk, database, database.unavailable, clock, texts.total, texts.visitors, texts.key, storage or folder. */
      problems: z.optional(z.array(z.object({ problem: z.string(), advice: z.string() }))),
    }),
    reply: "bare",
  }),
  ready: endpoint({
    method: "GET",
    path: "/health/ready",
    access: "anyone",
    summary:
      "Whether this server should get requests: 200, or 503 with the names of what is not ready: stopping, database, migrations, clock or storage. What was found is reused for a second",
    // The status says it too.
    exact: true,
    response: z.object({
      ready: z.boolean(),
      failing: z.array(z.string()),
      /** What will be wrong with a second server: `storage.local`, a default storage on the disk of one. */
      warnings: z.optional(z.array(z.string())),
    }),
    reply: "bare",
  }),
  version: endpoint({
    method: "GET",
    path: "/version",
    access: "anyone",
    summary: "What runs here",
    response: z.object({
      data: z.object({
        version: z.string(),
        name: z.string(),
        environment: z.string(),
        storage: z.string(),
        nodeVersion: z.string(),
        /** Seconds. */
        uptime: z.number(),
      }),
    }),
  }),
  maxUploadSize: endpoint({
    method: "GET",
    path: "/system/max-upload-size",
    access: "anyone",
    summary: "The largest file that may be uploaded, in megabytes of 1,048,576 bytes",
    response: z.object({ data: z.object({ max_upload_size: z.number() }) }),
  }),
  visitors: endpoint({
    method: "GET",
    path: "/system/visitors",
    access: "anyone",
    summary:
      "What somebody without any credential may do here, as the bits of a key; 0 unless there is a visitors' key",
    response: z.object({ data: z.object({ permissions: z.int(), basic_path: z.string() }) }),
  }),
};

/** The server's caches in memory. */

const idField = z.optional(z.nullable(z.string().check(z.maxLength(64))));

/** Without either, everything is cleared; with both, the entries of the mount if it uses that storage. */
const scopeRequest = z.object({
  /** Only the entries of this mount. */
  mountId: idField,
  /** Only the entries of this storage. */
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
            /** Entries that had expired when they were requested. */
            expired: z.int(),
            /** Times that a change made it forget. */
            invalidations: z.int(),
            /** Entries that were evicted. */
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
    body: z._default(scopeRequest, {}),
    response: cleared,
  }),
  clearVisible: endpoint({
    method: "POST",
    path: "/user/cache/clear",
    access: "mount_view",
    summary: "Forget what is kept in memory of the mounts that the caller sees",
    body: z._default(scopeRequest, {}),
    response: cleared,
  }),
};
