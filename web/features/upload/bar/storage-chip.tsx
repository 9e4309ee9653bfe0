import HardDrive from "lucide-react/icons/hard-drive";
import type { StorageConfig } from "#contract/storage";
import { useStorages } from "../../../api/storage.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { formatBytes } from "../../../lib/bytes.ts";
import { classes } from "../../../lib/classes.ts";
import { OptionChip } from "../../../ui/share-options/chip.tsx";

interface StorageChipProps {
  /** Whether the server may be asked which there are. */
  readonly ask: boolean;
  /** undefined is the default storage. */
  readonly chosen: string | undefined;
  readonly onChoose: (id: string | undefined) => void;
  /** What is wrong with the choice. */
  readonly error: string | undefined;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Which storage the files go to, where there is a choice. */
export function StorageChip({ ask, chosen, onChoose, error, open, onOpenChange }: StorageChipProps) {
  useLanguage();
  const { data: storages = [] } = useStorages(ask);
  const first = storages.find(({ is_default }) => is_default === 1) ?? storages[0];
  const shown = storages.find(({ id }) => id === chosen) ?? first;
  if (!first || !shown || storages.length < 2) return null;
  return (
    <OptionChip
      icon={HardDrive}
      title={t("upload.options.storage")}
      text={shown.name}
      set={shown !== first}
      wrong={error !== undefined}
      open={open}
      onOpenChange={onOpenChange}
    >
      {(close) => (
        <fieldset className="grid gap-1.5">
          <legend className="mb-2 font-medium text-sm">{t("upload.options.storage")}</legend>
          {error && (
            <p role="alert" className="text-[13px] text-danger">
              {error}
            </p>
          )}
          {storages.map((storage) => (
            <Choice
              key={storage.id}
              storage={storage}
              chosen={storage === shown}
              onChoose={() => {
                onChoose(storage === first ? undefined : storage.id);
                close();
              }}
            />
          ))}
        </fieldset>
      )}
    </OptionChip>
  );
}

interface ChoiceProps {
  readonly storage: StorageConfig;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

function Choice({ storage, chosen, onChoose }: ChoiceProps) {
  const language = useLanguage();
  const { name, provider_type, total_storage_bytes, used_bytes } = storage;
  const free = total_storage_bytes === null ? undefined : Math.max(0, total_storage_bytes - used_bytes);
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      className={classes(
        "min-h-11 rounded-lg border px-3 py-1.5 text-left transition-colors",
        chosen ? "border-accent bg-accent-soft text-accent" : "border-line hover:border-line-strong hover:bg-sunken",
      )}
    >
      <span className="block wrap-anywhere font-medium">
        {t("upload.options.storageOption", { name, provider: provider_type })}
      </span>
      <span className={classes("block text-[13px]", !chosen && "text-muted")}>
        {free === undefined
          ? t("upload.options.unlimited")
          : t("upload.options.free", { size: formatBytes(free, language) })}
      </span>
    </button>
  );
}
