import type { Language } from "#contract/languages";
import type { OfferedStorage } from "#contract/storage";
import { t } from "../../../i18n/i18n.ts";
import { formatBytes } from "../../../lib/bytes.ts";
import type { UploadItem } from "../../../transfer/uploads.ts";
import type { Stage } from "../desk/stage.ts";

/** The storage that files go to when nobody chooses, and the chosen one; undefined while none is known. */
export function chosenOf(storages: readonly OfferedStorage[], chosen: string | undefined) {
  const first = storages.find(({ is_default }) => is_default === 1) ?? storages[0];
  return { first, shown: storages.find(({ id }) => id === chosen) ?? first };
}

/** Bytes for which the files to be sent still need room; what an earlier visit began has its own already. */
export const neededBy = ({ idle, refused }: Pick<Stage, "idle" | "refused">): number =>
  [...idle, ...refused]
    .filter(({ earlier }: UploadItem) => earlier === undefined)
    .reduce((sum, { file }) => sum + file.size, 0);

/** Reports whether a storage cannot take so many bytes; what nobody knows is not held against it. */
export const isTooSmall = ({ free_bytes: free }: OfferedStorage, bytes: number): boolean =>
  typeof free === "number" && bytes > free;

/** How much a storage still takes, in a few words; none for visitors, who are not told. */
export function roomText(storage: OfferedStorage, language: Language): string {
  const { free_bytes: freeBytes, limit_bytes: total } = storage;
  if (freeBytes === undefined || total === undefined) return "";
  if (freeBytes === null) return t(`upload.options.${total === null ? "unlimited" : "unknown"}`);
  const free = formatBytes(freeBytes, language);
  if (total === null) return t("upload.options.free", { free });
  return t("upload.options.freeOf", { free, total: formatBytes(total, language) });
}
