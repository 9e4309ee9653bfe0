import type { Ref } from "react";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { Button } from "../../../../ui/button.tsx";
import { Notice } from "../../../../ui/notice.tsx";
import { ProgressBar } from "../../../../ui/upload-row/progress-bar.tsx";
import type { usePictures } from "./use-pictures.ts";

interface PictureInputProps {
  readonly ref: Ref<HTMLInputElement>;
  readonly onPick: (files: readonly File[]) => unknown;
}

/** Picks pictures for the text. */
export function PictureInput({ ref, onPick }: PictureInputProps) {
  useLanguage();
  return (
    <input
      ref={ref}
      type="file"
      accept="image/*"
      multiple
      hidden
      aria-label={t("editing.tool.picture")}
      onChange={(event) => {
        onPick([...(event.target.files ?? [])]);
        // The same file may be picked again.
        event.target.value = "";
      }}
    />
  );
}

/** How far pictures on their way into the text are, and what became of those that did not get there. */
export function PictureNotes({ pictures }: { readonly pictures: ReturnType<typeof usePictures> }) {
  useLanguage();
  const { waiting, percent, lost, problem, again, forgive } = pictures;
  const [first] = lost;
  if (waiting === 0 && !first && !problem) return null;
  return (
    <div className="grid gap-2 border-line border-b px-4 py-2 sm:px-6">
      {waiting > 0 ? (
        <div role="status" className="flex items-center gap-3 text-[13px] text-muted">
          <span className="whitespace-nowrap">{t("editing.picture.sending", { count: waiting })}</span>
          <div className="min-w-24 max-w-60 flex-1">
            <ProgressBar label={t("editing.picture.sending", { count: waiting })} percent={percent} still={false} />
          </div>
        </div>
      ) : null}
      {first ? (
        <Notice
          tone="error"
          action={
            <span className="flex gap-2">
              <Button onClick={again}>{t("shell.actions.retry")}</Button>
              <Button variant="plain" onClick={forgive}>
                {t("shell.actions.close")}
              </Button>
            </span>
          }
        >
          {t("editing.picture.lost", { name: first.file.name, reason: first.reason, count: lost.length })}
        </Notice>
      ) : null}
      {problem ? (
        <Notice tone="error" action={<Button onClick={forgive}>{t("shell.actions.close")}</Button>}>
          {problem}
        </Notice>
      ) : null}
    </div>
  );
}
