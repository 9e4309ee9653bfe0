import { describe, expect, test } from "bun:test";
import { type Cluster, joinCluster } from "../../../src/cluster/cluster.ts";
import { LEASE_LIFE } from "../../../src/cluster/lease-rows.ts";
import { createLog } from "../../../src/lib/log.ts";
import { withClock } from "../../support/cluster/two-servers.ts";
import { admin, ended, openJobsRoom } from "../../support/jobs/jobs-room.ts";
import { until } from "../../support/until.ts";

/** Jobs on several servers: each is run by one of them, and by another when that has died. */

async function open() {
  const room = await openJobsRoom();
  let passed = 0;
  const servers: Cluster[] = [];
  const join = async () => {
    const cluster = await joinCluster({
      db: withClock(room.db, room.clock.now),
      log: createLog("silent", () => undefined),
      busy: () => new Error("busy"),
      elapsed: () => passed,
    });
    servers.push(cluster);
    return { cluster, jobs: room.open({ cluster }) };
  };
  /** Enough for what servers do only every few seconds. */
  const beats = async (...which: readonly { readonly cluster: Cluster }[]) => {
    for (let count = 0; count < 10; count++) for (const { cluster } of which) await cluster.beat();
  };
  return {
    ...room,
    join,
    beats,
    pass(milliseconds: number) {
      passed += milliseconds;
      room.clock.advance(milliseconds);
    },
  };
}

const copy = (source: string, target: string) => ({ kind: "copy", source, target, skipExisting: false }) as const;

describe("a job", () => {
  test("is run by one server, and seen from the other", async () => {
    await using room = await open();
    const [one, other] = [await room.join(), await room.join()];
    await room.work.put("/a/1", "/a/2", "/a/3");
    const halt = room.work.halt("/a/3");
    const { id } = await one.jobs.create(admin, [copy("/a", "/b")]);
    await halt.reached;
    await room.beats(one, other);
    const seen = await other.jobs.read(admin, id);
    expect(seen).toMatchObject({ state: "running", settled: false, done_files: 2, current: "/a/2" });
    let rings = 0;
    const unwatch = await other.jobs.watch(admin, id, () => {
      rings += 1;
    });
    halt.letGo();
    await ended(one.jobs, id);
    await room.beats(one, other);
    expect(rings).toBeGreaterThan(0);
    unwatch();
    expect(await other.jobs.read(admin, id)).toMatchObject({ state: "completed", settled: true, done_files: 3 });
    expect(room.work.begun).toEqual(["/a/1", "/a/2", "/a/3"]);
  });

  test("goes on at another server when its own has died, and no file counts twice", async () => {
    await using room = await open();
    const [one, other] = [await room.join(), await room.join()];
    await room.work.put("/a/1", "/a/2", "/a/3");
    const halt = room.work.halt("/a/2");
    const { id } = await one.jobs.create(admin, [copy("/a", "/b")]);
    await halt.reached;
    room.pass(LEASE_LIFE / 2);
    await room.beats(other);
    expect(room.work.begun).toEqual(["/a/1", "/a/2"]);
    room.pass(LEASE_LIFE);
    await room.beats(other);
    await until(
      () => room.work.begun.length,
      (count) => count === 3,
    );
    expect(room.work.begun).toEqual(["/a/1", "/a/2", "/a/2"]);
    // The first server was only slow: what it does now is refused.
    halt.letGo();
    const job = await ended(other.jobs, id);
    expect(job).toMatchObject({ state: "completed", done_files: 3, failed_files: 0 });
    await one.jobs.close();
    expect(room.work.begun).toEqual(["/a/1", "/a/2", "/a/2", "/a/3"]);
    expect(await other.jobs.read(admin, id)).toMatchObject({ state: "completed", done_files: 3, done_bytes: 12 });
  });

  test("goes on at another server when its own stops", async () => {
    await using room = await open();
    const [one, other] = [await room.join(), await room.join()];
    await room.work.put("/a/1", "/a/2");
    const halt = room.work.halt("/a/1");
    const { id } = await one.jobs.create(admin, [copy("/a", "/b")]);
    await halt.reached;
    const closed = one.jobs.close();
    halt.letGo();
    await closed;
    await room.beats(other);
    expect(await ended(other.jobs, id)).toMatchObject({ state: "completed", done_files: 2 });
  });

  test("that waits is begun by a server that has nothing to do", async () => {
    await using room = await open();
    const [one, other] = [await room.join(), await room.join()];
    await room.work.put("/a/1", "/b/1", "/c/1");
    const halts = [room.work.halt("/a/1"), room.work.halt("/b/1")];
    for (const source of ["/a", "/b"]) await one.jobs.create(admin, [copy(source, "/to")]);
    await Promise.all(halts.map(({ reached }) => reached));
    const { id } = await one.jobs.create(admin, [copy("/c", "/to/c")]);
    await room.beats(one, other);
    expect(await ended(other.jobs, id)).toMatchObject({ state: "completed" });
    for (const { letGo } of halts) letGo();
  });

  test("is cancelled from another server", async () => {
    await using room = await open();
    const [one, other] = [await room.join(), await room.join()];
    await room.work.put("/a/1", "/a/2", "/a/3");
    const halt = room.work.halt("/a/1");
    const { id } = await one.jobs.create(admin, [copy("/a", "/b")]);
    await halt.reached;
    await room.beats(one, other);
    await other.jobs.cancel(admin, id);
    expect(await other.jobs.read(admin, id)).toMatchObject({ state: "cancelled", settled: false });
    await room.beats(other, one);
    halt.letGo();
    await ended(one.jobs, id);
    await room.beats(one, other);
    expect(await other.jobs.read(admin, id)).toMatchObject({ state: "cancelled", settled: true, done_files: 1 });
    expect(room.work.begun).toEqual(["/a/1"]);
  });
});
