import { describe, expect, test } from "bun:test";
import type { JobRecord } from "#contract/fs/jobs";
import { stretchesOf } from "../../../web/features/explorer/search/hit.tsx";
import { createBrowserTasks } from "../../../web/features/explorer/tasks/browser-tasks.ts";
import {
  folderOf,
  percentDone,
  speedOf,
  type Task,
  taskOf,
  titleOf,
} from "../../../web/features/explorer/tasks/task.ts";
import { loadWords, setLanguage } from "../../../web/i18n/i18n.ts";

const DAY = 24 * 60 * 60_000;

function world() {
  const kept = new Map<string, unknown>();
  let time = 1_000_000;
  let person = "admin";
  const memory = {
    get: async (key: string) => kept.get(key),
    set: async (key: string, value: unknown) => void kept.set(key, structuredClone(value)),
    remove: async (key: string) => void kept.delete(key),
    keys: async () => [...kept.keys()],
  };
  const claims = new Set<string>();
  const tabs = {
    claim: async (name: string) => {
      claims.add(name);
      return () => void claims.delete(name);
    },
    claimed: async () => [...claims],
  };
  const open = () => createBrowserTasks({ memory, tabs, now: () => time, person: () => person });
  return {
    open,
    /** The pages that were open are closed. */
    close: () => claims.clear(),
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    become: (other: string) => {
      person = other;
    },
  };
}

test("a job that waits for its storage says why, and until when", () => {
  const job: JobRecord = {
    ...{ id: "j", state: "pending", task_count: 1, tasks: [], total_files: 1, total_bytes: 1, done_files: 0 },
    ...{ skipped_files: 0, failed_files: 0, done_bytes: 0, current: null, failures: [], error: null, message: null },
    ...{ created_by: "admin", created_at: "2026-01-01T00:00:00.000Z", started_at: null, finished_at: null },
    waiting: {
      error: "storage.unreachable",
      message: "Away.",
      since: "2026-01-01T00:00:00.000Z",
      until: "2026-01-01T00:01:00.000Z",
    },
  };
  expect(taskOf(job).away).toEqual({ reason: "Away.", until: "2026-01-01T00:01:00.000Z" });
  expect(taskOf({ ...job, waiting: null }).away).toBeUndefined();
});

const parts = ["/a", "/b"].map((path) => ({ path, target: undefined, state: "pending" as const }));
const states = (tasks: readonly Task[]) => tasks.map(({ state }) => state);

