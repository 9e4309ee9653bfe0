import { type Access, openAccess } from "./house/access.ts";
import { type Base, type Dependencies, openBase } from "./house/base.ts";
import { openShares, type Shares } from "./house/shares.ts";
import { openSweeper } from "./house/sweeper.ts";
import { openSystem } from "./house/system.ts";
import { openTree, type Tree } from "./house/tree.ts";
import { createImports } from "./import/import.ts";
import { addressSet, publicAnd } from "./lib/addresses.ts";
import { createClosing } from "./lib/closing.ts";
import { createPublicFacts } from "./shares/public-facts.ts";
import { createSealedAt } from "./shares/sealed-at.ts";
import { createDoctor } from "./stores/doctor/doctor.ts";
import { createThumbs } from "./thumbs/thumbs.ts";
import { createWebhooks, type Webhooks } from "./webhooks/webhooks.ts";

/** What tells of what happens to whom the administrator wants. */
function openWebhooks({ dependencies, cluster, events: queue }: Base): Webhooks {
  const { clock, log, secret, resolve, webhooks: { networks = addressSet([])[0], ...chosen } = {} } = dependencies;
  return createWebhooks({ cluster, clock, log, secret, queue, resolve, policy: publicAnd(networks), ...chosen });
}

/** What takes over from other servers, into the other rooms. */
function openImports(
  { dependencies, cluster, settings }: Base,
  { keys, passwords, links }: Access,
  tree: Tree,
  shares: Shares,
) {
  const { stores, transfers, vfs } = tree;
  const { pastes, files } = shares;
  const rooms = {
    configs: stores.configs,
    keys,
    mounts: vfs.mounts,
    settings,
    texts: pastes.imported,
    files: files.imported,
    links: links.imported,
    tree: vfs,
    transfers,
  };
  return createImports({ db: cluster.db, clock: dependencies.clock, passwords, rooms });
}

/**
 * Builds every room once, top to bottom. Throws when the database is newer than this Satchel, was made with another secret or has another
 * time, and when its first storage cannot be used.
 */
export async function openHouse(dependencies: Dependencies) {
  const { clock, log, resolve } = dependencies;
  const base = await openBase(dependencies);
  const { activity, metrics, cluster, settings } = base;
  const access = await openAccess(base);
  const { admin, sessions, keys, links, limits, identify, identifySigned, limiter, audit, callers } = access;
  const tree = await openTree(base, access);
  const { stores, transfers, vfs, jobs, digests } = tree;
  const shares = openShares(base, access, tree);
  const { pastes, files, sources, grants } = shares;
  const webhooks = openWebhooks(base);
  const thumbs = createThumbs({ folder: dependencies.folder, clock, log });
  const publicFacts = createPublicFacts({ ...shares, pictures: thumbs.known });
  const sealedAt = createSealedAt({ files, limiter, hasLink: links.has });
  const system = openSystem(base, access, tree, shares, webhooks);
  const sweeper = openSweeper(base, access, tree, shares, webhooks);
  const imports = openImports(base, access, tree, shares);

  return {
    access: { admin, sessions, keys, identify, identifySigned, limiter, audit, callers },
    shares: { pastes, files, sources, grants, limits, publicFacts, sealedAt },
    stores: { configs: stores.configs, doctor: createDoctor({ stores, clock, log, ...(resolve && { resolve }) }) },
    links,
    activity,
    transfers,
    vfs,
    jobs,
    settings,
    system: { ...system, metrics, sweeper },
    /** `events` takes what happens; the others are for the administrator, and deliver it. */
    webhooks: { ...webhooks, events: base.events },
    imports,
    thumbs,
    clock,
    log,
    cluster,
    /** Continues the work of the last server. Call it once, before any request is answered. */
    async start() {
      await cluster.start();
      await transfers.start();
      await jobs.start();
      digests.wake();
    },
    /** Stops jobs behind the files under way, and writes what rooms still hold in memory. Never rejects: what fails is logged. */
    async close() {
      const closing = createClosing(log);
      await closing("full storages", system.fullStorages.stop);
      await closing("backups", system.backups.stop);
      await closing("sweeper", sweeper.stop);
      await closing("jobs", jobs.close);
      await closing("receipts", digests.stop);
      await closing("share events", files.progress.close);
      await closing("thumbnails", thumbs.close);
      await closing("search index", vfs.close);
      await Promise.all([
        closing("texts", pastes.close),
        closing("files", files.close),
        closing("keys", keys.close),
        closing("activity", activity.close),
        closing("storages", stores.close),
      ]);
      await closing("webhooks", webhooks.stop);
      await closing("cluster", cluster.close);
      log.flush();
    },
  };
}

export type House = Awaited<ReturnType<typeof openHouse>>;
