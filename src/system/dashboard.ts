import { EXPIRES_SOON_DAYS, NEARLY_FULL_SHARE } from "#contract/limits";
import { BUILT_IN } from "#contract/providers";
import type { Admin } from "../access/admin.ts";
import type { Keys } from "../access/keys.ts";
import type { Clock } from "../lib/clock.ts";
import type { Files } from "../shares/files.ts";
import type { Pastes } from "../shares/pastes.ts";
import type { Transfers } from "../transfers/transfers.ts";
import type { Backups } from "./backups.ts";
import type { Health } from "./health.ts";

interface DashboardDeps {
  readonly clock: Clock;
  readonly pastes: Pick<Pastes, "count">;
  readonly files: Pick<Files, "count">;
  readonly keys: Pick<Keys, "count" | "expiring">;
  readonly admin: Pick<Admin, "hasGeneratedPassword">;
  readonly transfers: Pick<Transfers, "storages">;
  readonly health: Pick<Health, "check">;
  readonly backups: Pick<Backups, "status">;
  /** How many kept jobs failed, in whole or in part. */
  readonly failedJobs: () => Promise<number>;
  /** Webhooks that the server has switched off. */
  readonly webhooks: () => Promise<
    readonly { readonly id: string; readonly name: string; readonly disabled_reason: "failed" | "gone" }[]
  >;
}

type Stored = Awaited<ReturnType<Transfers["storages"]>>[number];

const DAY = 24 * 60 * 60 * 1000;
const DAYS = 7;
const MAX_LISTED = 20;

/** What there is, how full it is, what was shared this week, and what needs attention. */
export function createDashboard(deps: DashboardDeps) {
  const { clock, pastes, files, keys, admin, transfers, health, failedJobs, backups, webhooks } = deps;

  return {
    async stats() {
      const today = Math.floor(clock() / DAY);
      const week = { first: today - DAYS + 1, last: today };
      const [texts, shared, stored, keyCount, expiring, failed, isGenerated, { problems }, backup, off] =
        await Promise.all([
          pastes.count(week),
          files.count(week),
          transfers.storages(),
          keys.count(),
          keys.expiring(EXPIRES_SOON_DAYS * DAY, MAX_LISTED),
          failedJobs(),
          admin.hasGeneratedPassword(),
          health.check(),
          backups.status(),
          webhooks(),
        ]);
      const storages = stored.map((one) => ({
        ...one,
        files: shared.storages.get(one.config.id) ?? 0,
        share: share(one),
      }));
      return {
        texts: texts.total,
        files: storages.reduce((sum, one) => sum + one.files, 0),
        keys: keyCount,
        storages,
        week: { start: week.first * DAY, texts: texts.days, files: shared.days },
        backup,
        attention: {
          problems,
          failedJobs: failed,
          failedStorages: storages.filter(({ config }) => config.passed === 0),
          fullStorages: storages.filter(({ share }) => share >= NEARLY_FULL_SHARE),
          expiringKeys: expiring,
          webhooks: off,
        },
        firstSteps: {
          password: !isGenerated,
          key: keyCount > 0,
          storage: stored.some(({ config }) => config.provider_type !== BUILT_IN),
        },
      };
    },
  };
}

/** How much of a storage is used, from 0 to 1: of its limit, or without one of its volume, which others fill too. */
export function share({ config, used, free, capacity }: Stored): number {
  const filled = config.total_storage_bytes === null && free !== null ? capacity - free : used;
  return capacity === 0 ? 1 : Math.min(1, Math.max(0, filled / capacity));
}
