import type { UploadOptions } from "./uploads.ts";

/** Returns a digest; undefined where the browser has none (plain http). */
export type Digest = (text: string) => Promise<string | undefined>;

function openPart(options: UploadOptions) {
  const { storageId, path, name, slug, remark, expiresAt, expiryChoice, maxViews, useProxy, sealed } = options;
  const expiry = expiryChoice ?? expiresAt;
  const share = [slug || "", remark || "", expiry || "", maxViews || 0, useProxy ?? null];
  return [storageId || "", path || "", ...share, ...(name ? [name] : []), ...(sealed ? [sealed.id] : [])];
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
