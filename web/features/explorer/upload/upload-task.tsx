import CircleAlert from "lucide-react/icons/circle-alert";
import Pause from "lucide-react/icons/pause";
import Play from "lucide-react/icons/play";
import RotateCw from "lucide-react/icons/rotate-cw";
import X from "lucide-react/icons/x";
import { useRef, useState } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useStore } from "../../../lib/store.ts";
import type { UploadItem, Uploads } from "../../../transfer/uploads.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/overlay/dialog.tsx";
import { percentOf } from "../../../ui/upload-row/amounts.ts";
import { problemText } from "../../../ui/upload-row/problems.ts";
import { ProgressBar } from "../../../ui/upload-row/progress-bar.tsx";
import { useSeen, windowOf } from "../folder/row-window.ts";
import { useTree } from "../tree.ts";
import { uploadFacts } from "./upload-facts.ts";
import { UploadModes } from "./upload-modes.tsx";
import { UploadRow } from "./upload-row.tsx";

/** The height of a row, in pixels, and how many are seen at once. */
const ROW = 60;
const SEEN = 5;

interface UploadTaskProps {
  readonly uploads: Uploads;
  /** Takes what has ended off the list. */
  readonly onClear: () => void;
}

/** The uploads of this page as one task of the list: together, and file by file. */
export function UploadTask({ uploads, onClear }: UploadTaskProps) {
  const { link } = useTree();
  const language = useLanguage();
  const items = useStore(uploads.items);
  const totals = useStore(uploads.totals);
  const [open, setOpen] = useState(true);
  const [stopping, setStopping] = useState(false);
  const underWay = isUnderWay(items);
  const { active, sent, size, failed } = totals;
  const title = t("tasks.kind.upload", { count: items.length });
  return (
    <li className="grid gap-1 py-2">
      <div className="flex items-center gap-1">
        <p className="min-w-0 flex-1 truncate font-medium">
          {!underWay && failed > 0 && <CircleAlert aria-hidden className="mr-1.5 inline size-4 text-danger" />}
          {title}
        </p>
        <Button variant="plain" className="text-[13px]" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? "tasks.hide" : "tasks.details")}
        </Button>
        {active && (
          <IconButton label={t("upload.bar.pauseAll")} onClick={uploads.pauseAll}>
            <Pause aria-hidden />
          </IconButton>
        )}
        {underWay && !active && (
          <IconButton label={t("upload.bar.resumeAll")} onClick={uploads.resumeAll}>
            <Play aria-hidden />
          </IconButton>
        )}
        {items.some(({ canRetry }) => canRetry) && (
          <IconButton label={t("upload.bar.retryFailed")} onClick={() => retryFailed(uploads)}>
            <RotateCw aria-hidden />
          </IconButton>
        )}
        {underWay ? (
          <IconButton label={t("upload.bar.cancelAll")} onClick={() => setStopping(true)}>
            <X aria-hidden />
          </IconButton>
        ) : (
          <IconButton label={t("tasks.remove")} onClick={onClear}>
            <X aria-hidden />
          </IconButton>
        )}
      </div>
      {underWay && <ProgressBar label={t("upload.bar.progress")} percent={percentOf(sent, size)} still={!active} />}
      <p className="text-[13px] text-muted tabular-nums">{uploadFacts(totals, underWay, language).join(" · ")}</p>
      {open && <Rows items={items} uploads={uploads} />}
      {open && <Reasons items={items} />}
      {open && !link && (
        <div className="-ml-2">
          <UploadModes />
        </div>
      )}
      {stopping && underWay && (
        <ConfirmDialog
          danger
          title={t("upload.bar.stopTitle")}
          text={t("upload.stop.text")}
          confirm={t("upload.stop.stop")}
          cancel={t("upload.stop.keep")}
          onConfirm={uploads.cancelAll}
          onClose={() => setStopping(false)}
        />
      )}
    </li>
  );
}

const isUnderWay = (items: readonly UploadItem[]): boolean =>
  items.some(({ state }) => state === "uploading" || state === "paused");

function retryFailed(uploads: Uploads): void {
  for (const { id, canRetry } of uploads.items.get()) if (canRetry) uploads.retry(id);
}

/** Reasons that are told in full. */
const TOLD = 3;

/** Why files have failed, each reason once: a row on a phone has no room for a whole sentence. */
function Reasons({ items }: { readonly items: readonly UploadItem[] }) {
  useLanguage();
  const reasons = new Set(items.flatMap((item) => (item.failure ? problemText(item.failure, item) : [])));
  if (reasons.size === 0) return null;
  return (
    <ul className="text-[13px] text-danger sm:hidden">
      {[...reasons].slice(0, TOLD).map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
}

interface RowsProps {
  readonly items: readonly UploadItem[];
  readonly uploads: Uploads;
}

/** The uploads one by one; only those that can be seen are drawn. */
function Rows({ items, uploads }: RowsProps) {
  useLanguage();
  const place = useRef<HTMLDivElement>(null);
  const seen = useSeen(place, ROW);
  const { from, to } = windowOf(seen, ROW, items.length);
  return (
    <div
      ref={place}
      style={{ height: Math.min(items.length, SEEN) * ROW }}
      className="overflow-y-auto overscroll-contain border-line border-t"
    >
      <ul aria-label={t("upload.list.label")} className="relative" style={{ height: items.length * ROW }}>
        {items.slice(from, to).map((item, index) => (
          <UploadRow key={item.id} item={item} uploads={uploads} top={(from + index) * ROW} height={ROW} />
        ))}
      </ul>
    </div>
  );
}
