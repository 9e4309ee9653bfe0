import { formatBytes } from "#contract/format-bytes";
import type { Language } from "#contract/languages";
import type { OfferedStorage } from "#contract/storage";
import { t } from "../../../i18n/i18n.ts";
import type { UploadItem } from "../../../transfer/uploads.ts";
import type { Stage } from "../state/rows-by-state.ts";

/** The default storage and the chosen one; undefined while unknown. */
export function chosenOf(storages: readonly OfferedStorage[], chosen: string | undefined) {
  const first = storages.find(({ is_default }) => is_default === 1) ?? storages[0];
  return { first, shown: storages.find(({ id }) => id === chosen) ?? first };
}

/** Bytes that the files to send still need; uploads of an earlier visit have reserved theirs already. */
export const neededBy = ({ idle, refused }: Pick<Stage, "idle" | "refused">): number =>
  [...idle, ...refused]
    .filter(({ earlier }: UploadItem) => earlier === undefined)
    .reduce((sum, { file }) => sum + file.size, 0);

/** Reports whether a storage cannot take so many bytes; an unknown capacity counts as enough. */
export const isTooSmall = ({ free_bytes: free }: OfferedStorage, bytes: number): boolean =>
  typeof free === "number" && bytes > free;

/** The free space of a storage in a few words; none for visitors. */
export function freeSpaceText(storage: OfferedStorage, language: Language): string {
  const { free_bytes: freeBytes, limit_bytes: total } = storage;
  if (freeBytes === undefined || total === undefined) return "";
  if (freeBytes === null) return t(`upload.options.${total === null ? "unlimited" : "unknown"}`);
  const free = formatBytes(freeBytes, language);
  if (total === null) return t("upload.options.free", { free });
  return t("upload.options.freeOf", { free, total: formatBytes(total, language) });
}
