import type { ReactNode } from "react";
import { failureText } from "../../../api/failure.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { toastFailure } from "../../../ui/toast/toast-failure.ts";
import { InterruptedList } from "../upload/interrupted-list.tsx";
import type { InterruptedUpload } from "../upload/interrupted-uploads.ts";
import { treeUploads, uploadRecord } from "../upload/tree-uploads.ts";
import { UploadTask } from "../upload/upload-task.tsx";
import { hasEnded, type Task } from "./task.ts";
import { TaskRow } from "./task-row.tsx";
import type { useTasks } from "./use-tasks.ts";

interface TaskListProps {
  /** All but the uploads of this page. */
  readonly tasks: readonly Task[];
  readonly error: unknown;
  readonly acts: Omit<ReturnType<typeof useTasks>, "tasks" | "error">;
  /** Uploads that an earlier visit left. */
  readonly cut: readonly InterruptedUpload[];
  /** Whether this page has uploads, and whether any is under way. */
  readonly uploads: boolean;
  readonly busy: boolean;
}

/** Lists running, interrupted and finished tasks in sections. */
export function TaskList({ tasks, error, acts, cut, uploads, busy }: TaskListProps) {
  useLanguage();
  const active = tasks.filter((task) => !hasEnded(task));
  const finished = tasks.filter(hasEnded);
  const attempt = (act: () => Promise<unknown> | undefined) => async () => {
    try {
      await act();
    } catch (refused) {
      await toastFailure(refused);
    }
  };
  const clear = async () => {
    if (uploads && !busy) uploadRecord.clear();
    // Interrupted uploads are discarded explicitly, not by clearing the list.
    await acts.remove(finished.filter(({ id }) => cut.every(({ task }) => task !== id)));
  };
  const rowsOf = (some: readonly Task[]) =>
    some.map((task) => (
      <TaskRow
        key={task.id}
        task={task}
        onCancel={attempt(() => acts.cancel(task))}
        onRetry={acts.canRetry(task) ? attempt(() => acts.retry(task)) : undefined}
        onRemove={attempt(() => acts.remove([task]))}
      />
    ));
  const uploadTask = uploads && <UploadTask uploads={treeUploads} onClear={uploadRecord.clear} />;

  return (
    <>
      {error ? <Notice tone="error">{`${t("tasks.failedToLoad")} ${failureText(error)}`}</Notice> : null}
      <Part title={t("tasks.activeTitle")} shown={busy || active.length > 0}>
        {busy && uploadTask}
        {rowsOf(active)}
      </Part>
      {cut.length > 0 && <InterruptedList cut={cut} />}
      <Part
        title={t("tasks.finishedTitle")}
        shown={(uploads && !busy) || finished.length > 0}
        action={
          <Button variant="plain" className="-mr-2 text-[13px]" onClick={attempt(clear)}>
            {t("tasks.clear")}
          </Button>
        }
      >
        {!busy && uploadTask}
        {rowsOf(finished)}
      </Part>
    </>
  );
}

interface PartProps {
  readonly title: string;
  readonly shown: boolean;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

function Part({ title, shown, action, children }: PartProps) {
  if (!shown) return null;
  return (
    <>
      <div className="flex min-h-9 items-center">
        <h3 className="mr-auto font-medium text-[13px] text-muted">{title}</h3>
        {action}
      </div>
      <ul className="divide-y divide-line">{children}</ul>
    </>
  );
}
