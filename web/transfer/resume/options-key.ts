import type { BegunOptions, UploadOptions } from "../uploads.ts";

/** Returns a digest; undefined where the browser has none (plain http). */
export type Digest = (text: string) => Promise<string | undefined>;

function openPart(options: UploadOptions) {
  const { storageId, path, name, slug, remark, expiresAt, expiryChoice, maxViews, useProxy, sealed } = options;
  const expiry = expiryChoice ?? expiresAt;
  const share = [slug || "", remark || "", expiry || "", maxViews || 0, useProxy ?? null];
  return [storageId || "", path || "", ...share, ...(name ? [name] : []), ...(sealed ? [sealed.id] : [])];
}

/** The options to remember, with which a later visit goes on; undefined where a password or a recipient is to be chosen again. */
export function begunOf(
  options: UploadOptions,
  sealing: { readonly key: string } | undefined,
): BegunOptions | undefined {
  const { storageId, path, slug, remark, expiresAt, expiryChoice, maxViews, useProxy, password } = options;
  if (password || sealing?.key === "") return undefined;
  const share = { storageId, path, slug, remark, expiresAt, expiryChoice, maxViews, useProxy };
  const chosen = Object.fromEntries(Object.entries(share).filter(([, value]) => value !== undefined));
  return sealing ? { ...chosen, seal: { password: "" } } : chosen;
}

/** Identifies options, for this page's memory only: it contains the password. */
export const optionsKey = (options: UploadOptions): string =>
  JSON.stringify([...openPart(options), options.password || ""]);

/**
 * Identifies options after a reload. It is stored, and contains a password only as a digest. Empty where that cannot be
 * computed: an empty mark equals none.
 */
export async function markOf(options: UploadOptions, salt: string, digest: Digest): Promise<string> {
  if (!options.password) return JSON.stringify(openPart(options));
  return (await digest(`${salt} ${optionsKey(options)}`)) ?? "";
}
