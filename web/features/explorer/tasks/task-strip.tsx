import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronUp from "lucide-react/icons/chevron-up";
import CircleAlert from "lucide-react/icons/circle-alert";
import CircleCheck from "lucide-react/icons/circle-check";
import LoaderCircle from "lucide-react/icons/loader-circle";
import { type ReactNode, useEffect, useId, useState } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useMedia } from "../../../lib/media.ts";
import { useStore } from "../../../lib/store.ts";
import { useTree } from "../tree.ts";
import { interruptedUploads } from "../upload/interrupted-uploads.ts";
import { treeUploads, uploadRecord } from "../upload/tree-uploads.ts";
import { UploadTask } from "../upload/upload-task.tsx";
import { stripAway, stripOpen } from "./strip-state.ts";
import { TaskList } from "./task-list.tsx";
import { summaryOf, type TaskSummary } from "./task-summary.ts";
import { useTasks } from "./use-tasks.ts";

/** A thin strip that summarizes the tasks of the server and this page, and opens into their list. */
export function TaskStrip() {
  const { tasks: all, error, ...acts } = useTasks();
  const items = useStore(treeUploads.items);
  const totals = useStore(treeUploads.totals);
  const unfinished = useStore(treeUploads.unfinished);
  const current = uploadRecord.current();
  // The uploads of this page are shown separately.
  const tasks = all.filter(({ id }) => id !== current || items.length === 0);
  const cut = interruptedUploads({ tasks, unfinished, items, current });
  if (tasks.length + items.length + cut.length === 0) return null;
  return (
    <Strip {...{ tasks, items, totals, cut }}>
      {(busy) => <TaskList {...{ tasks, error, acts, cut, busy }} uploads={items.length > 0} />}
    </Strip>
  );
}

/** The same of uploads into the tree of a link, which has no other tasks. */
export function UploadStrip() {
  useLanguage();
  const { uploads } = useTree();
  const items = useStore(uploads.items);
  const totals = useStore(uploads.totals);
  if (items.length === 0) return null;
  return (
    <Strip tasks={[]} items={items} totals={totals} cut={[]}>
      {() => (
        <ul>
          <UploadTask uploads={uploads} onClear={uploads.clear} />
        </ul>
      )}
    </Strip>
  );
}

interface StripProps extends Omit<Parameters<typeof summaryOf>[0], "open"> {
  /** What it opens into; it is told whether uploads are under way. */
  readonly children: (busy: boolean) => ReactNode;
}

function Strip({ tasks, items, totals, cut, children }: StripProps) {
  const language = useLanguage();
  const open = useStore(stripOpen);
  const list = useId();
  const summary = summaryOf({ tasks, items, totals, cut, open }, language);
  const Chevron = open ? ChevronDown : ChevronUp;
  const isAway = useAway(summary);
  if (isAway && !open) return null;

  return (
    <section
      aria-label={t("tasks.label")}
      data-at-bottom
      className="-mx-4 shrink-0 border-line max-sm:-mb-2 border-t bg-raised pb-[env(safe-area-inset-bottom)] sm:mx-0 sm:rounded-t-xl sm:border-x sm:shadow-raised"
    >
      <Progress summary={summary} />
      <div className="relative flex min-h-11 items-center gap-2.5 pr-3 pl-4 hover:bg-sunken sm:rounded-t-xl">
        <Sign summary={summary} />
        <p role="status" className="min-w-0 flex-1 truncate tabular-nums">
          <span className="font-medium">{summary.title}</span>
          <span className="text-muted">{summary.facts.map((fact) => ` · ${fact}`).join("")}</span>
        </p>
        <Chevron aria-hidden className="size-[18px] shrink-0 text-muted" />
        <button
          type="button"
          aria-label={t(open ? "tasks.close" : "tasks.open")}
          aria-expanded={open}
          aria-controls={open ? list : undefined}
          onClick={() => stripOpen.set(!open)}
          className="absolute inset-0 cursor-pointer sm:rounded-t-xl"
        />
      </div>
      {open && (
        <div
          id={list}
          className="max-h-[min(45dvh,400px)] overflow-y-auto overscroll-contain border-line border-t px-4 py-2"
        >
          {children(summary.uploading)}
        </div>
      )}
    </section>
  );
}

/** How long what has ended is told on a phone, in milliseconds. */
const TOLD = 6000;

/** Whether there is nothing to tell: on a phone, when nothing moves any more and nothing has failed. */
function useAway({ moves, tone }: TaskSummary): boolean {
  const isTold = useLingering(moves, TOLD);
  const isAway = useMedia("(width < 40rem)") && !isTold && tone !== "failed";
  useEffect(() => {
    stripAway.set(isAway);
    return () => stripAway.set(false);
  }, [isAway]);
  useEffect(() => () => stripOpen.set(false), []);
  return isAway;
}

/** The progress of all tasks, along the upper edge. */
function Progress({ summary: { percent, still } }: { readonly summary: TaskSummary }) {
  useLanguage();
  if (percent === undefined) return null;
  return (
    <div
      role="progressbar"
      aria-label={t("tasks.whole")}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="-mt-px h-0.5 overflow-hidden sm:rounded-t-xl"
    >
      <div
        className={`h-full origin-left transition-transform duration-150 ${still ? "bg-muted" : "bg-accent"}`}
        style={{ transform: `scaleX(${percent / 100})` }}
      />
    </div>
  );
}

function Sign({ summary: { tone } }: { readonly summary: TaskSummary }) {
  if (tone === "busy")
    return <LoaderCircle aria-hidden className="size-[18px] shrink-0 text-accent motion-safe:animate-spin" />;
  if (tone === "failed") return <CircleAlert aria-hidden className="size-[18px] shrink-0 text-danger" />;
  return <CircleCheck aria-hidden className="size-[18px] shrink-0 text-ok" />;
}

/** Whether something is so, or was so less than so many milliseconds ago. */
function useLingering(is: boolean, milliseconds: number): boolean {
  const [lingers, setLingers] = useState(is);
  if (is && !lingers) setLingers(true);
  useEffect(() => {
    if (is || !lingers) return;
    const timer = setTimeout(() => setLingers(false), milliseconds);
    return () => clearTimeout(timer);
  }, [is, lingers, milliseconds]);
  return is || lingers;
}
