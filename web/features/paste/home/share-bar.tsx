import { t, useLanguage } from "../../../i18n/i18n.ts";
import { keyName } from "../../../lib/keys.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import type { OptionProblem, ShareOptions } from "../../../ui/share-options/options.ts";
import { SealNote } from "../../../ui/share-options/sealing.tsx";
import { ShareChips } from "../../../ui/share-options/share-chips.tsx";

interface ShareBarProps {
  readonly options: ShareOptions;
  readonly onChange: (options: ShareOptions) => void;
  readonly problem: OptionProblem | undefined;
  /** A refusal that belongs to no option. */
  readonly trouble: string | undefined;
  /** The last text waits on this device for a connection. */
  readonly kept: boolean;
  readonly openChip: keyof ShareOptions | undefined;
  readonly onOpenChip: (field: keyof ShareOptions | undefined) => void;
  /** Whether the text is sealed; undefined for who may share no files, which sealed texts are. */
  readonly sealed: boolean | undefined;
  readonly busy: boolean;
  /** Why nothing can be created now. */
  readonly obstacle: string | undefined;
  /** The same, once somebody has tried. */
  readonly said: string | undefined;
  readonly onCreate: () => void;
}

/** The options as chips and the one button of the page. */
export function ShareBar(props: ShareBarProps) {
  useLanguage();
  const { options, onChange, problem, trouble, kept, openChip, onOpenChip, sealed, busy, obstacle, said, onCreate } =
    props;
  return (
    <>
      {trouble ? (
        <Notice tone="error" className="mb-3">
          {trouble}
        </Notice>
      ) : null}
      {kept ? (
        <Notice tone="plain" className="mb-3">
          {t("paste.home.kept")}
        </Notice>
      ) : null}
      {said ? (
        <p role="status" className="mb-2 text-muted">
          {said}
        </p>
      ) : null}
      {sealed === undefined ? null : <SealNote password={options.password} />}
      <div className="flex flex-col gap-3 sm:flex-row sm:items-center">
        <div className="chips-row">
          <ShareChips
            {...{ options, onChange, problem, sealed }}
            folder={sealed ? "/s/" : "/paste/"}
            open={openChip}
            onOpen={onOpenChip}
          />
        </div>
        <Button
          variant="primary"
          busy={busy}
          disabled={obstacle !== undefined}
          title={obstacle ?? t("paste.home.shortcut", { keys: keyName("Enter") })}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onClick={onCreate}
          className="max-sm:w-full"
        >
          {busy ? t("paste.home.creating") : t("paste.home.create")}
        </Button>
      </div>
    </>
  );
}
