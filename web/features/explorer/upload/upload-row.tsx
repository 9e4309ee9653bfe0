import Pause from "lucide-react/icons/pause";
import Play from "lucide-react/icons/play";
import RotateCw from "lucide-react/icons/rotate-cw";
import X from "lucide-react/icons/x";
import { memo } from "react";
import { formatBytes } from "#contract/format-bytes";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import type { UploadItem, Uploads } from "../../../transfer/uploads.ts";
import { IconButton } from "../../../ui/button.tsx";
import { FileName } from "../../../ui/file/file-name.tsx";
import { percentOf } from "../../../ui/upload-row/amounts.ts";
import { isWarning, problemText } from "../../../ui/upload-row/problems.ts";
import { ProgressBar } from "../../../ui/upload-row/progress-bar.tsx";
import { progressTexts, sentOf } from "../../../ui/upload-row/progress-texts.ts";
import { useTree } from "../tree.ts";

interface UploadRowProps {
  readonly item: UploadItem;
  readonly uploads: Uploads;
  readonly top: number;
  readonly height: number;
}

/** One upload: how it stands, and what can be done about it. */
export const UploadRow = memo(function UploadRow({ item, uploads, top, height }: UploadRowProps) {
  useLanguage();
  const { id, name, state, canPause, canRetry, sent, file, waiting } = item;
  const begun = state === "uploading" || state === "paused";
  const shown = shownName(name);
  const act = (verb: "pause" | "resume" | "retry" | "cancel" | "remove") => {
    const action = t(`upload.row.${verb}`);
    return { label: t("upload.row.named", { action, name: shown }), title: action };
  };
  return (
    <li
      data-state={state}
      style={{ height, transform: `translateY(${top}px)` }}
      className="absolute inset-x-0 top-0 flex items-center gap-2 border-line border-b"
    >
      <div className="grid min-w-0 flex-1 gap-0.5">
        <FileName name={name} />
        {begun && (
          <ProgressBar
            label={t("upload.row.progress", { name: shown })}
            percent={percentOf(sent, file.size)}
            still={state === "paused" || waiting !== undefined}
          />
        )}
        <Facts item={item} />
      </div>
      {begun && (
        <IconButton
          {...act(canPause ? "pause" : "resume")}
          onClick={() => (canPause ? uploads.pause(id) : uploads.resume(id))}
          disabled={!canPause && state !== "paused"}
        >
          {canPause || state !== "paused" ? <Pause aria-hidden /> : <Play aria-hidden />}
        </IconButton>
      )}
      {canRetry && (
        <IconButton {...act("retry")} onClick={() => uploads.retry(id)}>
          <RotateCw aria-hidden />
        </IconButton>
      )}
      <IconButton
        {...act(begun ? "cancel" : "remove")}
        onClick={() => (begun ? void uploads.cancel(id) : uploads.remove(id))}
      >
        <X aria-hidden />
      </IconButton>
    </li>
  );
});

function Facts({ item }: { readonly item: UploadItem }) {
  const language = useLanguage();
  const { link } = useTree();
  const { state, failure, folder, file } = item;
  if (state === "failed" && failure) {
    return (
      <p
        title={problemText(failure, item)}
        className={`truncate text-[13px] ${isWarning(failure) ? "text-accent" : "text-danger"}`}
      >
        {problemText(failure, item)}
      </p>
    );
  }
  const facts =
    state === "completed"
      ? [formatBytes(file.size, language), ...(link?.isBlind ? [] : [t("explorer.upload.into", { folder })])]
      : [sentOf(item, language), ...progressTexts(item, language)];
  return <p className="truncate text-[13px] text-muted tabular-nums">{facts.join(" · ")}</p>;
}
