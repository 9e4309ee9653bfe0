import { formatBytes } from "#contract/format-bytes";
import { useStorages } from "../../../api/upload-storages.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useStore } from "../../../lib/store.ts";
import { sealing } from "../../../page/sealing.ts";
import { noOptions, type OptionProblem, type ShareOptions } from "../../../ui/share-options/options.ts";
import { ShareChips } from "../../../ui/share-options/share-chips.tsx";
import type { ChipName, ChipRefusal, Place } from "../state/chips.ts";
import type { OptionsState } from "../state/options-state.ts";
import { FolderChip } from "./folder-chip.tsx";
import { chosenOf, isTooSmall } from "./free-space.ts";
import { StorageChip } from "./storage-chip.tsx";
import { TogetherSwitch } from "./together-switch.tsx";

interface NoRoomProps {
  readonly optionsState: OptionsState;
  readonly ask: boolean;
  readonly needed: number;
}

/** Said before anything is sent: the chosen storage cannot take all of it. */
export function NoRoom({ optionsState, ask, needed }: NoRoomProps) {
  const language = useLanguage();
  const { storageId } = useStore(optionsState.place);
  const { data: storages = [] } = useStorages(ask);
  const { shown } = chosenOf(storages, storageId);
  if (typeof shown?.free_bytes !== "number" || !isTooSmall(shown, needed)) return null;
  const [wanted, free] = [formatBytes(needed, language), formatBytes(shown.free_bytes, language)];
  return (
    <p role="status" className="wrap-anywhere mb-2 text-danger">
      {t("upload.options.noRoom", { needed: wanted, name: shown.name, free })}
    </p>
  );
}

interface ChipsProps {
  readonly optionsState: OptionsState;
  readonly several: boolean;
  /** Bytes that are to be sent. */
  readonly needed: number;
  /** Whether it is sealed; undefined where that is not offered. */
  readonly sealed?: boolean;
  /** Whether it is known that one may upload, and not only hoped. */
  readonly sure: boolean;
}

/** What a share of what is sent shall be, and where it goes. */
export function Chips({ optionsState, several, needed, sealed, sure }: ChipsProps) {
  useLanguage();
  const options = useStore(optionsState.options);
  const place = useStore(optionsState.place);
  const open = useStore(optionsState.openChip);
  const refusals = useStore(optionsState.refusals);
  const together = useStore(sealing.together);
  const errorAt = (chip: keyof Place) => {
    const refusal = refusals.find(({ field }) => field === chip);
    return refusal && t(refusal.words);
  };
  const follow = (chip: keyof Place) => (next: boolean) => optionsState.openChip.set(next ? chip : undefined);
  return (
    <ShareChips
      options={options}
      onChange={optionsState.choose}
      problem={problemOf(refusals)}
      open={isShareChip(open) ? open : undefined}
      onOpen={optionsState.openChip.set}
      folder={sealed ? "/s/" : "/file/"}
      sealed={sealed}
      besideSealed={sealed && several ? <TogetherSwitch /> : null}
      suffixHint={several && !(sealed && together) ? t("upload.options.suffixMany") : undefined}
    >
      <StorageChip
        ask={sure}
        chosen={place.storageId}
        needed={needed}
        onChoose={(storageId) => optionsState.goTo({ ...place, storageId })}
        error={errorAt("storageId")}
        open={open === "storageId"}
        onOpenChange={follow("storageId")}
      />
      <FolderChip
        folder={place.folder}
        onChange={(folder) => optionsState.goTo({ ...place, folder })}
        error={errorAt("folder")}
        open={open === "folder"}
        onOpenChange={follow("folder")}
      />
    </ShareChips>
  );
}

const isShareChip = (chip: ChipName | undefined): chip is keyof ShareOptions =>
  chip !== undefined && Object.hasOwn(noOptions, chip);

/** What the server has said against one of the options that every share has. */
const problemOf = (refusals: readonly ChipRefusal[]): OptionProblem | undefined =>
  refusals.find((refusal) => refusal.field === "slug" || refusal.field === "expiry");
