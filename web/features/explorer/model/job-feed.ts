import { fsJobs, type JobNews, type JobRecord } from "#contract/fs/jobs";
import type { Call } from "../../../api/call.ts";
import type { Events } from "../../../api/transport/event-stream.ts";
import { followEvents } from "../../../api/transport/follow-events.ts";
import { createStore, type Store } from "../../../lib/store.ts";
import { isSilence } from "../../../transfer/failures.ts";
import type { Sleep } from "../../../transfer/ports.ts";

interface FeedPorts {
  readonly call: Call;
  readonly events: Events;
  readonly sleep: Sleep;
}

/** The current person's jobs. */
interface FeedState {
  /** Newest first; undefined before the server has answered. */
  readonly jobs: readonly JobRecord[] | undefined;
  /** Why they could not be loaded. */
  readonly error: unknown;
}

/** How a job is followed and cancelled. */
export interface Watching {
  readonly onProgress: (job: JobRecord) => void;
  readonly signal: AbortSignal;
}

/** How many jobs are shown; the server keeps them for seven days. */
const SHOWN = 50;
/** The first pause before the server is asked about a job again, in milliseconds. */
const FIRST_PAUSE = 1000;
/** How many times in a row the server may fail to answer about a job. */
const FORGIVEN = 20;
/** How long there may be no news of a job, in milliseconds, before the server is asked. */
const RECHECK_AFTER = 10_000;

const ends: readonly JobRecord["state"][] = ["completed", "failed", "cancelled", "partial_complete"];
const nothing: FeedState = { jobs: undefined, error: null };

/**
 * Follows the current person's jobs by one stream of the server, which is open as long as anybody holds it. When the stream
 * breaks, the list is requested instead, less and less often, until the stream is back.
 */
export function createJobFeed({ call, events, sleep }: FeedPorts) {
  const state = createStore<FeedState>(nothing);
  let holders = 0;
  let run: AbortController | undefined;

  const take = ({ whole, jobs, gone }: JobNews) => {
    const before = whole ? [] : (state.get().jobs ?? []);
    const known = new Map([...before, ...jobs].map((job) => [job.id, job]));
    for (const id of gone) known.delete(id);
    // Ids begin with the time of creation.
    const newest = [...known.values()].sort((one, other) => (one.id < other.id ? 1 : -1));
    state.set({ jobs: newest.slice(0, SHOWN), error: null });
  };

  const ask = async (signal?: AbortSignal): Promise<void> => {
    try {
      const query = { limit: SHOWN };
      const { data } = await call(fsJobs.list, signal ? { query, signal } : { query });
      if (!signal?.aborted) take({ whole: true, jobs: data, gone: [] });
    } catch (error) {
      if (!signal?.aborted) state.set({ ...state.get(), error });
    }
  };

  const follow = (signal: AbortSignal): Promise<void> =>
    followEvents({ events, sleep }, () => `${fsJobs.follow.path}?limit=${SHOWN}`, {
      signal,
      onData(data) {
        take(JSON.parse(data) as JobNews);
        return false;
      },
      async onBroken() {
        // The list says why, for example that nobody is signed in any more.
        await ask(signal);
        return false;
      },
    });

  const stop = () => {
    run?.abort();
    run = undefined;
  };
  const start = () => {
    run = new AbortController();
    void follow(run.signal);
  };

  const hold = (): (() => void) => {
    holders += 1;
    if (holders === 1) start();
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      holders -= 1;
      if (holders === 0) stop();
    };
  };

  return {
    state,
    /** Follows the jobs: the stream is open as long as anybody holds it. Returns a function that lets go of it. */
    hold,
    /** Requests the list again. Never rejects. */
    refresh: () => ask(),
    /** Forgets the jobs, because somebody else is signed in, or nobody. */
    forget() {
      state.set(nothing);
      if (holders === 0) return;
      stop();
      start();
    },
    /** Waits for the end of a job, and cancels it when the signal aborts. Throws ApiFailure if the job no longer exists. */
    async follow(id: string, following: Watching): Promise<JobRecord> {
      const release = hold();
      try {
        return await followJob({ call, sleep, state }, id, following);
      } finally {
        release();
      }
    },
  };
}

export type JobFeed = ReturnType<typeof createJobFeed>;

interface Watched extends Pick<FeedPorts, "call" | "sleep"> {
  readonly state: Store<FeedState>;
}

/** Waits for news of a job and returns it as it is then; undefined if the feed does not have it. */
async function heardOf({ state, sleep }: Watched, id: string, before: JobRecord | undefined, signal: AbortSignal) {
  const find = () => state.get().jobs?.find((job) => job.id === id);
  const now = find();
  if (now && now !== before) return now;
  const heard = new AbortController();
  const leave = state.subscribe(() => find() !== before && heard.abort());
  await sleep(RECHECK_AFTER, AbortSignal.any([heard.signal, signal]));
  leave();
  return find();
}

/** Makes what reads a job; it answers undefined without an answer of the server. Throws ApiFailure for a refusal, and after too many attempts without an answer. */
function createJobReader({ call, sleep }: Watched, id: string) {
  let silent = 0;
  return async (): Promise<JobRecord | undefined> => {
    try {
      const { data } = await call(fsJobs.read, { params: { id } });
      silent = 0;
      return data;
    } catch (error) {
      silent += 1;
      if (!isSilence(error) || silent > FORGIVEN) throw error;
      await sleep(FIRST_PAUSE * silent);
      return undefined;
    }
  };
}

async function followJob(watched: Watched, id: string, { onProgress, signal }: Watching): Promise<JobRecord> {
  const read = createJobReader(watched, id);
  let cancelled = false;
  let before: JobRecord | undefined;
  for (;;) {
    if (signal.aborted && !cancelled) {
      cancelled = true;
      await watched.call(fsJobs.cancel, { params: { id } });
    }
    const job = await heardOf(watched, id, before, cancelled ? new AbortController().signal : signal);
    if (signal.aborted && !cancelled) continue;
    // The list has only a few of its files, so the whole job is requested.
    if (!job || ends.includes(job.state)) {
      const whole = await read();
      if (whole && ends.includes(whole.state)) return whole;
    }
    if (job && job !== before) onProgress(job);
    before = job;
  }
}
