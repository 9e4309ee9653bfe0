import type { ReservedSQL, SQL } from "bun";
import { Unavailable } from "../database.ts";
import { type Answer, createAnswers } from "./answers.ts";
import { createConnect, type Patience, usual } from "./connect.ts";
import type { Compiled } from "./dialect.ts";
import { codeOf, translated } from "./errors.ts";
import { createListener } from "./listener.ts";
import { createSlots } from "./slots.ts";
import { templateOf } from "./templates.ts";

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`; `sslmode` may be in its query. */
  readonly url: string;
  /** Past a pooler that shares connections between transactions, where `url` leads to one: for what needs a connection to itself. */
  readonly directUrl?: string | undefined;
  /** Connections at most; 10 unless it is given. */
  readonly connections?: number | undefined;
  /** For tests, whose patience is shorter. */
  readonly patience?: Partial<Patience> | undefined;
}

const CONNECTIONS = 10;
/** Connections that transactions leave to single statements. */
const LEFT = 2;
/** Milliseconds between two attempts, at first and at most; the time is drawn, so that rivals do not meet again. */
const PAUSE = { first: 2, most: 200 };

/** Connections to PostgreSQL. Whoever wants one waits for so long and no longer, and whatever was sent is waited for so long and no longer. */
export function openPool({ url, directUrl, connections = CONNECTIONS, patience }: PostgresOptions) {
  const times = { ...usual, ...patience };
  const connect = createConnect(url, times, { isShared: directUrl !== undefined });
  const connectDirectly = directUrl === undefined ? connect : createConnect(directUrl, times, { isShared: false });
  let pool = connect(connections);
  const listener = createListener(connectDirectly, times.silence);
  let isClosed = false;
  let leftAt = Number.NEGATIVE_INFINITY;

  /** Leaves all connections for new ones; what runs on the old ones has so many milliseconds to end. */
  const renew = (old: SQL, closing: number): void => {
    if (old !== pool || isClosed) return;
    pool = connect(connections);
    void old.close({ timeout: closing / 1000 });
    // It leads to the same server, which may never tell that it is gone.
    void listener.stop();
  };

  /** Looks for the primary elsewhere than at these connections, but not again and again. */
  const leave = (old: SQL): void => {
    const now = performance.now();
    if (now - leftAt < times.elsewhere) return;
    leftAt = now;
    renew(old, times.closing);
  };

  /** Tasks whose connections may not be renewed. */
  let lasting = 0;
  const renewal = setInterval(() => lasting === 0 && renew(pool, times.closing), times.lifetime);
  renewal.unref();

  const answers = createAnswers({ times, renew, leave });
  const answered = (query: SQL.Query<unknown>, isAlone = false) => answers.answered(query, pool, isAlone);

  const sendTo = (client: SQL, { text, parameters }: Compiled): Promise<Answer> => {
    // Without parameters the runtime does not prepare a text, and sends nothing else before its answer; it does with a template.
    const query = parameters.length === 0 ? client(templateOf(text)) : client.unsafe(text, parameters);
    return answered(query, client === pool);
  };

  /** Runs what may be made again until it is made, or the time since it failed first is over. */
  const persist = async <Result>(mayRepeat: (code: string) => boolean, run: () => Promise<Result>): Promise<Result> => {
    let end: number | undefined;
    for (let pause = PAUSE.first; ; pause = Math.min(2 * pause, PAUSE.most)) {
      try {
        return await run();
      } catch (error) {
        if (isClosed) throw error;
        end ??= performance.now() + times.wait;
        if (!mayRepeat(codeOf(error)) || performance.now() > end) throw translated(error);
        await Bun.sleep(Math.random() * pause);
      }
    }
  };

  return {
    /** Runs statements on whichever connection comes first. */
    send: (query: Compiled): Promise<Answer> => sendTo(pool, query),
    sendTo,
    answered,
    persist,
    reserve: (): Promise<ReservedSQL> => reserveWithin(times.wait, pool),
    /** Runs a task on a connection that keeps what is set on it, and what it holds, from one transaction to the next. */
    async session(task: (client: ReservedSQL) => Promise<void>): Promise<void> {
      const own = directUrl === undefined ? undefined : connectDirectly(1);
      await withReserved(times.wait, own ?? pool, task).finally(() => own?.close({ timeout: 0 }));
    },
    /** Runs a task that may last longer than connections are kept: none is renewed meanwhile. */
    async lasting<Result>(task: () => Promise<Result>): Promise<Result> {
      lasting += 1;
      try {
        return await task();
      } finally {
        lasting -= 1;
      }
    },
    /** Runs tasks that reserve a connection each; some connections are left to single statements. */
    slot: createSlots(Math.max(1, connections - LEFT), times.wait),
    /** Listens to a channel as `createListener` says. */
    async listen(channel: string, onNotify: () => void): Promise<void> {
      if (!isClosed) await listener.listen(channel, onNotify);
    },
    async close(): Promise<void> {
      isClosed = true;
      answers.close();
      clearInterval(renewal);
      await listener.stop();
      await pool.close({ timeout: times.closing / 1000 });
    },
  };
}

export type Pool = ReturnType<typeof openPool>;

async function withReserved(wait: number, pool: SQL, task: (client: ReservedSQL) => Promise<void>): Promise<void> {
  const client = await reserveWithin(wait, pool);
  await task(client).finally(() => client.release());
}

/** A connection of one's own. One that comes too late goes back. */
async function reserveWithin(wait: number, pool: SQL): Promise<ReservedSQL> {
  const coming = pool.reserve();
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const late = setTimeout(() => {
    reject(new Unavailable("nothing was sent: no connection was free in time"));
    coming.then((client) => client.release()).catch(() => undefined);
  }, wait);
  try {
    return await Promise.race([coming, tooLate]);
  } finally {
    clearTimeout(late);
  }
}
