import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { CallInput } from "#contract/endpoint";
import { fsJobs, type JobRecord } from "#contract/fs-jobs";
import { call } from "../../../api/call.ts";
import { useSession } from "../../../api/session.ts";
import { t } from "../../../i18n/i18n.ts";
import { useStore } from "../../../lib/store.ts";
import { pageTasks } from "./page-tasks.ts";
import { hasEnded, type Task, taskOf } from "./task.ts";

/** How often the server is asked, in milliseconds: while something runs, and otherwise. */
const SOON = 1000;
const LATER = 30_000;
/** Jobs that are shown; the server keeps them for seven days. */
const SHOWN = 50;

const KEY = ["tree", "jobs"] as const;

/** What waits for its turn is the newest. */
const began = ({ startedAt }: Task): number => startedAt ?? Number.MAX_SAFE_INTEGER;

/** All tasks of who is here, those of the server and those of this page, the newest first. */
export function useTasks(working: boolean) {
  const queries = useQueryClient();
  const state = useSession();
  const own = useStore(pageTasks.tasks);
  // Visitors have no jobs.
  const enabled = state.authType !== "none";
  const { data, error } = useQuery({
    queryKey: KEY,
    enabled,
    queryFn: async ({ signal }) => (await call(fsJobs.list, { query: { limit: SHOWN }, signal })).data,
    refetchInterval: ({ state: { data: jobs } }) => (working || jobs?.some((job) => !hasEnded(job)) ? SOON : LATER),
  });
  useEffect(() => {
    if (working) void queries.invalidateQueries({ queryKey: KEY });
  }, [working, queries]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: somebody else has other tasks.
  useEffect(() => void pageTasks.recall(t("tasks.interrupted")), [state.authType]);
  useRenewed(data);

  const jobs = enabled ? (data ?? []) : [];
  const tasks = [...own, ...jobs.map(taskOf)].sort((one, other) => began(other) - began(one));
  const refresh = () => queries.invalidateQueries({ queryKey: KEY });

  const take = async (some: readonly Task[]) => {
    for (const task of some) {
      if (task.where === "browser") pageTasks.remove(task.id);
      else await call(fsJobs.cancel, { params: { id: task.id } });
    }
    await refresh();
  };

  return {
    tasks,
    error: enabled ? error : null,
    /** Cancels what runs. Throws ApiFailure. */
    async cancel(task: Task) {
      if (task.where === "browser") return pageTasks.cancel(task.id);
      await call(fsJobs.cancel, { params: { id: task.id } });
      await refresh();
    },
    canRetry: (task: Task): boolean => {
      if (!hasEnded(task) || task.state === "completed") return false;
      return task.where === "browser" ? pageTasks.canRetry(task.id) : task.count <= NAMED;
    },
    /** Begins again with what was not completed. Throws ApiFailure. */
    async retry(task: Task) {
      if (task.where === "browser") return pageTasks.retry(task.id);
      const job = (await call(fsJobs.read, { params: { id: task.id } })).data;
      await call(fsJobs.create, { body: { tasks: tasksAgain(job) } });
      await call(fsJobs.cancel, { params: { id: task.id } });
      await refresh();
    },
    /** Takes tasks that have ended off the list. Throws ApiFailure. */
    remove: take,
  };
}

/** The tasks of a job that the server names one by one. */
const NAMED = 100;

type NewTask = CallInput<typeof fsJobs.create>["body"]["tasks"][number];

/** What of a job is to be done again. */
const tasksAgain = ({ tasks }: JobRecord): NewTask[] =>
  tasks
    .filter(({ state }) => state !== "completed")
    .flatMap(({ kind, source, target }): NewTask[] => {
      if (kind === "delete") return [{ kind, source }];
      return target === null ? [] : [{ kind, source, target, skipExisting: true }];
    });

/** What is known of a job in particular, while somebody looks at it. */
export function useJob(task: Task, wanted: boolean): Task {
  const { data } = useQuery({
    queryKey: [...KEY, task.id, task.state, task.done],
    enabled: wanted && task.where === "server",
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await call(fsJobs.read, { params: { id: task.id }, signal })).data,
  });
  return wanted && data ? taskOf(data) : task;
}

/** Folders show what a job has changed once it has ended, also one that an earlier visit began. */
function useRenewed(jobs: readonly JobRecord[] | undefined): void {
  const queries = useQueryClient();
  const before = useRef(0);
  const running = jobs?.filter((job) => !hasEnded(job)).length ?? 0;
  useEffect(() => {
    if (running < before.current) void queries.invalidateQueries({ queryKey: ["tree", "list"] });
    before.current = running;
  }, [running, queries]);
}
