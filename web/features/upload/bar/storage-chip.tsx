import HardDrive from "lucide-react/icons/hard-drive";
import type { OfferedStorage } from "#contract/storage";
import { useStorages } from "../../../api/upload-storages.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { providerName } from "../../../ui/provider-name.ts";
import { OptionChip } from "../../../ui/share-options/chip.tsx";
import { chosenOf, freeSpaceText, isTooSmall } from "./free-space.ts";

interface StorageChipProps {
  /** Whether the server may be asked which there are. */
  readonly ask: boolean;
  /** undefined is the default storage. */
  readonly chosen: string | undefined;
  /** Bytes that are to be sent. */
  readonly needed: number;
  readonly onChoose: (id: string | undefined) => void;
  /** What is wrong with the choice. */
  readonly error: string | undefined;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Which storage the files go to, where there is a choice. */
export function StorageChip({ ask, chosen, needed, onChoose, error, open, onOpenChange }: StorageChipProps) {
  useLanguage();
  const { data: storages = [] } = useStorages(ask);
  const { first, shown } = chosenOf(storages, chosen);
  if (!first || !shown || storages.length < 2) return null;
  return (
    <OptionChip
      icon={HardDrive}
      title={t("upload.options.storage")}
      text={shown.name}
      set={shown !== first}
      wrong={error !== undefined || isTooSmall(shown, needed)}
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
              standard={storage === first}
              tooSmall={isTooSmall(storage, needed)}
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
  readonly storage: OfferedStorage;
  readonly chosen: boolean;
  /** It is the one that takes what nobody chooses a place for. */
  readonly standard: boolean;
  readonly tooSmall: boolean;
  readonly onChoose: () => void;
}

function Choice({ storage, chosen, standard, tooSmall, onChoose }: ChoiceProps) {
  const language = useLanguage();
  const { name, provider_type } = storage;
  return (
    <button
      type="button"
      aria-pressed={chosen}
      data-autofocus={chosen || undefined}
      onClick={onChoose}
      className={classes(
        "min-h-11 rounded-lg border px-3 py-1.5 text-left transition-colors",
        chosen ? "border-accent bg-accent-soft text-accent" : "border-line hover:border-line-strong hover:bg-sunken",
      )}
    >
      <span className="flex items-baseline justify-between gap-3">
        <span className="wrap-anywhere font-medium">
          {t("upload.options.storageOption", { name, provider: providerName(provider_type) })}
        </span>
        {standard && (
          <span className="shrink-0 rounded-full bg-sunken px-2 py-0.5 text-muted text-xs">
            {t("upload.options.default")}
          </span>
        )}
      </span>
      <span className={classes("block text-[13px]", tooSmall ? "text-danger" : !chosen && "text-muted")}>
        {freeSpaceText(storage, language)}
        {tooSmall && <> · {t("upload.options.tooSmall")}</>}
      </span>
    </button>
  );
}
