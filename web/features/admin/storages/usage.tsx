import { formatBytes } from "#contract/format-bytes";
import type { StorageConfig } from "#contract/storage";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";

/** From here on a storage is called almost full. */
const ALMOST = 0.95;

/** How much a storage holds, of how much it may, and what it still takes. */
export function Usage({ storage }: { readonly storage: StorageConfig }) {
  const language = useLanguage();
  const { limit_bytes: total, used_bytes: usedBytes, free_bytes: freeBytes } = storage;
  const used = formatBytes(usedBytes, language);
  const share = total === null ? 0 : Math.min(1, usedBytes / total);
  return (
    <div className="grid gap-1.5">
      <p className="flex flex-wrap justify-between gap-x-4 text-[13px] tabular-nums">
        <span>
          {total === null
            ? t("storage.usage.unlimited", { used })
            : t("storage.usage.of", { used, total: formatBytes(total, language) })}
        </span>
        {freeBytes !== null && (
          <span className={share >= ALMOST ? "text-danger" : "text-muted"}>
            {t("storage.usage.free", { free: formatBytes(freeBytes, language) })}
          </span>
        )}
      </p>
      {total !== null && (
        // The sentence above says it in words.
        <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-line">
          <div
            className={classes("h-full origin-left rounded-full", share >= ALMOST ? "bg-danger" : "bg-accent")}
            style={{ width: `${share * 100}%` }}
          />
        </div>
      )}
    </div>
  );
}
