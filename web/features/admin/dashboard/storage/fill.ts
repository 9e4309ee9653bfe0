import type { DashboardStats } from "#contract/dashboard";
import { NEARLY_FULL_SHARE } from "#contract/limits";

export type Bucket = DashboardStats["s3Buckets"][number];

/** How full something is, in three levels. */
type Level = "ok" | "filling" | "full";

/** Colours of the levels; words always say the same. */
export const levelColour: Readonly<Record<Level, string>> = { ok: "bg-ok", filling: "bg-accent", full: "bg-danger" };

/**
 * How full a storage is, from 0 to 1: of its limit, or without one of the disk that it shares with others; undefined where neither
 * is known.
 */
export function filledShare({ limit_bytes: limit, used_bytes: used, free_bytes: free, totalStorage }: Bucket) {
  if (limit !== null) return limit === 0 ? 1 : Math.min(1, used / limit);
  return free === null || totalStorage === 0 ? undefined : Math.max(0, 1 - free / totalStorage);
}

/** What others keep on the disk of a storage without a limit, in bytes; undefined where no such disk is known. */
export function othersBytes({ limit_bytes: limit, used_bytes: used, free_bytes: free, totalStorage }: Bucket) {
  if (limit !== null || free === null || totalStorage === 0) return undefined;
  return Math.max(0, totalStorage - free - used);
}

/** The level of a share. */
export function levelOf(share: number): Level {
  if (share >= NEARLY_FULL_SHARE) return "full";
  return share >= 0.75 ? "filling" : "ok";
}

/** A provider and how many of the storages are its. */
interface ProviderShare {
  readonly provider: string;
  readonly count: number;
  /** From 0 to 1. */
  readonly share: number;
}

/** The providers by how many storages they have, most first. */
export function providerShares(buckets: readonly Bucket[]): ProviderShare[] {
  const groups = [...Map.groupBy(buckets, ({ providerType }) => providerType)];
  return groups
    .map(([provider, { length: count }]) => ({ provider, count, share: count / buckets.length }))
    .sort((a, b) => b.count - a.count || a.provider.localeCompare(b.provider));
}
