import type { UploadOptions } from "./uploads.ts";

/** Gives a digest, or nothing where the browser has none (plain http). */
export type Digest = (text: string) => Promise<string | undefined>;

function openPart(options: UploadOptions) {
  const { storageId, path, name, slug, remark, expiresAt, expiryChoice, maxViews, useProxy } = options;
  const expiry = expiryChoice ?? expiresAt;
  const share = [slug || "", remark || "", expiry || "", maxViews || 0, useProxy ?? null];
  return [storageId || "", path || "", ...share, ...(name ? [name] : [])];
}

/** Identifies options while the page lives; contains the password. */
export const optionsKey = (options: UploadOptions): string =>
  JSON.stringify([...openPart(options), options.password || ""]);

/**
 * Identifies options after a reload, and is stored: it contains a password only as a digest. An empty mark is
 * incomparable: it equals none.
 */
export async function markOf(options: UploadOptions, salt: string, digest: Digest): Promise<string> {
  if (!options.password) return JSON.stringify(openPart(options));
  return (await digest(`${salt} ${optionsKey(options)}`)) ?? "";
}