describe("a task of this page", () => {
  test("tells how far it is and what became of each file", async () => {
    const tasks = world().open();
    await tasks.start({
      kind: "zip",
      parts,
      totalBytes: 10,
      async act({ moved, ended }) {
        moved(4, "/a");
        ended("/a", undefined);
        ended("/b", { path: "/b", reason: "gone" });
      },
    });
    expect(tasks.tasks.get()).toMatchObject([
      {
        state: "partial_complete",
        ...{ done: 1, failed: 1, doneBytes: 4 },
        parts: [{ state: "completed" }, { state: "failed" }],
        troubles: [{ path: "/b", reason: "gone" }],
      },
    ]);
  });

  test("is cancelled, tried again and taken off the list", async () => {
    const tasks = world().open();
    let tries = 0;
    const begun = tasks.start({
      kind: "zip",
      parts,
      totalBytes: 0,
      act: ({ signal, ended }) => {
        tries += 1;
        if (tries > 1) {
          ended("/a", undefined);
          return Promise.resolve();
        }
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
      },
    });
    const id = tasks.tasks.get()[0]?.id ?? "";
    expect(tasks.canRetry(id)).toBe(false);
    tasks.remove(id);
    expect(states(tasks.tasks.get())).toEqual(["running"]);
    tasks.cancel(id);
    await begun;
    expect(states(tasks.tasks.get())).toEqual(["cancelled"]);
    tasks.retry(id);
    await Bun.sleep(0);
    expect(states(tasks.tasks.get())).toEqual(["completed"]);
    tasks.remove(id);
    expect(tasks.tasks.get()).toEqual([]);
  });

  test("is not tried again once it is off the list or its owner has signed out", async () => {
    const tasks = world().open();
    let tries = 0;
    const fail = async () => {
      await tasks.start({
        kind: "zip",
        parts,
        totalBytes: 0,
        async act() {
          tries += 1;
          throw new Error("full");
        },
      });
      return tasks.tasks.get()[0]?.id ?? "";
    };
    for (const leave of [tasks.remove, tasks.forget]) {
      const id = await fail();
      expect(tasks.canRetry(id)).toBe(true);
      leave(id);
      expect(tasks.canRetry(id)).toBe(false);
      tasks.retry(id);
      expect(tasks.tasks.get()).toEqual([]);
    }
    expect(tries).toBe(2);
  });

  test("is remembered for a week, for its owner, and what was under way has ended with its page", async () => {
    const all = world();
    const tasks = all.open();
    void tasks.start({ kind: "zip", parts, totalBytes: 0, act: () => new Promise(() => undefined) });
    all.pass(1);
    await tasks.start({ kind: "zip", parts, totalBytes: 0, act: async () => undefined });
    const beside = all.open();
    await beside.recall(() => "It ended.");
    expect(beside.tasks.get()).toEqual([]);
    all.close();
    const later = all.open();
    await later.recall(() => "It ended.");
    expect(later.tasks.get()).toMatchObject([{ state: "completed" }, { state: "failed", message: "It ended." }]);
    all.become("apikey:x");
    await later.recall(() => "");
    expect(later.tasks.get()).toEqual([]);
    all.become("admin");
    all.pass(8 * DAY);
    const muchLater = all.open();
    await muchLater.recall(() => "");
    expect(muchLater.tasks.get()).toEqual([]);
  });
});

test("how far and how fast a task is", () => {
  const task = { done: 1, failed: 0, skipped: 1, total: 4, doneBytes: 0, totalBytes: undefined, state: "running" };
  expect(percentDone(task as unknown as Task)).toBe(50);
  expect(percentDone({ ...task, totalBytes: 10, doneBytes: 3 } as unknown as Task)).toBe(30);
  expect(percentDone({ ...task, total: undefined } as unknown as Task)).toBeUndefined();
  expect(speedOf({ ...task, doneBytes: 4000, startedAt: 1000, endedAt: undefined } as unknown as Task, 3000)).toBe(
    2000,
  );
});

test.each([
  ["plan.txt", "PLAN", "[plan].txt"],
  ["a.b*c", "b*", "a.[b*]c"],
  ["计划 plan", "plan 划", "计[划] [plan]"],
  ["holiday", "hol holiday", "[holiday]"],
  ["x", "y", "x"],
])("%p looked for by %p is shown as %p", (name, query, shown) => {
  const told = stretchesOf(name, query).map(({ text, found }) => (found ? `[${text}]` : text));
  expect(told.join("")).toBe(shown);
});

test("a task of one thing bears its name, one of several their number, and says where they go", async () => {
  await setLanguage("en");
  await loadWords("tasks");
  const part = (name: string, folder = "n") => ({
    path: `/m/${name}/`,
    target: `/${folder}/${name}/`,
    state: "running" as const,
  });
  const task = (count: number, ...parts: Task["parts"]): Task => ({
    ...{ id: "j", where: "server", kind: "copy", state: "running", parts, count, done: 0, failed: 0, skipped: 0 },
    ...{ total: 1, doneBytes: 0, totalBytes: 1, current: undefined, troubles: [], message: undefined },
    ...{ startedAt: undefined, endedAt: undefined },
  });
  expect(titleOf(task(1, part("photos")))).toBe("Copy “photos”");
  expect(titleOf(task(3, part("a"), part("b")))).toBe("Copy 3 items");
  expect(titleOf(task(1))).toBe("Copy 1 item");
  expect(folderOf(task(3, part("a"), part("b")))).toBe("/n");
  expect(folderOf(task(2, part("a"), part("b", "other")))).toBeUndefined();
  expect(folderOf({ ...task(1, part("a")), kind: "delete" })).toBeUndefined();
});
