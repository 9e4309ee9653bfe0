import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronUp from "lucide-react/icons/chevron-up";
import ListTodo from "lucide-react/icons/list-todo";
import { useState } from "react";
import { failureText } from "../../../api/failure.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useStore } from "../../../lib/store.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { toast } from "../../../ui/toast.ts";
import type { Work } from "../model/work.ts";
import { hasEnded, type Task } from "./task.ts";
import { TaskRow } from "./task-row.tsx";
import { useTasks } from "./use-tasks.ts";

/** A thin strip that says what goes on by itself, and opens into the list of it. */
export function TaskDock({ work }: { readonly work: Work }) {
  useLanguage();
  const working = useStore(work.notes).some(({ running }) => running);
  const all = useTasks(working);
  const [open, setOpen] = useState(false);
  const { tasks, error } = all;
  if (tasks.length === 0) return null;
  const active = tasks.filter((task) => !hasEnded(task));
  const finished = tasks.filter(hasEnded);
  const failed = finished.filter(({ state }) => state === "failed" || state === "partial_complete").length;

  const attempt = (act: () => Promise<unknown> | undefined) => async () => {
    try {
      await act();
    } catch (refused) {
      await toast({ tone: "error", text: failureText(refused) });
    }
  };
  const listOf = (some: readonly Task[]) =>
    some.map((task) => (
      <TaskRow
        key={task.id}
        task={task}
        onCancel={attempt(() => all.cancel(task))}
        onRetry={all.canRetry(task) ? attempt(() => all.retry(task)) : undefined}
        onRemove={attempt(() => all.remove([task]))}
      />
    ));

  return (
    <section
      aria-label={t("tasks.label")}
      className="-mx-4 border-line border-t bg-raised sm:mx-0 sm:rounded-t-xl sm:border-x sm:shadow-raised"
    >
      <div className="flex min-h-11 items-center gap-2 pr-1 pl-4">
        <ListTodo
          aria-hidden
          className={`size-[18px] shrink-0 ${active.length > 0 ? "text-accent" : failed > 0 ? "text-danger" : "text-muted"}`}
        />
        <p role="status" className="min-w-0 flex-1 truncate">
          <span className="font-medium">{t("tasks.label")}</span>
          <span className="text-muted">{` · ${standingOf(active.length, finished.length, failed)}`}</span>
        </p>
        <IconButton
          label={open ? t("tasks.close") : t("tasks.open")}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? <ChevronDown aria-hidden /> : <ChevronUp aria-hidden />}
        </IconButton>
      </div>
      {open && (
        <div className="max-h-[min(45dvh,380px)] overflow-y-auto border-line border-t px-4 py-2">
          {error && <Notice tone="error">{`${t("tasks.failedToLoad")} ${failureText(error)}`}</Notice>}
          {active.length > 0 && (
            <>
              <h3 className="pt-1 font-medium text-[13px] text-muted">{t("tasks.activeTitle")}</h3>
              <ul className="divide-y divide-line">{listOf(active)}</ul>
            </>
          )}
          {finished.length > 0 && (
            <>
              <div className="flex items-center">
                <h3 className="mr-auto font-medium text-[13px] text-muted">{t("tasks.finishedTitle")}</h3>
                <Button variant="plain" className="-mr-2 text-[13px]" onClick={attempt(() => all.remove(finished))}>
                  {t("tasks.clear")}
                </Button>
              </div>
              <ul className="divide-y divide-line">{listOf(finished)}</ul>
            </>
          )}
        </div>
      )}
    </section>
  );
}

function standingOf(active: number, finished: number, failed: number): string {
  const parts = [
    active > 0 && t("tasks.active", { count: active }),
    finished > 0 && t("tasks.finished", { count: finished }),
    failed > 0 && t("tasks.someFailed", { count: failed }),
  ];
  return parts.filter((part) => part !== false).join(" · ");
}
