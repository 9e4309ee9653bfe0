import { dashboard as api } from "#contract/dashboard";
import type { House } from "../../../house.ts";
import { iso } from "../../../lib/clock.ts";
import { healthAdvice } from "../../../system/health.ts";
import type { Bind } from "../bind.ts";
import { languageOf } from "../failures.ts";
import { shownBackups } from "./backups.ts";
import { shownStorage } from "./storage.ts";

/** The dashboard over REST, in the shape that existing clients expect and with what ours shows besides. */
export function bindDashboard(bind: Bind, { system: { dashboard } }: Pick<House, "system">): void {
  bind(api.stats, async ({ principal, request: { headers } }) => {
    const language = languageOf(headers);
    const { texts, files, keys, storages, week, attention, firstSteps, backup } = await dashboard.stats();
    const s3Buckets = storages.map((stored) => ({
      ...shownStorage(principal, stored),
      usage: { file_count: stored.files, total_size: stored.used },
      usedStorage: stored.used,
      totalStorage: stored.capacity,
      fileCount: stored.files,
      usagePercent: percent(stored.used / Math.max(1, stored.capacity)),
      providerType: stored.config.provider_type,
    }));
    return {
      data: {
        totalPastes: texts,
        totalFiles: files,
        totalApiKeys: keys,
        totalS3Configs: storages.length,
        totalStorageUsed: storages.reduce((sum, { used }) => sum + used, 0),
        s3Buckets,
        lastWeekPastes: week.texts,
        lastWeekFiles: week.files,
        weekStart: iso(week.start).slice(0, 10),
        attention: {
          problems: attention.problems.map((problem) => ({ problem, advice: healthAdvice[problem][language] })),
          failedJobs: attention.failedJobs,
          failedStorages: attention.failedStorages.map(({ config: { id, name, tested_at } }) => ({
            id,
            name,
            tested_at: iso(tested_at ?? 0),
          })),
          fullStorages: attention.fullStorages.map(({ config: { id, name }, share }) => ({
            id,
            name,
            usagePercent: percent(share),
          })),
          expiringKeys: attention.expiringKeys.map(({ id, name, expires_at }) => ({
            id,
            name,
            expires_at: iso(expires_at),
          })),
          webhooks: attention.webhooks.map(({ id, name, disabled_reason }) => ({ id, name, reason: disabled_reason })),
        },
        backup: shownBackups(backup),
        firstSteps,
      },
    };
  });
}

/** A share of 1 as a whole percentage, at most 100. */
const percent = (share: number): number => Math.min(100, Math.round(share * 100));
