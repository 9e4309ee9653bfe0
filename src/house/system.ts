import type { EventItem } from "#contract/webhooks";
import { clockFault } from "../database/clock-check.ts";
import { iso } from "../lib/clock.ts";
import { createBackups } from "../system/backups.ts";
import type { Run } from "../system/backups-table.ts";
import { createCaches } from "../system/caches.ts";
import { createDashboard } from "../system/dashboard.ts";
import { createFullStorages } from "../system/full-storages.ts";
import { createHealth } from "../system/health.ts";
import { createReadiness } from "../system/ready.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import type { Access } from "./access.ts";
import type { Base } from "./base.ts";
import type { Shares } from "./shares.ts";
import type { Tree } from "./tree.ts";

/** What the administrator and monitors see. */
export function openSystem(base: Base, { keys, links, admin }: Access, tree: Tree, shares: Shares, webhooks: Webhooks) {
  const { pastes, files, quotas } = shares;
  const { dependencies, metrics, isFull, disk, schema, cluster, settings, events, steady } = base;
  const { clock, log } = dependencies;
  const { stores, transfers, vfs, jobs } = tree;
  const { db } = cluster;
  const allCaches = [pastes.cache, ...files.caches, keys.cache, links.cache, ...vfs.caches];
  const caches = createCaches({ caches: allCaches, clock, cluster });
  const { shared } = cluster;
  const timed = { clockFault: async () => (dependencies.sameTime ? await clockFault(db, clock) : undefined) };
  const disks = [disk, stores.space];
  const health = createHealth({ db, clock, log, ...timed, isFull, disks, quotas, transfers, stores, shared });
  const { known } = schema;
  const { probe } = stores;
  const readiness = createReadiness({ db, known, ...timed, probe, shared, elapsed: steady, log });
  const failedJobs = jobs.counts.failed;
  const failed = ({ began, by }: Run) => events.told({ type: "backup.failed", item: { started_at: iso(began), by } });
  const backups = createBackups({ cluster, clock, log, settings, failed, ...dependencies.backups });
  metrics?.watchBackups(backups.status);
  const { switchedOff } = webhooks;
  const counted = { clock, pastes, files, keys, admin, transfers };
  const dashboard = createDashboard({ ...counted, health, failedJobs, backups, webhooks: switchedOff });
  const full = (item: EventItem<"storage.full">) => events.told({ type: "storage.full", item });
  const fullStorages = createFullStorages({ cluster, log, transfers, full, isWanted: events.isWanted });
  return { health, readiness, dashboard, caches, backups, fullStorages };
}
