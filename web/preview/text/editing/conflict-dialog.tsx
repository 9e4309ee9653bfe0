import { useState } from "react";
import { failureText } from "../../../api/failure.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import { TextView } from "../text-view.tsx";

interface ConflictDialogProps {
  readonly mine: string;
  readonly theirs: string;
  /** Writes mine over theirs; throws when that fails. */
  readonly onKeepMine: () => Promise<unknown>;
  /** Goes on with theirs in the editor. */
  readonly onTakeTheirs: () => void;
  readonly onClose: () => void;
}

/** Somebody else has saved another text meanwhile: both side by side, and nothing is lost before one is chosen. */
export function ConflictDialog({ mine, theirs, onKeepMine, onTakeTheirs, onClose }: ConflictDialogProps) {
  useLanguage();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>();
  const keep = async () => {
    setBusy(true);
    try {
      await onKeepMine();
    } catch (error) {
      setRefused(error);
      setBusy(false);
    }
  };
  const footer = (
    <>
      <Button onClick={onClose}>{t("editing.conflict.later")}</Button>
      <Button onClick={onTakeTheirs}>{t("editing.conflict.takeTheirs")}</Button>
      <Button variant="danger" busy={busy} onClick={keep}>
        {t("editing.conflict.keepMine")}
      </Button>
    </>
  );
  return (
    <Dialog wide title={t("editing.conflict.title")} onClose={onClose} footer={footer}>
      <p className="mb-4 text-muted">{t("editing.conflict.text")}</p>
      <div className="grid gap-4 md:grid-cols-2">
        <Side title={t("editing.conflict.mine")} text={mine} />
        <Side title={t("editing.conflict.theirs")} text={theirs} />
      </div>
      {refused === undefined ? null : (
        <Notice tone="error" className="mt-4">
          {failureText(refused)}
        </Notice>
      )}
    </Dialog>
  );
}

function Side({ title, text }: { readonly title: string; readonly text: string }) {
  useLanguage();
  return (
    <section aria-label={title} className="flex min-w-0 flex-col rounded-lg border border-line">
      <header className="flex items-center justify-between gap-2 border-line border-b py-1 pr-1 pl-3">
        <h3 className="font-medium text-[13px]">{title}</h3>
        <CopyButton variant="plain" text={text} label={t("editing.conflict.copy")} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard */}
      <div tabIndex={0} className="max-h-[45dvh] min-h-24 overflow-auto p-3 text-[13px]">
        <TextView text={text} label={title} />
      </div>
    </section>
  );
}
