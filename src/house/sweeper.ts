import { ENDED_LINK_KEPT, GONE_SHARE_KEPT, RECEIPT_KEPT, REQUEST_KEY_LIFE, UPLOAD_LIFE } from "#contract/limits";
import { createSweeper } from "../system/sweeper.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import type { Access } from "./access.ts";
import type { Base } from "./base.ts";
import type { Shares } from "./shares.ts";
import type { Tree } from "./tree.ts";

/** What is removed periodically. */
export function openSweeper(base: Base, access: Access, tree: Tree, shares: Shares, webhooks: Webhooks) {
  const { dependencies, activity, own, disk, cluster } = base;
  const { clock, log } = dependencies;
  const { db } = cluster;
  const { counting, known, sessions, audit, admin, links } = access;
  const { stores, transfers, vfs, jobs } = tree;
  const { pastes, files } = shares;
  const holdSpare = async () => {
    own.spare?.take(disk.free());
    return 0;
  };
  const buildIndexes = async () => {
    await db.buildIndexes();
    return 0;
  };
  const sent = { look: transfers.look, ended: transfers.uploads.ended };
  return createSweeper(
    [
      { name: "spare room of the database", sweep: holdSpare },
      { name: "texts", sweep: () => pastes.sweep(GONE_SHARE_KEPT) },
      { name: "files", sweep: (silent) => files.sweep(GONE_SHARE_KEPT, silent) },
      { name: "links", sweep: () => links.sweep(ENDED_LINK_KEPT) },
      { name: "abandoned uploads", sweep: (silent) => files.sweepAbandoned(UPLOAD_LIFE, silent) },
      { name: "uploads", sweep: (silent) => transfers.sweep(clock() - UPLOAD_LIFE, silent) },
      // Behind those, which say what of uploads is left.
      { name: "files that come by links", sweep: () => links.arrivals.sweepArrivals(sent, RECEIPT_KEPT) },
      { name: "results of uploads", sweep: transfers.sweepEnded },
      { name: "files of visitors", sweep: transfers.sweepVisitors },
      { name: "changes that were not told", sweep: transfers.sweepChanges },
      { name: "request keys of texts", sweep: () => pastes.forgetRequestKeys(REQUEST_KEY_LIFE) },
      { name: "request keys of files", sweep: () => files.forgetRequestKeys(REQUEST_KEY_LIFE) },
      { name: "what a backup has left", sweep: stores.sweepKept },
      { name: "trash", sweep: vfs.sweepTrash },
      { name: "search index", sweep: vfs.sweepIndex },
      { name: "jobs", sweep: jobs.sweep },
      { name: "locks", sweep: vfs.locks.sweep },
      { name: "sessions", sweep: sessions.sweep },
      { name: "sign-in links", sweep: admin.sweep },
      { name: "audit log", sweep: audit.sweep },
      { name: "activity", sweep: activity.sweep },
      { name: "free pages", sweep: db.shrink },
      { name: "guesses", sweep: async () => (counting ? await counting.sweep() : 0) },
      { name: "known addresses", sweep: known.sweep },
      { name: "deliveries of webhooks", sweep: webhooks.sweep },
      { name: "leases and changes", sweep: cluster.sweep },
      // Behind all others, because that takes as long as it takes.
      { name: "indexes", sweep: buildIndexes },
    ],
    {
      log,
      clock,
      elapsed: () => performance.now(),
      takeTurn: (lately) => cluster.leases.takeEvery("sweep", lately),
    },
  );
}
