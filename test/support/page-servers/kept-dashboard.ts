import type { DashboardStats } from "#contract/dashboard";
import { answer, fakeServer } from "./fake-server.ts";
import { builtIn, cloud } from "./kept-storages.ts";

export const GB = 1024 ** 3;

const bucket = (storage: typeof builtIn, fileCount: number): DashboardStats["s3Buckets"][number] => ({
  ...storage,
  usage: { file_count: fileCount, total_size: storage.used_bytes },
  usedStorage: storage.used_bytes,
  totalStorage: storage.total_storage_bytes,
  fileCount,
  usagePercent: Math.round((storage.used_bytes / storage.total_storage_bytes) * 100),
  providerType: storage.provider_type,
});

/** What a quiet installation with two storages answers. */
export const stats: DashboardStats = {
  totalPastes: 1234,
  totalFiles: 7,
  totalApiKeys: 2,
  totalS3Configs: 2,
  totalStorageUsed: 4 * GB,
  s3Buckets: [bucket(builtIn, 5), bucket({ ...cloud, used_bytes: 4.6 * GB }, 2)],
  lastWeekPastes: [1, 0, 0, 2, 0, 4, 1],
  lastWeekFiles: [0, 3, 0, 0, 0, 0, 2],
  weekStart: "2031-04-28",
  attention: { problems: [], failedJobs: 0, failedStorages: [], fullStorages: [], expiringKeys: [], webhooks: [] },
  firstSteps: { password: true, key: true, storage: true },
  backup: {
    enabled: false,
    running_since: null,
    next_at: null,
    last: null,
    last_whole: null,
    problem: null,
    recipient: null,
  },
};

const caches = {
  cache: {
    texts: { name: "texts", hits: 3, misses: 1, expired: 0, invalidations: 0, pruned: 0, cacheSize: 12, hitRate: 0.75 },
    later: { name: "later", hits: 0, misses: 0, expired: 0, invalidations: 0, pruned: 0, cacheSize: 0, hitRate: 0 },
  },
  system: {
    memory: { rss: 91, heapTotal: 1, heapUsed: 1, external: 0, arrayBuffers: 0, heapUsagePercent: 100 },
    uptime: 1,
  },
  timestamp: "2031-05-04T00:00:00.000Z",
};

type Routes = Parameters<typeof fakeServer>[0];

/** A server that answers all that the dashboard asks. Its own routes come first. */
export const dashboardServer = (present: () => DashboardStats, routes: Routes = {}) =>
  fakeServer({
    "GET /admin/dashboard/stats": () => answer({ data: present() }),
    "GET /admin/activity": () =>
      answer({
        data: {
          is_on: true,
          entries: [
            {
              ...{ at: "2026-01-02T03:04:05.000Z", event: "opened", outcome: "whole", name: null, network: null },
              ...{ program: "Firefox on Linux", bytes: 12, times: 3 },
              ...{ kind: "paste", slug: "notes1", title: "Meeting notes" },
            },
          ],
        },
      }),
    "GET /admin/cache/stats": () => answer({ data: caches }),
    "POST /admin/cache/clear": () => answer({ data: { clearedCount: 12, timestamp: "2031-05-04T00:00:00.000Z" } }),
    "GET /admin/mounts": () => answer({ data: [{ id: "m1", mount_path: "/drive" }] }),
    "GET /version": () =>
      answer({
        data: {
          version: "0.1.0",
          name: "Satchel",
          environment: "Bun 1.4.5",
          storage: "SQLite",
          nodeVersion: "v26.3.0",
          uptime: 90_000,
        },
      }),
    ...routes,
  });
