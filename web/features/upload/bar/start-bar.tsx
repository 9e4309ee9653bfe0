import type { Rights } from "../../../api/rights.ts";
import { useStorages } from "../../../api/storage.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { formatBytes } from "../../../lib/bytes.ts";
import { keyName } from "../../../lib/keys.ts";
import { useStore } from "../../../lib/store.ts";
import { Button } from "../../../ui/button.tsx";
import { noOptions, type OptionProblem, optionProblem, type ShareOptions } from "../../../ui/share-options/options.ts";
import { ShareChips } from "../../../ui/share-options/share-chips.tsx";
import type { ChipName, ChipRefusal, Place } from "../desk/choice.ts";
import type { Desk } from "../desk/desk.ts";
import type { Stage } from "../desk/stage.ts";
import { FolderChip } from "./folder-chip.tsx";
import { chosenOf, isTooSmall, neededBy } from "./room.ts";
import { StorageChip } from "./storage-chip.tsx";

interface StartBarProps {
  readonly desk: Desk;
  readonly rights: Rights;
  readonly stage: Stage;
  /** Somebody has asked to upload nothing: now it is said. */
  readonly said: boolean;
  readonly onPress: () => void;
}

/** The options as chips and the one button of the page. */
export function StartBar({ desk, rights, stage, said, onPress }: StartBarProps) {
  useLanguage();
  const { idle, refused } = stage;
  const count = idle.length + refused.length;
  const needed = neededBy(stage);
  const sure = rights.signedIn || rights.visitors !== "unknown";
  const nothing = t("upload.bar.nothing");
  return (
    <>
      {said && count === 0 ? (
        <p role="status" className="mb-2 text-muted">
          {nothing}
        </p>
      ) : null}
      <NoRoom desk={desk} ask={sure} needed={needed} />
      <div className="flex flex-col gap-3 sm:flex-row sm:items-center">
        <div className="chips-row">
          <Chips desk={desk} several={count > 1} needed={needed} sure={sure} />
        </div>
        <Button
          variant="primary"
          disabled={count === 0}
          title={count === 0 ? nothing : t("upload.bar.shortcut", { keys: keyName("Enter") })}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onClick={onPress}
          className="max-sm:w-full"
        >
          {label(idle.length, count)}
        </Button>
      </div>
    </>
  );
}

function label(idle: number, count: number): string {
  if (count > 0 && idle === 0) return t("upload.bar.again");
  return count > 1 ? t("upload.bar.uploadMany", { count }) : t("upload.bar.upload");
}

interface NoRoomProps {
  readonly desk: Desk;
  readonly ask: boolean;
  readonly needed: number;
}

/** TimedText before anything is sent: the chosen storage cannot take all of it. */
function NoRoom({ desk, ask, needed }: NoRoomProps) {
  const language = useLanguage();
  const { storageId } = useStore(desk.asking.place);
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
  readonly desk: Desk;
  readonly several: boolean;
  /** Bytes that are to be sent. */
  readonly needed: number;
  /** Whether it is known that one may upload, and not only hoped. */
  readonly sure: boolean;
}

function Chips({ desk: { asking }, several, needed, sure }: ChipsProps) {
  useLanguage();
  const options = useStore(asking.options);
  const place = useStore(asking.place);
  const open = useStore(asking.openChip);
  const refusals = useStore(asking.refusals);
  const errorAt = (chip: keyof Place) => {
    const refusal = refusals.find(({ field }) => field === chip);
    return refusal && t(refusal.words);
  };
  const follow = (chip: keyof Place) => (next: boolean) => asking.openChip.set(next ? chip : undefined);
  return (
    <ShareChips
      options={options}
      onChange={asking.choose}
      problem={optionProblem(options, Date.now()) ?? problemOf(refusals)}
      open={isShareChip(open) ? open : undefined}
      onOpen={asking.openChip.set}
      folder="/file/"
      suffixHint={several ? t("upload.options.suffixMany") : undefined}
    >
      <StorageChip
        ask={sure}
        chosen={place.storageId}
        needed={needed}
        onChoose={(storageId) => asking.goTo({ ...place, storageId })}
        error={errorAt("storageId")}
        open={open === "storageId"}
        onOpenChange={follow("storageId")}
      />
      <FolderChip
        folder={place.folder}
        onChange={(folder) => asking.goTo({ ...place, folder })}
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
