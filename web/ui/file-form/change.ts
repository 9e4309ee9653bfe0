import type { FileChange, FileRecord } from "#contract/files";
import { type FilledShare, filledShare, shareChange } from "../share-form/filled.ts";

/** The form for a file share, as its fields hold it. */
export interface FilledFile extends FilledShare {
  readonly useProxy: boolean;
}

/** The form before anything was changed. */
export const filledFromFile = (file: FileRecord): FilledFile => ({
  ...filledShare(file),
  useProxy: file.use_proxy === 1,
});

/** Only what differs travels. */
export function fileChangeOf(filled: FilledFile, file: FileRecord): FileChange {
  const { expiresAt, maxViews, clearPassword, ...change } = shareChange(filled, file);
  return {
    ...change,
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
    ...(maxViews === undefined ? {} : { max_views: maxViews }),
    ...(clearPassword ? { password: "" } : {}),
    ...(filled.useProxy === (file.use_proxy === 1) ? {} : { use_proxy: filled.useProxy }),
  };
}
