import { describe, expect, test } from "bun:test";
import { fs as api } from "#contract/fs/fs";
import { fsJobs } from "#contract/fs/jobs";
import { fsTrash } from "#contract/fs/trash";
import type { Step } from "../../src/jobs/task.ts";
import { ended, type NewTask } from "../support/jobs/jobs-room.ts";
import { openS3Tree, type S3Tree } from "../support/tree/on-s3.ts";

/** Jobs on a storage that only knows keys. */

const FILES = 24;
const names = Array.from({ length: FILES }, (_, index) => `${100 + index}`);
const task = { kind: "move", source: "/s/d", target: "/s/e", skipExisting: true } as const;

async function done(tree: S3Tree, ...tasks: NewTask[]) {
  const { data } = await tree.call(fsJobs.create, { body: { tasks } });
  return await ended(tree.house.house.jobs, data.id);
}

describe("a move of a folder", () => {
  test("stops behind the files under way when it is told to, and goes on from there", async () => {
    await using tree = await openS3Tree();
    await tree.put(...names.map((name) => `/s/d/${name}`));
    const admin = { kind: "admin", sessionId: null } as const;
    const run = async (begin: { after?: string; again?: boolean }, most: number): Promise<Step[]> => {
      const stop = new AbortController();
      const conditions = { caller: async () => admin, protocol: "mount", signal: stop.signal, ...begin } as const;
      const steps: Step[] = [];
      for await (const step of tree.house.house.jobs.run(task, conditions)) if (steps.push(step) === most) stop.abort();
      return steps;
    };
    const first = await run({}, 3);
    expect(first.length).toBeLessThan(10);
    const keys = await tree.s3.keys();
    expect(keys.filter((key) => key.startsWith("e/")).length).toBe(first.length);
    expect(keys.length).toBe(FILES);
    const rest = await run({ after: first.at(-1)?.cursor ?? "", again: true }, FILES);
    expect(first.length + rest.length).toBe(FILES);
    expect(await tree.s3.keys()).toEqual(names.map((name) => `e/${name}`));
  });

  test("takes its shares along, counts its files, and leaves no folder behind", async () => {
    await using tree = await openS3Tree();
    await tree.put("/s/d/1", "/s/d/sub/2");
    await tree.call(api.mkdir, { body: { path: "/s/d/empty" } });
    const { data } = await tree.call(api.createShare, { body: { path: "/s/d/sub/2" } });
    const job = await done(tree, task);
    expect(job).toMatchObject({ state: "completed", done_files: 2, total_files: 2, failed_files: 0 });
    expect([await tree.names("/s"), await tree.names("/s/e")]).toEqual(["e/", "empty/ sub/ 1"]);
    const shown = await tree.house.request(`/api/public/files/${data.slug}`);
    expect([shown.status, await tree.text("/s/e/sub/2")]).toEqual([200, "/s/d/sub/2"]);
  });
});

test("a folder with an empty one in it is deleted, and only files count", async () => {
  await using tree = await openS3Tree();
  await tree.put("/s/d/1", "/s/d/2");
  await tree.call(api.mkdir, { body: { path: "/s/d/empty" } });
  const job = await done(tree, { kind: "delete", source: "/s/d" });
  expect(job).toMatchObject({ state: "completed", done_files: 2, total_files: 2 });
  await tree.call(fsTrash.empty, {});
  expect(await tree.s3.keys()).toEqual([]);
});
