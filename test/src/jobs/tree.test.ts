import { describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import type { JobRecord } from "#contract/fs/jobs";
import { sql } from "../../../src/database/sql.ts";
import { jobOf, tasks } from "../../support/jobs/jobs-house.ts";
import { admin, ended, whenever } from "../../support/jobs/jobs-room.ts";
import { makeKey, withKey } from "../../support/make-key.ts";
import { makeMount } from "../../support/make-mount.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";

/** Jobs on the real tree. */

const odd = "a b#%?+中文😀.txt";

const write = async ({ house }: TestHouse, ...paths: string[]): Promise<void> => {
  const view = await house.vfs.as(admin, "mount");
  for (const path of paths) await view.at(path).put({ body: new Response(path), length: Buffer.byteLength(path) });
};

const post = async (house: TestHouse, headers: Record<string, string>, ...given: unknown[]): Promise<Response> =>
  await house.request("/api/fs/jobs", { method: "POST", headers, body: JSON.stringify(tasks(...given)) });

const make = async (house: TestHouse, ...given: unknown[]): Promise<JobRecord> =>
  await jobOf(await post(house, { authorization: `Bearer ${await house.signIn()}` }, ...given));

/** Paths of the files that there are. */
const filesOf = async ({ house }: TestHouse, path = "/drive"): Promise<string[]> => {
  const found: string[] = [];
  for await (const walked of (await house.vfs.as(admin, "mount")).at(path).walk()) found.push(walked.path);
  return found.filter((one) => !one.endsWith("/")).sort();
};

describe("jobs on the tree", () => {
  test("copy, move and delete files and folders", async () => {
    await using house = await openTestHouse();
    await write(house, "/drive/a/1", `/drive/a/b/${odd}`, "/drive/m/2", "/drive/d/3", "/drive/one");
    const { id } = await make(
      house,
      { kind: "copy", source: "/drive/a", target: "/drive/copied" },
      { kind: "move", source: "/drive/m", target: "/drive/moved" },
      { kind: "delete", source: "/drive/d" },
      { kind: "delete", source: "/drive/one" },
    );
    const job = await ended(house.house.jobs, id);
    expect(job).toMatchObject({ state: "completed", failed_files: 0, error: null });
    expect(await filesOf(house)).toEqual(
      ["/drive/a/1", `/drive/a/b/${odd}`, "/drive/copied/1", `/drive/copied/b/${odd}`, "/drive/moved/2"].sort(),
    );
  });

  test("move a file over a file in one step", async () => {
    await using house = await openTestHouse();
    await write(house, "/drive/a", "/drive/b");
    const inode = (name: string) => statSync(join(house.objects, "drive", name)).ino;
    const before = inode("a");
    const { id } = await make(house, { kind: "move", source: "/drive/a", target: "/drive/b", skipExisting: false });
    expect(await ended(house.house.jobs, id)).toMatchObject({ state: "completed", done_files: 1, failed_files: 0 });
    expect([await filesOf(house), inode("b")]).toEqual([["/drive/b"], before]);
  });

  test("nobody gets a job that must fail", async () => {
    await using house = await openTestHouse();
    await makeMount(house);
    await write(house, "/drive/mine/1", "/drive/theirs/2");
    const reader = withKey(
      await makeKey(house, { permissions: ["mount_view", "mount_copy"], basic_path: "/drive/mine" }),
    );
    const refused = async (...given: unknown[]) => {
      const response = await post(house, reader, ...given);
      return [response.status, ((await response.json()) as { error: string }).error];
    };
    const good = { kind: "copy", source: "/drive/mine/1", target: "/drive/mine/2" };
    expect(await refused(good, { kind: "delete", source: "/drive/mine/1" })).toEqual([403, "auth.forbidden"]);
    expect(await refused({ ...good, target: "/drive/theirs/3" })).toEqual([403, "path.forbidden"]);
    expect(await refused({ ...good, source: "/drive/theirs/2" })).toEqual([403, "path.forbidden"]);
    expect(await refused({ ...good, source: "/drive/mine", target: "/drive/mine/x" })).toEqual([400, "path.into"]);
    const owner = { authorization: `Bearer ${await house.signIn()}` };
    for (const source of ["/", "/drive"]) {
      const response = await post(house, owner, { kind: "delete", source });
      expect(response.status).toBe(403);
    }
    expect(await filesOf(house)).toEqual(["/drive/mine/1", "/drive/theirs/2"]);
  });

  test("a key that loses its right while its job waits does nothing more", async () => {
    await using house = await openTestHouse();
    await write(house, "/drive/a/1");
    const key = await makeKey(house);
    const waiting = await jobOf(await post(house, withKey(key), { kind: "delete", source: "/drive/nothing" }));
    await ended(house.house.jobs, waiting.id);
    // As if the server had stopped before its turn came.
    await house.db.run(sql`update jobs set state = 'pending', finished_at = null`);
    await house.db.run(sql`update job_tasks set state = 'pending', source = '/drive/a'`);
    await house.house.access.keys.update(key.id, { permissions: 0 });
    await house.house.jobs.start();
    const job = await ended(house.house.jobs, waiting.id);
    expect(job).toMatchObject({ state: "failed", error: "auth.forbidden" });
    expect(await filesOf(house)).toEqual(["/drive/a/1"]);
  });

  test("a job goes on after a restart until all files are there, and no file twice", async () => {
    using folder = temporaryFolder();
    const options = { file: `${folder.path}/satchel.db`, objects: `${folder.path}/objects` };
    const paths = Array.from({ length: 200 }, (_, number) => `/drive/a/${String(number).padStart(3, "0")}`);
    let id = "";
    {
      await using house = await openTestHouse(options);
      await write(house, ...paths);
      ({ id } = await make(house, { kind: "copy", source: "/drive/a", target: "/drive/b" }));
      await whenever(house.house.jobs, id, ({ done_files }) => done_files > 0);
    }
    await using house = await openTestHouse(options);
    const left = await house.house.jobs.read(admin, id);
    expect(left.state).toBe("running");
    expect(left.done_files).toBeGreaterThan(0);
    await house.house.jobs.start();
    const job = await ended(house.house.jobs, id);
    expect(job).toMatchObject({ state: "completed", failed_files: 0 });
    expect(job.done_files + job.skipped_files).toBe(200);
    expect(await filesOf(house, "/drive/b")).toEqual(paths.map((path) => path.replace("/a/", "/b/")));
  });
});
