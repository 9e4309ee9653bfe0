import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { files } from "#contract/files";
import { fs as api } from "#contract/fs/fs";
import { fsJobs } from "#contract/fs/jobs";
import { sql } from "../../../src/database/sql.ts";
import { ended, type NewTask } from "../../support/jobs/jobs-room.ts";
import { ask, shareFile } from "../../support/share-file.ts";
import { openTreeHouse, type TreeCalls } from "../../support/tree/tree-house.ts";

/** Jobs that go on behind a process that was killed between what it did and what it told. */

/** Does a job whose one task was begun by a process that was killed; `meanwhile` is what that one did, `begun` what it had begun with. */
async function again(tree: TreeCalls, task: NewTask, meanwhile: () => unknown, begun: readonly string[] = []) {
  const { jobs } = tree.house.house;
  const nothing = { kind: "delete", source: "/m/nothing" } as const;
  const { data } = await tree.call(fsJobs.create, { body: { tasks: [nothing] } });
  await ended(jobs, data.id);
  await meanwhile();
  const { kind, source, target, skipExisting } = { target: null, skipExisting: true, ...task };
  await tree.house.db.run(sql`update jobs set state = 'pending', failed_files = 0, finished_at = null`);
  await tree.house.db.run(sql`update job_tasks set state = 'running', failed = 0, kind = ${kind}, source = ${source},
    target = ${target}, skip_existing = ${skipExisting ? 1 : 0}, cursor = null`);
  await tree.house.db.run(sql`delete from job_failures`);
  for (const path of begun) {
    await tree.house.db.run(sql`insert into job_intents (job, position, path, target, files, bytes, whole)
      values (${data.id}, 0, ${path}, ${path.replace(source, target ?? "")}, 1, ${path.length}, 0)`);
  }
  await jobs.start();
  return await ended(jobs, data.id);
}

const share = async ({ call }: TreeCalls, path: string): Promise<string> =>
  (await call(api.createShare, { body: { path } })).data?.slug ?? "";

/** What a share shows, or the status of the refusal. */
async function shown({ house }: TreeCalls, slug: string): Promise<string> {
  const response = await house.request(`/api/file-view/${slug}`);
  const text = await response.text();
  return response.ok ? text : String(response.status);
}

describe("what was deleted before anybody was told", () => {
  test("takes its shares with it, and nobody's new file comes back with them", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/d/sub/a", "/m/d/b");
    const slugs = [await share(tree, "/m/d/sub/a"), await share(tree, "/m/d/b")];
    const job = await again(tree, { kind: "delete", source: "/m/d" }, () =>
      rmSync(tree.onDisk("d"), { recursive: true }),
    );
    expect(job).toMatchObject({ state: "completed", failed_files: 0 });
    await tree.write("/m/d/b", "secret");
    expect([await shown(tree, slugs[0] ?? ""), await shown(tree, slugs[1] ?? "")]).toEqual(["410", "410"]);
    expect(await tree.names("/m")).toBe("d/");
  });

  test("is a file, too", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a");
    const slug = await share(tree, "/m/a");
    const job = await again(tree, { kind: "delete", source: "/m/a" }, () => rmSync(tree.onDisk("a")));
    expect(job).toMatchObject({ state: "completed", done_files: 1 });
    await tree.write("/m/a", "secret");
    expect(await shown(tree, slug)).toBe("410");
  });
});

describe("what was moved before anybody was told", () => {
  test.each([
    ["a folder", "/m/d", "/m/e", "d", "e"],
    ["a file", "/m/d/a", "/m/b", "d/a", "b"],
  ])("%s is followed by its shares, once and again", async (_, source, target, from, to) => {
    await using tree = await openTreeHouse();
    await tree.put("/m/d/a");
    const slug = await share(tree, "/m/d/a");
    const task = { kind: "move", source, target, skipExisting: true } as const;
    const job = await again(tree, task, () => renameSync(tree.onDisk(from), tree.onDisk(to)));
    expect(job).toMatchObject({ state: "completed", failed_files: 0, done_files: 1 });
    expect(await shown(tree, slug)).toBe("/m/d/a");
    await again(tree, task, () => undefined);
    expect(await shown(tree, slug)).toBe("/m/d/a");
  });

  test("onto what is there: its shares stay as well", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/d/a", "/m/e/b");
    const slugs = [await share(tree, "/m/d/a"), await share(tree, "/m/e/b")];
    const task = { kind: "move", source: "/m/d", target: "/m/e", skipExisting: true } as const;
    const job = await again(tree, task, () => {
      renameSync(tree.onDisk("d/a"), tree.onDisk("e/a"));
      rmSync(tree.onDisk("d"), { recursive: true });
    });
    expect(job.state).toBe("completed");
    expect([await shown(tree, slugs[0] ?? ""), await shown(tree, slugs[1] ?? "")]).toEqual(["/m/d/a", "/m/e/b"]);
  });
});

test("a shared upload that was moved over another keeps its record, and both shares show it", async () => {
  await using tree = await openTreeHouse();
  const [one, two] = [await shareFile(tree.house, { content: "one" }), await shareFile(tree.house, { content: "two" })];
  const [from, to] = [await keyOf(tree, one.slug), await keyOf(tree, two.slug)];
  const task = { kind: "move", source: `/m/${from}`, target: `/m/${to}`, skipExisting: false } as const;
  const job = await again(tree, task, () => renameSync(tree.onDisk(from), tree.onDisk(to)));
  expect(job).toMatchObject({ state: "completed", done_files: 1 });
  expect([await shown(tree, one.slug), await shown(tree, two.slug)]).toEqual(["one", "one"]);
  expect(await tree.house.db.all(sql`select key from uploads`)).toEqual([{ key: to }]);
  await ask(tree.house, files.remove, { body: { ids: [one.id], delete_mode: "both" } });
  expect(tree.readOnDisk(to)).toBe("one");
});

