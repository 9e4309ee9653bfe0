import type { StorageConfig } from "#contract/storage";
import { t } from "../../../i18n/i18n.ts";
import { formatBytes } from "../../../lib/bytes.ts";
import type { UploadItem } from "../../../transfer/uploads.ts";
import type { Stage } from "../desk/stage.ts";

/** The storage that files go to when nobody chooses, and the chosen one; undefined while none is known. */
export function chosenOf(storages: readonly StorageConfig[], chosen: string | undefined) {
  const first = storages.find(({ is_default }) => is_default === 1) ?? storages[0];
  return { first, shown: storages.find(({ id }) => id === chosen) ?? first };
}

/** Bytes for which the files to be sent still need room; what an earlier visit began has its own already. */
export const neededBy = ({ idle, refused }: Pick<Stage, "idle" | "refused">): number =>
  [...idle, ...refused]
    .filter(({ earlier }: UploadItem) => earlier === undefined)
    .reduce((sum, { file }) => sum + file.size, 0);

/** Whether a storage cannot take so many bytes; what nobody knows is not held against it. */
export const isTooSmall = ({ free_bytes }: StorageConfig, bytes: number): boolean =>
  free_bytes !== null && bytes > free_bytes;

/** How much a storage still takes, in a few words. */
export function roomText({ free_bytes, total_storage_bytes }: StorageConfig, language: string): string {
  if (free_bytes === null) return t(`upload.options.${total_storage_bytes === null ? "unlimited" : "unknown"}`);
  const free = formatBytes(free_bytes, language);
  if (total_storage_bytes === null) return t("upload.options.free", { free });
  return t("upload.options.freeOf", { free, total: formatBytes(total_storage_bytes, language) });
}
