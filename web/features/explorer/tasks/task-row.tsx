import RotateCw from "lucide-react/icons/rotate-cw";
import X from "lucide-react/icons/x";
import { useState } from "react";
import { formatBytes } from "#contract/format-bytes";
import type { Language } from "#contract/languages";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { dateTime } from "../../../lib/time.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { ProgressBar } from "../../../ui/upload-row/progress-bar.tsx";
import { named } from "../model/tree-calls.ts";
import { folderOf, hasEnded, percentDone, speedOf, type Task, titleOf } from "./task.ts";
import { useJob } from "./use-tasks.ts";

interface TaskRowProps {
  readonly task: Task;
  readonly onCancel: () => void;
  readonly onRetry: (() => void) | undefined;
  readonly onRemove: () => void;
}

/** One task with its progress and the result of each file. */
export function TaskRow({ task: known, onCancel, onRetry, onRemove }: TaskRowProps) {
  const language = useLanguage();
  const [open, setOpen] = useState(false);
  const task = useJob(known, open);
  const { state, current, message, away, troubles } = task;
  const ended = hasEnded(task);
  const title = titleOf(task);
  const percent = percentDone(task);
  const waits = !ended && task.parts.some((part) => part.state === "waiting");
  return (
    <li data-state={state} className="grid gap-1 py-2">
      <div className="flex items-center gap-1">
        <p className="wrap-anywhere min-w-0 flex-1">
          <span className="font-medium">{title}</span>{" "}
          <span className={state === "failed" || state === "partial_complete" ? "text-danger" : "text-muted"}>
            {away ? t("tasks.away") : t(`tasks.state.${waits ? "waiting" : state}`)}
          </span>
        </p>
        <Button variant="plain" className="text-[13px]" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? "tasks.hide" : "tasks.details")}
        </Button>
        {onRetry && (
          <IconButton label={t("tasks.retry")} onClick={onRetry}>
            <RotateCw aria-hidden />
          </IconButton>
        )}
        <IconButton label={t(ended ? "tasks.remove" : "tasks.cancel")} onClick={ended ? onRemove : onCancel}>
          <X aria-hidden />
        </IconButton>
      </div>
      {!ended && percent !== undefined && (
        <ProgressBar
          label={t("tasks.progress", { name: title })}
          percent={percent}
          still={state === "pending" || waits}
        />
      )}
      <p className="text-[13px] text-muted tabular-nums">{factsOf(task, language).join(" · ")}</p>
      {!ended && current !== undefined && (
        <p className="truncate text-[13px] text-muted">
          {t("tasks.current")} <bdi>{shownName(named(current))}</bdi>
        </p>
      )}
      {away && (
        <p className="text-[13px] text-muted">
          {away.reason} {t("tasks.triedAgain", { time: dateTime(away.until, language) })}
        </p>
      )}
      {message !== undefined && <p className="text-[13px] text-danger">{message}</p>}
      {(open || troubles.length > 0) && <Troubles task={task} all={open} />}
      {open && <Parts task={task} />}
    </li>
  );
}

function factsOf(task: Task, language: Language): string[] {
  const { done, skipped, failed, total, doneBytes, totalBytes } = task;
  const bytes = (amount: number) => formatBytes(amount, language);
  const folder = folderOf(task);
  const into = folder === undefined ? [] : [t("tasks.into", { target: shownName(folder) })];
  if (hasEnded(task)) return [...into, t("tasks.counts", { done, skipped, failed }), bytes(doneBytes)];
  const files = done + skipped + failed;
  const speed = speedOf(task, Date.now());
  return [
    ...into,
    total === undefined ? t("tasks.filesDone", { count: files }) : t("tasks.files", { done: files, total }),
    totalBytes === undefined
      ? bytes(doneBytes)
      : t("tasks.bytes", { done: bytes(doneBytes), total: bytes(totalBytes) }),
    ...(speed > 0 ? [t("tasks.speed", { speed: bytes(speed) })] : []),
  ];
}

/** How many troubles are shown at first. */
const FEW = 3;

/** The files that failed, each with its reason. */
function Troubles({ task: { troubles }, all }: { readonly task: Task; readonly all: boolean }) {
  useLanguage();
  const shown = all ? troubles : troubles.slice(0, FEW);
  if (shown.length === 0) return null;
  return (
    <ul className="text-[13px] text-danger">
      {shown.map(({ path, reason }) => (
        <li key={path} className="wrap-anywhere">
          <bdi>{shownName(named(path))}</bdi>: {reason}
        </li>
      ))}
      {troubles.length > shown.length && <li>{t("tasks.more", { count: troubles.length - shown.length })}</li>}
    </ul>
  );
}

/** The files and folders of a task. */
function Parts({ task: { parts, count } }: { readonly task: Task }) {
  useLanguage();
  return (
    <ul className="text-[13px] text-muted">
      {parts.map(({ path, target, state }) => (
        <li key={`${path} ${target}`} className="flex gap-2">
          <span className="wrap-anywhere min-w-0 flex-1">
            <bdi>{shownName(path)}</bdi>
            {target !== undefined && <bdi>{` ${t("tasks.into", { target: shownName(target) })}`}</bdi>}
          </span>
          <span className="shrink-0">{t(`tasks.state.${state}`)}</span>
        </li>
      ))}
      {count > parts.length && <li>{t("tasks.more", { count: count - parts.length })}</li>}
    </ul>
  );
}
