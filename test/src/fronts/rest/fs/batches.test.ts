import { expect, spyOn, test } from "bun:test";
import { fsCopies } from "#contract/fs/copies";
import { fs } from "#contract/fs/fs";
import { openTreeHouse } from "../../../../support/tree/tree-house.ts";

/** What a batch call says when all of it, some of it or nothing of it failed. */

test("a removal of which nothing succeeded has the status and the sentence of the first failure", async () => {
  await using tree = await openTreeHouse();
  await tree.put("/m/a");
  const none = await tree.call(fs.batchRemove, { body: { paths: ["/m", "/m/../x"] } });
  const failed = [
    { path: "/m", error: "path.mount", message: expect.any(String) },
    { path: "/m/../x", error: "path.invalid", message: expect.any(String) },
  ];
  const data = { success: 0, failed };
  expect(none).toMatchObject({ status: 403, code: 403, success: false, error: "path.mount", failed, data } as never);
  expect(none.message).toContain("mount");
  const some = await tree.call(fs.batchRemove, { body: { paths: ["/m", "/m/a"] } });
  expect(some).toMatchObject({ status: 200, code: 200, success: true, failed: [{ path: "/m" }] } as never);
  expect(some.data).toMatchObject({ success: 1, failed: [{ path: "/m" }] });
  const all = await tree.call(fs.batchRemove, { body: { paths: ["/m/a", "/m/none"] } });
  expect(all).toMatchObject({ status: 200, success: true, failed: [], data: { success: 2, failed: [] } } as never);
});

test("a removal of many that are all refused lets others work in between", async () => {
  await using tree = await openTreeHouse();
  // Each look at this clock finds the slice of time used up.
  let time = performance.now();
  const clock = spyOn(performance, "now").mockImplementation(() => {
    time += 10;
    return time;
  });
  const passes = spyOn(globalThis, "setImmediate");
  try {
    const paths = Array.from({ length: 200 }, () => "/m");
    expect(await tree.outcome(fs.batchRemove, { body: { paths } })).toBe("403 path.mount");
    expect(passes.mock.calls.length).toBeGreaterThanOrEqual(200);
  } finally {
    passes.mockRestore();
    clock.mockRestore();
  }
});

test("a copy of which nothing succeeded has the status of the first failure; what was there already is no failure", async () => {
  await using tree = await openTreeHouse();
  await tree.put("/m/a", "/m/b");
  const copy = (...items: { sourcePath: string; targetPath: string }[]) =>
    tree.call(fsCopies.batchCopy, { body: { items } });
  const missing = { sourcePath: "/m/none", targetPath: "/m/x" };
  expect(await copy(missing)).toMatchObject({
    ...{ status: 404, success: false, error: "path.missing", failed: [missing] },
    data: { success: 0, skipped: 0, failed: 1, details: [{ error: "path.missing" }] },
  } as never);
  const there = { sourcePath: "/m/a", targetPath: "/m/b" };
  expect(await copy(missing, there)).toMatchObject({
    ...{ status: 200, success: true, failed: [missing] },
    data: { skipped: 1, failed: 1 },
  } as never);
});
