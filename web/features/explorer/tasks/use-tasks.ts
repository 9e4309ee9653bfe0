import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { CallInput } from "#contract/endpoint";
import { fsJobs, type JobRecord } from "#contract/fs/jobs";
import { call } from "../../../api/call.ts";
import { personOf } from "../../../api/session/credential.ts";
import { useSession } from "../../../api/session/session.ts";
import { t } from "../../../i18n/i18n.ts";
import { useStore } from "../../../lib/store.ts";
import { jobFeed } from "../model/page-jobs.ts";
import { treeUploads } from "../upload/tree-uploads.ts";
import { pageTasks } from "./page-tasks.ts";
import { hasEnded, type Task, taskOf } from "./task.ts";

/** Tasks that have not started yet sort as the newest. */
const began = ({ startedAt }: Task): number => startedAt ?? Number.MAX_SAFE_INTEGER;

/** Returns all tasks of the current person, of the server and of this page, newest first. */
export function useTasks() {
  const state = useSession();
  const person = personOf(state);
  const own = useStore(pageTasks.tasks);
  const { jobs = [], error } = useStore(jobFeed.state);
  useWatched(person);
  useEffect(() => {
    // Tasks and uploads belong to a person; those of visitors are not remembered.
    void pageTasks.recall(({ kind }) => t(kind === "upload" ? "tasks.cut.ended" : "tasks.interrupted"));
    if (person !== undefined) void treeUploads.recall();
  }, [person]);
  useRenewed(jobs);

  return {
    tasks: [...own, ...jobs.map(taskOf)].sort((one, other) => began(other) - began(one)),
    error: person === undefined ? null : error,
    ...acts,
  };
}

const acts = {
  /** Cancels a running task. Throws ApiFailure. */
  async cancel(task: Task) {
    if (task.where === "browser") return pageTasks.cancel(task.id);
    await call(fsJobs.cancel, { params: { id: task.id } });
  },
  canRetry: (task: Task): boolean => {
    if (!hasEnded(task) || task.state === "completed") return false;
    return task.where === "browser" ? pageTasks.canRetry(task.id) : task.count <= NAMED;
  },
  /** Retries what was not completed. Throws ApiFailure. */
  async retry(task: Task) {
    if (task.where === "browser") return pageTasks.retry(task.id);
    const job = (await call(fsJobs.read, { params: { id: task.id } })).data;
    for (const { kind, source, target } of job.tasks)
      if (kind === "unpack") await call(fsJobs.unpack, { body: { path: source, target: target ?? undefined } });
    const tasks = tasksAgain(job);
    if (tasks.length > 0) await call(fsJobs.create, { body: { tasks } });
    await call(fsJobs.cancel, { params: { id: task.id } });
    await jobFeed.refresh();
  },
  /** Removes tasks that have ended from the list. Throws ApiFailure. */
  async remove(some: readonly Task[]) {
    for (const task of some) {
      if (task.where === "browser") pageTasks.remove(task.id);
      else await call(fsJobs.cancel, { params: { id: task.id } });
    }
    if (some.some(({ where }) => where === "server")) await jobFeed.refresh();
  },
};

/** How many tasks of a job the server lists. */
const NAMED = 100;

type NewTask = CallInput<typeof fsJobs.create>["body"]["tasks"][number];

/** Returns the tasks of a job that are to be done again. */
const tasksAgain = ({ tasks }: JobRecord): NewTask[] =>
  tasks
    .filter(({ state }) => state !== "completed")
    .flatMap(({ kind, source, target }): NewTask[] => {
      if (kind === "delete") return [{ kind, source }];
      return target === null || kind === "unpack" ? [] : [{ kind, source, target, skipExisting: true }];
    });

/** Returns a task with the details of its job, loaded while `wanted`. */
export function useJob(task: Task, wanted: boolean): Task {
  const { data } = useQuery({
    queryKey: ["tree", "jobs", task.id, task.state, task.done],
    enabled: wanted && task.where === "server",
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await call(fsJobs.read, { params: { id: task.id }, signal })).data,
  });
  return wanted && data && data.id === task.id ? taskOf(data) : task;
}

/** Follows the current person's jobs while the page is visible: hidden pages should not use up connections. */
function useWatched(person: string | undefined): void {
  useEffect(() => {
    if (person === undefined) return;
    let release: (() => void) | undefined;
    const look = () => {
      if (document.visibilityState === "visible") release ??= jobFeed.hold();
      else {
        release?.();
        release = undefined;
      }
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      release?.();
    };
  }, [person]);
}

/** Reloads folders when a job ends, also one that an earlier visit began. */
function useRenewed(jobs: readonly JobRecord[]): void {
  const queries = useQueryClient();
  const before = useRef(0);
  const running = jobs.filter((job) => !hasEnded(job)).length;
  useEffect(() => {
    if (running < before.current) void queries.invalidateQueries({ queryKey: ["tree", "list"] });
    before.current = running;
  }, [running, queries]);
}
