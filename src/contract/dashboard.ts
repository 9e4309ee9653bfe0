import { backupStatus } from "./backups.ts";
import { endpoint } from "./endpoint.ts";
import { EXPIRES_SOON_DAYS, NEARLY_FULL_SHARE } from "./limits.ts";
import * as z from "./schemas.ts";
import { storageRecord } from "./storage.ts";

/** What the administrator sees first. */

/** Seven counts by day in UTC, the oldest first, today last. */
const week = z.array(z.int());

const bucket = z.extend(storageRecord, {
  usage: z.object({ file_count: z.int(), total_size: z.int() }),
  /** Bytes, as `used_bytes`. */
  usedStorage: z.int(),
  /** Bytes, as `total_storage_bytes`. */
  totalStorage: z.int(),
  /** Shared files. */
  fileCount: z.int(),
  /** From 0 to 100. */
  usagePercent: z.int(),
  providerType: z.string(),
});

const named = { id: z.string(), name: z.string() };

/** What somebody should look at; all empty when all is well. */
const attention = z.object({
  /** What is wrong with the server, and what to do about it: /health tells the same. */
  problems: z.array(z.object({ problem: z.string(), advice: z.string() })),
  /** Background work that failed, in whole or in part, and is still kept. */
  failedJobs: z.int(),
  /** Storages whose last test failed. */
  failedStorages: z.array(z.object({ ...named, tested_at: z.string() })),
  fullStorages: z.array(z.object({ ...named, usagePercent: z.int() })),
  /** The first twenty to expire. */
  expiringKeys: z.array(z.object({ ...named, expires_at: z.string() })),
  /** Webhooks that the server has switched off: nothing arrived until the last try, or they answered 410. */
  webhooks: z.array(z.object({ ...named, reason: z.enum(["failed", "gone"]) })),
});

export const dashboard = {
  stats: endpoint({
    method: "GET",
    path: "/admin/dashboard/stats",
    packable: true,
    access: "admin",
    summary: `What there is, how full the storages are, what was shared this week, and what needs attention: storages above ${NEARLY_FULL_SHARE * 100} %, keys that expire within ${EXPIRES_SOON_DAYS} days, and failures`,
    response: z.object({
      data: z.object({
        totalPastes: z.int(),
        totalFiles: z.int(),
        totalApiKeys: z.int(),
        totalS3Configs: z.int(),
        /** Bytes. */
        totalStorageUsed: z.int(),
        s3Buckets: z.array(bucket),
        lastWeekPastes: week,
        lastWeekFiles: week,
        /** The first of those days, such as 2031-04-28. */
        weekStart: z.string(),
        attention,
        /** As /admin/backups tells it. */
        backup: backupStatus,
        /** What a new installation should do, and whether it is done. */
        firstSteps: z.object({
          /** The password is no longer one that the terminal printed. */
          password: z.boolean(),
          /** There is an API key. */
          key: z.boolean(),
          /** There is a storage besides the built-in disk. */
          storage: z.boolean(),
        }),
      }),
    }),
  }),
};

export type DashboardStats = z.output<typeof dashboard.stats.response>["data"];
