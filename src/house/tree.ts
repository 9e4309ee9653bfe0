import type { EventItem } from "#contract/webhooks";
import { createJobs } from "../jobs/jobs.ts";
import type { Failed } from "../jobs/runner.ts";
import { createTreeTasks } from "../jobs/tree-tasks.ts";
import { createArrivalDigests } from "../links/arrival-digests.ts";
import { createTextStorage } from "../shares/text-storage.ts";
import { openStores } from "../stores/stores.ts";
import { createChanges } from "../transfers/changes.ts";
import { createTransfers } from "../transfers/transfers.ts";
import { openVfs } from "../vfs/vfs.ts";
import type { WebhookQueue } from "../webhooks/queue.ts";
import type { Access } from "./access.ts";
import type { Base } from "./base.ts";

/** Tells of a job that failed, with the transaction that ends it. */
const toldJob =
  ({ told }: WebhookQueue): Failed =>
  ({ id, owner, reason }, when) =>
    told({ type: "job.failed", item: { job: id, owner, reason } }, when);

/** Storages, the tree on them, and the jobs that work on it. */
export async function openTree(base: Base, { keys, links, callers }: Access) {
  const { dependencies, metrics, disk, first, cluster, settings, events } = base;
  const { secret, clock, log, objects, durable, volume, holdsDataFolder, resolve, folders: named } = dependencies;
  const { db } = cluster;
  const common = { cluster, clock, log };
  const kept = { folder: objects, holdsDataFolder, durable, volume, first, named };
  const inTurn = cluster.turns("storage");
  const storageFailed = metrics?.storageFailed;
  const stores = await openStores({ ...common, ...kept, db, secret, resolve, inTurn, failed: storageFailed });
  const changes = createChanges();
  const failed = (item: EventItem<"upload.failed">) => events.tell({ type: "upload.failed", item });
  const { visitors } = keys;
  const transfers = createTransfers({ ...common, stores, settings, changes, failed, visitors });
  const digests = createArrivalDigests({ ...common, sha256Of: transfers.sha256Of });
  const arrivals = digests.after(links.arrivals);
  const texts = createTextStorage({ db, clock });
  const { patience } = dependencies;
  const rooms = { stores, disk, settings, transfers, changes, callers, arrivals, texts };
  const vfs = await openVfs({ ...common, ...rooms, secret, patience });
  changes.add(links);
  const tasks = createTreeTasks({ as: vfs.view, search: vfs.search });
  const jobs = {
    ...createJobs({ ...common, ...tasks, callers, failed: toldJob(events) }),
    run: tasks.run,
    folderFor: tasks.folderFor,
  };
  if (cluster.replica) metrics?.watchReplica(cluster.replica);
  metrics?.watch({ jobs: jobs.counts.byState, waiting: vfs.search.waiting });

  return { stores, changes, transfers, vfs, jobs, digests };
}

export type Tree = Awaited<ReturnType<typeof openTree>>;
