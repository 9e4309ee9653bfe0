import { Failure, type FailureCode, type FailureDetails, failureStatus } from "#contract/failures";
import { fsJobs as api, type JobNews, type JobRecord } from "#contract/fs/jobs";
import type { Language } from "#contract/languages";
import { sentence } from "#contract/messages/sentence";
import type { House } from "../../../house.ts";
import type { Job } from "../../../jobs/reading.ts";
import { iso, isoOrNull } from "../../../lib/clock.ts";
import type { Admit, Bind } from "../bind.ts";
import { type EventSource, eventStream, eventHeaders as headers } from "../event-stream.ts";
import { languageOf } from "../failures.ts";

/** Jobs over REST. */
export function bindFsJobs(bind: Bind, { jobs, log }: Pick<House, "jobs" | "log">, admit: Admit): void {
  bind(api.create, async ({ body: { tasks }, principal, request }) => ({
    data: shown(await jobs.create(principal, tasks), languageOf(request.headers)),
  }));

  bind(api.unpack, async ({ body: { path, target, onConflict }, principal, request }) => {
    const folder = target ?? (await jobs.folderFor(path, principal));
    const task = { kind: "unpack", source: path, target: folder, onConflict } as const;
    return { data: shown(await jobs.create(principal, [task]), languageOf(request.headers)) };
  });

  bind(api.list, async ({ query, principal, request }) => {
    const { limit, offset } = query;
    const { jobs: listed, total } = await jobs.list(principal, query);
    const language = languageOf(request.headers);
    return {
      data: listed.map((job) => shown(job, language)),
      pagination: { total, limit, offset, hasMore: offset + listed.length < total },
    };
  });

  bind(api.read, async ({ params: { id }, principal, request }) => ({
    data: shown(await jobs.read(principal, id), languageOf(request.headers)),
  }));

  bind(api.events, async ({ params: { id }, principal, request, context }) => {
    const language = languageOf(request.headers);
    await jobs.read(principal, id);
    // Elysia answers HEAD by running GET, and the stream would never be read.
    if (request.method === "HEAD") return new Response(null, { headers });
    context.hold();
    const source: EventSource = {
      name: "job",
      watch: (changed) => jobs.watch(principal, id, changed),
      recheck: async () => void (await admit(request, context, api.events)),
      async read() {
        const job = await jobs.read(principal, id);
        const last = jobs.isClosing() || (job.settled && job.finished_at !== null);
        return { data: JSON.stringify(shown(job, language)), last };
      },
    };
    return new Response(await eventStream(source, log), { headers });
  });

  bind(api.follow, async ({ query: { limit }, principal, request, context }) => {
    const language = languageOf(request.headers);
    if (request.method === "HEAD") return new Response(null, { headers });
    context.hold();
    const changed = new Set<string>();
    let whole = true;
    const source: EventSource = {
      name: "jobs",
      watch: async (ring) =>
        jobs.watchAll(principal, (id) => {
          if (id === undefined) whole = true;
          else changed.add(id);
          ring();
        }),
      recheck: async () => void (await admit(request, context, api.follow)),
      async read() {
        const ids = [...changed];
        changed.clear();
        const found = whole
          ? (await jobs.list(principal, { limit, offset: 0 })).jobs
          : await jobs.listByIds(principal, ids);
        const gone = whole ? [] : ids.filter((id) => !found.some((job) => job.id === id));
        const news: JobNews = { whole, jobs: found.map((job) => shown(job, language)), gone };
        whole = false;
        return { data: JSON.stringify(news), last: jobs.isClosing() };
      },
    };
    return new Response(await eventStream(source, log), { headers });
  });

  bind(api.cancel, async ({ params: { id }, principal }) => {
    await jobs.cancel(principal, id);
    return {};
  });
}

const shown = (job: Job, language: Language): JobRecord => ({
  id: job.id,
  state: job.state,
  task_count: job.task_count,
  tasks: job.tasks.map(({ kind, source, target, state, done, skipped, failed }) => ({
    kind,
    source,
    target,
    state,
    done,
    skipped,
    failed,
  })),
  total_files: job.total_files,
  total_bytes: job.total_bytes,
  done_files: job.done_files,
  skipped_files: job.skipped_files,
  failed_files: job.failed_files,
  done_bytes: job.done_bytes,
  current: job.current,
  waiting: waitingOf(job, language),
  failures: job.failures.map((failure) => ({ path: failure.path, ...said(failure, language) })),
  ...(job.error === null ? { error: null, message: null } : said({ ...job, error: job.error }, language)),
  created_by: job.owner,
  created_at: iso(job.created_at),
  started_at: isoOrNull(job.started_at),
  finished_at: isoOrNull(job.finished_at),
});

function waitingOf({ state, away_since, away_error, resumes_at }: Job, language: Language): JobRecord["waiting"] {
  if (state !== "pending" || away_since === null || away_error === null || resumes_at === null) return null;
  const failure = { error: away_error, error_details: null };
  return { ...said(failure, language), since: iso(away_since), until: iso(resumes_at) };
}

interface Remembered {
  readonly error: string;
  readonly error_details: string | null;
}

/** A failure as it was written down, perhaps by a version that had other codes. */
function said({ error, error_details }: Remembered, language: Language): { error: string; message: string } {
  const code: FailureCode = isCode(error) ? error : "internal";
  const details = JSON.parse(error_details ?? "{}") as FailureDetails;
  return { error: code, message: sentence(new Failure(code, details), language) };
}

const isCode = (text: string): text is FailureCode => Object.hasOwn(failureStatus, text);
