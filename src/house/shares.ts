import { publicOnly, resolveByMachine } from "../lib/addresses.ts";
import { createSafeFetch } from "../lib/safe-fetch.ts";
import { createFiles } from "../shares/files.ts";
import type { Refused, Spent, SpentView } from "../shares/gate.ts";
import { createGrants } from "../shares/grants.ts";
import { createPastes } from "../shares/pastes.ts";
import { createTextQuotas } from "../shares/text-quotas.ts";
import { createSources } from "../shares/url-import.ts";
import type { WebhookQueue } from "../webhooks/queue.ts";
import type { Access } from "./access.ts";
import type { Base } from "./base.ts";
import type { Tree } from "./tree.ts";

/** Tells of a view that was spent. */
const tellView = ({ tell }: WebhookQueue, { kind, id, slug, filename, isLast }: SpentView): void => {
  const name = filename ?? null;
  tell({ type: "share.opened", item: { kind, id, slug, name, openings: 1 } });
  if (isLast) tell({ type: "share.spent", item: { kind, id, slug, name } });
};

/** Links to texts and files. */
export function openShares(
  base: Base,
  { limiter, passwords, limits, callers, links }: Access,
  { changes, transfers }: Tree,
) {
  const { dependencies, activity, metrics, disk, cluster, settings, events, steady } = base;
  const { secret, clock, log, resolve = resolveByMachine, sources: policy = publicOnly } = dependencies;
  const { db } = cluster;
  const grants = createGrants(secret);
  const quotas = createTextQuotas({ db, settings });
  const spent: Spent = (view, visitor) => {
    metrics?.spent(view);
    tellView(events, view);
    const bytes = view.kind === "paste" ? view.size : null;
    activity.note(view, visitor, { event: "opened", outcome: "whole", bytes });
  };
  const refused: Refused = (view, visitor) =>
    activity.note(view, visitor, { event: "refused", outcome: view.why, bytes: null });
  const common = { db, clock, log, passwords, grants, limits, limiter, cluster, spent, refused };
  const pastes = createPastes({ ...common, quotas, disk, edited: links.textsChanged });
  const files = createFiles({ ...common, settings, transfers, callers });
  changes.add(files);
  const fetchSource = createSafeFetch({ fetch, policy, resolve, clock: steady });
  const sources = createSources({ fetch: fetchSource, limiter, largest: transfers.largest });
  return { pastes, files, sources, grants, quotas };
}

export type Shares = ReturnType<typeof openShares>;
