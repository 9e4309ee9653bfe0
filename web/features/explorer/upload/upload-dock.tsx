import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronUp from "lucide-react/icons/chevron-up";
import CircleAlert from "lucide-react/icons/circle-alert";
import CircleCheck from "lucide-react/icons/circle-check";
import CloudUpload from "lucide-react/icons/cloud-upload";
import Pause from "lucide-react/icons/pause";
import Play from "lucide-react/icons/play";
import X from "lucide-react/icons/x";
import { useRef, useState } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useStore } from "../../../lib/store.ts";
import type { UploadItem, Uploads } from "../../../transfer/uploads.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { percentOf, timeText } from "../../../ui/upload-row/amounts.ts";
import { ProgressBar } from "../../../ui/upload-row/progress-bar.tsx";
import { useSeen, windowOf } from "../folder/window.ts";
import { DockRow } from "./dock-row.tsx";
import { UploadModes } from "./upload-modes.tsx";

/** The height of a row, in pixels. */
const ROW = 60;

/** A thin strip that tells how the uploads stand, and opens into the list of them. */
export function UploadDock({ uploads }: { readonly uploads: Uploads }) {
  useLanguage();
  const items = useStore(uploads.items);
  const totals = useStore(uploads.totals);
  const [open, setOpen] = useState(false);
  const [stopping, setStopping] = useState(false);
  if (items.length === 0) return null;
  const { active, sent, size } = totals;
  const unfinished = items.some(({ state }) => state === "uploading" || state === "paused");
  const percent = percentOf(sent, size);
  return (
    <section
      aria-label={t("explorer.upload.dock")}
      className="-mx-4 border-line border-t bg-raised sm:mx-0 sm:rounded-t-xl sm:border-x sm:shadow-raised"
    >
      <div className="flex min-h-11 items-center gap-2 pr-1 pl-4">
        <DockSign totals={totals} paused={unfinished && !active} />
        <p role="status" className="min-w-0 flex-1 truncate font-medium">
          <Standing totals={totals} paused={unfinished && !active} />
        </p>
        {active && (
          <IconButton label={t("upload.bar.pauseAll")} onClick={uploads.pauseAll}>
            <Pause aria-hidden />
          </IconButton>
        )}
        {unfinished && !active && (
          <IconButton label={t("upload.bar.resumeAll")} onClick={uploads.resumeAll}>
            <Play aria-hidden />
          </IconButton>
        )}
        {unfinished ? (
          <IconButton label={t("upload.bar.cancelAll")} onClick={() => setStopping(true)}>
            <X aria-hidden />
          </IconButton>
        ) : (
          <IconButton label={t("explorer.upload.clear")} onClick={uploads.clear}>
            <X aria-hidden />
          </IconButton>
        )}
        <IconButton
          label={open ? t("explorer.upload.close") : t("explorer.upload.open")}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? <ChevronDown aria-hidden /> : <ChevronUp aria-hidden />}
        </IconButton>
      </div>
      {unfinished && (
        <div className="px-4 pb-2">
          <ProgressBar label={t("upload.bar.progress")} percent={percent} still={!active} />
        </div>
      )}
      {open && <DockList items={items} uploads={uploads} />}
      {stopping && unfinished && (
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
    </section>
  );
}

interface StandingProps {
  readonly totals: ReturnType<Uploads["totals"]["get"]>;
  readonly paused: boolean;
}

function DockSign({ totals: { active, failed }, paused }: StandingProps) {
  if (active) return <CloudUpload aria-hidden className="size-[18px] shrink-0 text-accent" />;
  if (paused) return <Pause aria-hidden className="size-[18px] shrink-0 text-muted" />;
  return failed > 0 ? (
    <CircleAlert aria-hidden className="size-[18px] shrink-0 text-danger" />
  ) : (
    <CircleCheck aria-hidden className="size-[18px] shrink-0 text-ok" />
  );
}

function Standing({ totals, paused }: StandingProps) {
  const language = useLanguage();
  const { files, completed, failed, sent, size, active, secondsLeft } = totals;
  if (active || paused) {
    const done = t("upload.bar.files", { done: completed, count: files });
    const percent = `${percentOf(sent, size)}%`;
    const left =
      active && secondsLeft !== undefined ? t("upload.row.left", { time: timeText(secondsLeft, language) }) : "";
    return [active ? t("upload.bar.uploading") : t("upload.bar.paused"), done, percent, left]
      .filter(Boolean)
      .join(" · ");
  }
  if (failed > 0) return t("explorer.upload.someFailed", { done: completed, failed });
  return files === 0 ? t("explorer.upload.calledOff") : t("explorer.upload.allDone", { count: completed });
}

interface DockListProps {
  readonly items: readonly UploadItem[];
  readonly uploads: Uploads;
}

/** The uploads one by one; only those that can be seen are drawn. */
function DockList({ items, uploads }: DockListProps) {
  useLanguage();
  const place = useRef<HTMLDivElement>(null);
  const seen = useSeen(place, ROW);
  const { from, to } = windowOf(seen, ROW, items.length);
  return (
    <>
      <div ref={place} className="max-h-[min(40dvh,320px)] overflow-y-auto border-line border-t">
        <ul aria-label={t("upload.list.label")} className="relative" style={{ height: items.length * ROW }}>
          {items.slice(from, to).map((item, index) => (
            <DockRow key={item.id} item={item} uploads={uploads} top={(from + index) * ROW} height={ROW} />
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap items-center gap-2 border-line border-t px-4 py-1.5">
        <UploadModes />
        {items.some(({ state }) => state === "failed") && (
          <Button
            className="ml-auto"
            onClick={() => {
              for (const { id, state } of items) if (state === "failed") uploads.retry(id);
            }}
          >
            {t("upload.bar.retryFailed")}
          </Button>
        )}
      </div>
    </>
  );
}