const keyOf = async ({ house }: TreeCalls, slug: string): Promise<string> =>
  (await house.db.first<{ key: string }>(sql`select key from files where slug = ${slug}`))?.key ?? "";

describe("a move file by file that was broken off", () => {
  const move = { kind: "move", source: "/m/d", target: "/n/d", skipExisting: true } as const;
  const names = ["1", "2", "3", "4", "5", "6"];

  /** Copies as the process that was killed did. */
  const copied = (tree: TreeCalls, ...given: readonly (readonly [string, string])[]) => {
    for (const [name, content] of given) tree.behindOurBack(`d/${name}`, content, "second");
  };

  const inBoth = async (tree: TreeCalls) => [await tree.names("/m/d"), await tree.names("/n/d")];

  test("leaves no file in both places", async () => {
    await using tree = await openTreeHouse();
    await tree.second();
    await tree.put(...names.map((name) => `/m/d/${name}`));
    const slug = await share(tree, "/m/d/2");
    const job = await again(tree, move, () => copied(tree, ["1", "/m/d/1"], ["2", "/m/d/2"], ["4", "/m/d/4"]), [
      "/m/d/1",
      "/m/d/2",
      "/m/d/3",
      "/m/d/4",
    ]);
    expect(job).toMatchObject({ state: "completed", done_files: 6, skipped_files: 0, failed_files: 0 });
    expect(await inBoth(tree)).toEqual(["path.missing", names.join(" ")]);
    expect(await shown(tree, slug)).toBe("/m/d/2");
  });

  test("loses nothing that was there before: what is not the same, or cannot be of this move, is skipped", async () => {
    await using tree = await openTreeHouse();
    await tree.second();
    await tree.put(...names.map((name) => `/m/d/${name}`));
    const others = [
      ["1", "/m/d/x"],
      ["2", "longer than it was"],
      ["6", "/m/d/6"],
    ] as const;
    const job = await again(tree, move, () => copied(tree, ...others), ["/m/d/1", "/m/d/2"]);
    expect(job).toMatchObject({ state: "completed", done_files: 3, skipped_files: 3 });
    expect(await inBoth(tree)).toEqual(["1 2 6", names.join(" ")]);
    expect([await tree.text("/n/d/1"), await tree.text("/m/d/1")]).toEqual(["/m/d/x", "/m/d/1"]);
  });

  test("skips what is there as long as it was not broken off", async () => {
    await using tree = await openTreeHouse();
    await tree.second();
    await tree.put("/m/d/1", "/m/d/2");
    copied(tree, ["1", "/m/d/1"]);
    const { data } = await tree.call(fsJobs.create, { body: { tasks: [move] } });
    const job = await ended(tree.house.house.jobs, data.id);
    expect(job).toMatchObject({ state: "completed", done_files: 1, skipped_files: 1 });
    expect(await inBoth(tree)).toEqual(["1", "1 2"]);
  });
});

test("shares follow what a job moves to another mount", async () => {
  await using tree = await openTreeHouse();
  await tree.second();
  await tree.put("/m/d/report", "/n/d/2", "/m/d/3");
  const slugs = [await share(tree, "/m/d/report"), await share(tree, "/n/d/2")];
  tree.behindOurBack("d/2", "over it");
  const task = { kind: "move", source: "/m/d", target: "/n/d", skipExisting: false } as const;
  const { data } = await tree.call(fsJobs.create, { body: { tasks: [task] } });
  expect(await ended(tree.house.house.jobs, data.id)).toMatchObject({ state: "completed", done_files: 3 });
  expect([await shown(tree, slugs[0] ?? ""), await shown(tree, slugs[1] ?? "")]).toEqual(["/m/d/report", "over it"]);
  const { data: found } = await tree.call(api.search, { query: { q: "report" } });
  expect(found.results.map(({ path }) => path)).toEqual(["/n/d/report"]);
});

test("empty folders are copied and do not count", async () => {
  await using tree = await openTreeHouse();
  await tree.put("/m/d/a");
  for (const name of ["b", "c"]) mkdirSync(tree.onDisk(`d/${name}`));
  const { data } = await tree.call(fsJobs.create, {
    body: { tasks: [{ kind: "copy", source: "/m/d", target: "/m/e", skipExisting: true }] },
  });
  const job = await ended(tree.house.house.jobs, data.id);
  expect(job).toMatchObject({ state: "completed", done_files: 1, total_files: 1 });
  expect(readdirSync(tree.onDisk("e")).sort()).toEqual(["a", "b", "c"]);
});

test("a folder that comes to the path of one that was moved as a whole stays", async () => {
  await using tree = await openTreeHouse();
  await tree.put("/m/d/a");
  const task = { kind: "move", source: "/m/d", target: "/m/e", skipExisting: true } as const;
  const { data } = await tree.call(fsJobs.create, { body: { tasks: [task] } });
  await ended(tree.house.house.jobs, data.id);
  await tree.house.db.run(sql`update jobs set state = 'pending', finished_at = null`);
  await tree.house.db.run(sql`update job_tasks set state = 'running'`);
  mkdirSync(tree.onDisk("d"));
  writeFileSync(tree.onDisk("d/new"), "new");
  await tree.house.house.jobs.start();
  expect(await ended(tree.house.house.jobs, data.id)).toMatchObject({ state: "completed", done_files: 1 });
  expect([await tree.names("/m/d"), await tree.names("/m/e")]).toEqual(["new", "a"]);
});
