import type { JobRecord } from "#contract/fs/jobs";
import { createApp } from "../../../src/app.ts";
import { createJobs } from "../../../src/jobs/jobs.ts";
import { addressSet } from "../../../src/lib/addresses.ts";
import { send } from "../scenario.ts";
import { noConnections } from "../servers/connections.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { openTestHouse, type TestHouse } from "../test-house.ts";
import { createFolderWork } from "./folder-work.ts";

/** The real house and its entry point, with jobs that work on a plain folder where a test can halt them. */
export async function openJobsHouse() {
  const opened = await openTestHouse();
  const folder = temporaryFolder();
  const work = createFolderWork(folder.path);
  const { house, clock } = opened;
  const { run, count } = work;
  const { folderFor } = house.jobs;
  const jobs = createJobs({
    cluster: house.cluster,
    clock: clock.now,
    log: house.log,
    run,
    count,
    check: () => undefined,
    callers: house.access.callers,
  });
  const app = createApp({
    house: { ...house, jobs: { ...jobs, run, folderFor } },
    site: () => new Response("site"),
    config: { trustedProxies: addressSet([])[0], publicUrl: undefined, basePath: "", metrics: { token: undefined } },
  });
  const request: TestHouse["request"] = (path, init = {}, peer = "192.0.2.1") => {
    const sent = new Request(new URL(path, "http://satchel.test"), init);
    sent.headers.set("host", "satchel.test");
    return app.fetch(sent, peer, noConnections);
  };
  return {
    ...opened,
    app,
    request,
    work,
    jobs,
    async [Symbol.asyncDispose]() {
      await jobs.close();
      await opened[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** Reads server-sent events one by one. */
export function readEvents<News = JobRecord>(response: Response, name = "job") {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = "";
  return {
    /** The data of the next event; undefined at the end of the stream. Comments are passed over. */
    async next(): Promise<News | undefined> {
      for (;;) {
        const end = text.indexOf("\n\n");
        if (end >= 0) {
          const [event = "", data = ""] = text.slice(0, end).split("\n");
          text = text.slice(end + 2);
          if (event === `event: ${name}`) return JSON.parse(data.slice("data: ".length)) as News;
          continue;
        }
        const { value, done } = await reader.read();
        if (done) return undefined;
        text += decoder.decode(value, { stream: true });
      }
    },
    /** The last event before the end. */
    async last(): Promise<News | undefined> {
      for (let before: News | undefined; ; ) {
        const event = await this.next();
        if (!event) return before;
        before = event;
      }
    },
    cancel: () => reader.cancel(),
  };
}

export type JobsHouse = Awaited<ReturnType<typeof openJobsHouse>>;

export const tasks = (...given: unknown[]) => ({ tasks: given });
export const remove = (source: string) => ({ kind: "delete", source });

export const jobOf = async (response: Response): Promise<JobRecord> =>
  ((await response.json()) as { data: JobRecord }).data;

/** Makes a job as the administrator. */
export const makeJob = async (house: JobsHouse, ...given: unknown[]): Promise<JobRecord> =>
  await jobOf(
    await send(house, { as: "admin", method: "POST", url: "/api/fs/jobs", body: tasks(...given), status: 201 }),
  );
