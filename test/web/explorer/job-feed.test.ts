import { afterEach, describe, expect, test } from "bun:test";
import type { JobNews, JobRecord } from "#contract/fs/jobs";
import { createCall } from "../../../web/api/call.ts";
import { createEvents } from "../../../web/api/transport/event-stream.ts";
import { createJobFeed } from "../../../web/features/explorer/model/job-feed.ts";
import { createStore } from "../../../web/lib/store.ts";
import { answer, fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { createClock } from "../transfer/clock.ts";

/** The jobs of the server as a page follows them: by one stream, or by asking while that does not stand. */

const job = (id: string, state: JobRecord["state"] = "running", more: Partial<JobRecord> = {}): JobRecord => ({
  ...{ id, state, task_count: 1, tasks: [], total_files: 1, total_bytes: 1, done_files: 0, skipped_files: 0 },
  ...{
    failed_files: 0,
    done_bytes: 0,
    current: null,
    waiting: null,
    failures: [],
    error: null,
    message: null,
    created_by: "admin",
  },
  ...{ created_at: "2026-01-01T00:00:00.000Z", started_at: null, finished_at: null },
  ...more,
});

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]();
});

function world() {
  const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
  const jobs = new Map<string, JobRecord>();
  let stands = true;
  const server = fakeServer({
    "GET /fs/jobs/events": () => {
      if (!stands) return refusal("server.busy");
      const body = new ReadableStream<Uint8Array>({ start: (controller) => void streams.push(controller) });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
    "GET /fs/jobs": () => answer({ data: [...jobs.values()], pagination: {} }),
    "GET /fs/jobs/b": () => answer({ data: jobs.get("b") }),
    "DELETE /fs/jobs/b": () => {
      jobs.set("b", job("b", "cancelled"));
      return answer();
    },
  });
  open.push(server);
  const clock = createClock();
  const state = createStore({ authType: "none", lastValidated: 0 } as const);
  const call = createCall({ base: () => `${server.base}/api`, credential: { state }, language: () => "en" });
  const feed = createJobFeed({ call, events: createEvents({ fetch }), sleep: clock.sleep });
  const until = async (condition: () => boolean) => {
    while (!condition()) await Bun.sleep(1);
  };
  return {
    feed,
    clock,
    server,
    streams,
    until,
    know: (...some: JobRecord[]) => {
      for (const one of some) jobs.set(one.id, one);
    },
    break() {
      stands = false;
      for (const stream of streams.splice(0)) stream.close();
    },
    mend() {
      stands = true;
    },
    async tell(news: Partial<JobNews>, stream = streams.length - 1) {
      const text = `:\n\nevent: jobs\ndata: ${JSON.stringify({ whole: false, jobs: [], gone: [], ...news })}\n\n`;
      // In two pieces, as networks bring them.
      const bytes = new TextEncoder().encode(text);
      streams[stream]?.enqueue(bytes.slice(0, 20));
      await Bun.sleep(1);
      streams[stream]?.enqueue(bytes.slice(20));
    },
    shown: () => feed.state.get().jobs?.map(({ id, state }) => `${id} ${state}`),
  };
}

describe("the feed of jobs", () => {
  test("is one stream for all who hold it, and takes what it tells", async () => {
    const { feed, streams, tell, until, shown, server } = world();
    const releases = [feed.hold(), feed.hold()];
    await until(() => streams.length === 1);
    await tell({ whole: true, jobs: [job("b"), job("a", "completed")] });
    await until(() => shown()?.length === 2);
    await tell({ jobs: [job("c", "pending"), job("b", "completed")], gone: ["a"] });
    await until(() => shown()?.join() === "c pending,b completed");
    for (const release of releases) release();
    expect(server.lines()).toEqual(["GET /fs/jobs/events"]);
  });

  test("asks for the list while the stream does not stand, ever less often, and goes back to it", async () => {
    const all = world();
    const { feed, streams, until, shown, server, clock } = all;
    const release = feed.hold();
    await until(() => streams.length === 1);
    all.know(job("a"));
    all.break();
    await until(() => clock.slept.length >= 4 && shown() !== undefined);
    expect(shown()).toEqual(["a running"]);
    expect(clock.slept.slice(0, 4)).toEqual([1000, 2000, 4000, 8000]);
    all.mend();
    await until(() => {
      clock.advance(30_000);
      return streams.length === 1;
    });
    const asked = server.lines().filter((line) => line === "GET /fs/jobs").length;
    await all.tell({ whole: true, jobs: [job("a", "completed")] });
    await until(() => shown()?.join() === "a completed");
    expect(server.lines().filter((line) => line === "GET /fs/jobs")).toHaveLength(asked);
    release();
  });

  test("follows a job to its end, and asks then what became of each of its files", async () => {
    const { feed, streams, tell, until, know } = world();
    const seen: number[] = [];
    const { signal } = new AbortController();
    const followed = feed.follow("b", { signal, onProgress: ({ done_files }) => seen.push(done_files) });
    await until(() => streams.length === 1);
    await tell({ whole: true, jobs: [job("b")] });
    await until(() => seen.length === 1);
    await tell({ jobs: [job("b", "running", { done_files: 1 })] });
    await until(() => seen.length === 2);
    know(job("b", "completed", { done_files: 7 }));
    await tell({ jobs: [job("b", "completed")] });
    expect(await followed).toMatchObject({ state: "completed", done_files: 7 });
    expect(seen).toEqual([0, 1]);
  });

  test("cancels a job when its signal aborts", async () => {
    const { feed, streams, tell, until, know, server } = world();
    know(job("b"));
    const stop = new AbortController();
    const followed = feed.follow("b", { signal: stop.signal, onProgress: () => undefined });
    await until(() => streams.length === 1);
    await tell({ whole: true, jobs: [job("b")] });
    stop.abort();
    await until(() => server.lines().includes("DELETE /fs/jobs/b"));
    await tell({ jobs: [job("b", "cancelled")] });
    expect(await followed).toMatchObject({ state: "cancelled" });
  });
});
