import type { Rights } from "../../../api/session/rights.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { keyName } from "../../../lib/keys.ts";
import { useStore } from "../../../lib/store.ts";
import { Button } from "../../../ui/button.tsx";
import { SealNote, useSealed } from "../../../ui/share-options/sealing.tsx";
import type { Stage } from "../state/rows-by-state.ts";
import type { UploadPageState } from "../state/upload-state.ts";
import { Chips, NoRoom } from "./chips.tsx";
import { neededBy } from "./free-space.ts";

interface StartBarProps {
  readonly uploadState: UploadPageState;
  readonly rights: Rights;
  readonly stage: Stage;
  /** Somebody has asked to upload nothing: now it is said. */
  readonly said: boolean;
  readonly onPress: () => void;
}

/** The options as chips and the one button of the page. */
export function StartBar({ uploadState, rights, stage, said, onPress }: StartBarProps) {
  useLanguage();
  const { idle, refused } = stage;
  const count = idle.length + refused.length;
  const needed = neededBy(stage);
  const sure = rights.signedIn || rights.visitors !== "unknown";
  const { optionsState, gathering } = uploadState;
  const sealed = useSealed();
  const { password } = useStore(optionsState.options);
  const packing = useStore(gathering.busy);
  const broken = useStore(gathering.broken);
  const nothing = t("upload.bar.nothing");
  return (
    <>
      {said && count === 0 ? (
        <p role="status" className="mb-2 text-muted">
          {nothing}
        </p>
      ) : null}
      {broken && (
        <p role="alert" className="mb-2 text-danger">
          {t("upload.problem.fileUnreadable")}
        </p>
      )}
      <NoRoom optionsState={optionsState} ask={sure} needed={needed} />
      <SealNote password={password} />
      <div className="flex flex-col gap-3 sm:flex-row sm:items-center">
        <div className="chips-row">
          <Chips optionsState={optionsState} several={count > 1} {...{ needed, sealed, sure }} />
        </div>
        <Button
          variant="primary"
          disabled={count === 0}
          busy={packing}
          title={count === 0 ? nothing : t("upload.bar.shortcut", { keys: keyName("Enter") })}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onClick={onPress}
          className="max-sm:w-full"
        >
          {packing ? t("upload.options.packing") : label(idle.length, count)}
        </Button>
      </div>
    </>
  );
}

function label(idle: number, count: number): string {
  if (count > 0 && idle === 0) return t("upload.bar.again");
  return count > 1 ? t("upload.bar.uploadMany", { count }) : t("upload.bar.upload");
}
