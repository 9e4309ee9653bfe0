import { afterEach, expect, jest, test } from "bun:test";
import { fsCopies } from "#contract/fs/copies";
import { COPY_PATIENCE } from "#contract/limits";
import { openS3Tree } from "../support/tree/on-s3.ts";
import { until } from "../support/until.ts";

/** Copies within a storage elsewhere, by one call: several at once, and by a job when that takes too long. */

afterEach(() => void jest.useRealTimers());

const names = Array.from({ length: 30 }, (_, index) => String(index).padStart(2, "0"));

test("what one copy waits for keeps no other, and what takes too long is left to a job", async () => {
  await using tree = await openS3Tree();
  await Promise.all(
    [...names.map((name) => `d/${name}`), "x", "y", "z"].map((key) =>
      tree.s3.store.put(key, new Response(key), { type: "text/plain", length: key.length }),
    ),
  );
  tree.proxy.inject({ on: /^PUT \/[^/]+\/e\/07/, stallAnswer: -1, times: 1 });
  const items = [
    { sourcePath: "/s/d/", targetPath: "/s/e/" },
    ...["x", "y", "z"].map((name) => ({ sourcePath: `/s/${name}`, targetPath: `/s/copied/${name}` })),
  ];
  jest.useFakeTimers();
  const answer = tree.call(fsCopies.batchCopy, { body: { items } });
  const copied = [...names.slice(0, 7).map((name) => `e/${name}`), "copied/x", "copied/y", "copied/z"];
  for (;;) {
    const keys = await tree.s3.keys();
    if (copied.every((key) => keys.includes(key)) && tree.proxy.requests.some((line) => line.includes("/e/07"))) break;
  }
  jest.advanceTimersByTime(COPY_PATIENCE.leave);
  jest.useRealTimers();
  const { status, data } = await answer;
  expect([status, data.crossStorage, data.failed, data.details]).toEqual([202, false, 0, []]);
  expect(data.success).toBeGreaterThanOrEqual(3);
  const id = data.job_id ?? "";
  const ended = await until(
    async () => (await tree.house.house.jobs.read({ kind: "admin", sessionId: null }, id)).state,
    (state) => state === "completed",
  );
  expect(ended).toBe("completed");
  expect(await tree.names("/s/e")).toBe(names.join(" "));
  for (const name of names) expect(await tree.text(`/s/e/${name}`)).toBe(`d/${name}`);
});

test("copies that touch each other keep their order", async () => {
  await using tree = await openS3Tree();
  await tree.put("/s/a", "/s/b");
  const items = [
    { sourcePath: "/s/a", targetPath: "/s/c" },
    { sourcePath: "/s/c", targetPath: "/s/d/c" },
    { sourcePath: "/s/d/", targetPath: "/s/e/" },
    { sourcePath: "/s/b", targetPath: "/s/c" },
    { sourcePath: "/s/none", targetPath: "/s/f" },
    { sourcePath: "/s/b", targetPath: "/s/g" },
  ];
  const { data } = await tree.call(fsCopies.batchCopy, { body: { items, skipExisting: false } });
  expect(data).toMatchObject({ success: 5, failed: 1, details: [{ path: "/s/none", error: "path.missing" }] });
  expect([await tree.text("/s/e/c"), await tree.text("/s/c"), await tree.text("/s/g")]).toEqual([
    ...["/s/a", "/s/b", "/s/b"],
  ]);
});
