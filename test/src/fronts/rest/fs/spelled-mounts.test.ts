import { expect, test } from "bun:test";
import type { Task } from "../../../../../src/jobs/task.ts";
import { openTreeHouse, type TreeCalls } from "../../../../support/tree/tree-house.ts";

/** A mount whose path one may spell with letters that are composed, or taken apart as some systems do. */
const composed = "/M\u00fcll";
const apart = "/Mu\u0308ll";

const admin = { kind: "admin", sessionId: null } as const;

async function run({ house }: TreeCalls, task: Task): Promise<void> {
  const conditions = { caller: async () => admin, protocol: "mount", signal: new AbortController().signal } as const;
  for await (const step of house.house.jobs.run(task, conditions)) expect(step.outcome).toBe("done");
}

test("names below it stay whole when they are copied and moved", async () => {
  await using tree = await openTreeHouse({ mount_path: composed });
  await tree.second();
  await tree.put(...["report1", "xa", "ya", "sub/z"].map((name) => `${composed}/d/${name}`));
  await run(tree, { kind: "copy", source: `${apart}/d`, target: `${apart}/c`, skipExisting: true });
  expect(await tree.names(`${composed}/c`)).toBe("sub/ report1 xa ya");
  await run(tree, { kind: "move", source: `${apart}/d`, target: "/n/e", skipExisting: true });
  expect([await tree.names("/n/e"), await tree.names("/n/e/sub")]).toEqual(["sub/ report1 xa ya", "z"]);
  expect(await tree.text("/n/e/xa")).toBe(`${composed}/d/xa`);
  expect(await tree.names(composed)).toBe("c/");
});

test("its folders cannot go into themselves by the other spelling", async () => {
  await using tree = await openTreeHouse({ mount_path: composed });
  await tree.put(`${composed}/d/x`);
  const view = await tree.house.house.vfs.as(admin, "mount");
  await expect(view.at(`${apart}/d`).move(view.at(`${composed}/d/e`))).rejects.toMatchObject({ code: "path.into" });
  expect(await tree.text(`${apart}/d/x`)).toBe(`${composed}/d/x`);
});
