import { memo } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { shownName } from "../../../lib/shown-name.ts";
import type { UploadItem } from "../../../transfer/uploads.ts";
import { FileName } from "../../../ui/file/file-name.tsx";
import { percentOf } from "../../../ui/upload-row/amounts.ts";
import { ProgressBar } from "../../../ui/upload-row/progress-bar.tsx";
import type { UploadPageState } from "../state/upload-state.ts";
import { RowActions } from "./row-actions.tsx";
import { RowFacts } from "./row-facts.tsx";
import { Thumbnail } from "./thumbnail.tsx";

interface RowProps {
  readonly item: UploadItem;
  readonly uploadState: UploadPageState;
  readonly mayUpload: boolean;
  /** Its place in the list, from 1 on, of which perhaps not everything is drawn. */
  readonly at: number;
  readonly of: number;
}

/** One file of the list. */
export const Row = memo(function Row({ item, uploadState, mayUpload, at, of }: RowProps) {
  useLanguage();
  const { file, state, sent, waiting } = item;
  const done = state === "completed";
  const begun = state === "uploading" || state === "paused";
  return (
    <li
      data-state={state}
      aria-posinset={at}
      aria-setsize={of}
      className={classes(
        "flex items-center gap-x-3 border-line border-t px-4 py-3",
        // On a phone the link and what one does with it take a line each.
        done && "max-sm:flex-wrap max-sm:pb-1",
        state === "aborted" && "opacity-60",
      )}
    >
      <Thumbnail file={file} />
      <div className="grid min-w-0 flex-1 gap-1">
        <FileName name={file.name} />
        {begun && (
          <ProgressBar
            label={t("upload.row.progress", { name: shownName(file.name) })}
            percent={percentOf(sent, file.size)}
            still={state === "paused" || waiting !== undefined}
          />
        )}
        <RowFacts item={item} />
      </div>
      <div className={classes("-mr-2 flex shrink-0", done && "max-sm:w-full max-sm:justify-end")}>
        <RowActions item={item} uploadState={uploadState} mayUpload={mayUpload} />
      </div>
    </li>
  );
});
