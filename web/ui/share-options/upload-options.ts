import type { UploadOptions } from "../../transfer/uploads.ts";
import { expiresAt, type ShareOptions } from "./options.ts";
import { viewLimit } from "./share-problems.ts";

/** What the chips ask for, as the upload machine takes it; `now` in epoch milliseconds. */
export const uploadOptionsOf = (options: ShareOptions, now: number, sealed: boolean): UploadOptions => ({
  slug: options.slug,
  password: sealed ? "" : options.password,
  // Said either way: options that are changed later must not leave the earlier seal.
  seal: sealed ? { password: options.password } : undefined,
  remark: options.remark.trim(),
  maxViews: viewLimit(options.maxViews) ?? 0,
  expiresAt: expiresAt(options.expiry, now),
  ...(options.expiry.kind === "after" ? { expiryChoice: `${options.expiry.hours} hours` } : {}),
});
