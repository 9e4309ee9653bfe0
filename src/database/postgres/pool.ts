import { type ReservedSQL, SQL } from "bun";
import { Lru } from "../../lib/cache.ts";
import { Unavailable } from "../database.ts";
import type { Compiled } from "./dialect.ts";
import { codeOf, isElsewhere, translated } from "./errors.ts";
import { createSlots } from "./slots.ts";

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`; `sslmode` may be in its query. */
  readonly url: string;
  /** Connections at most; 10 unless it is given. */
  readonly connections?: number | undefined;
  /** For tests, whose patience is shorter. */
  readonly patience?: Partial<Patience> | undefined;
}

/** Milliseconds. */
interface Patience {
  /** Until a connection stands. */
  readonly connect: number;
  /** Until there is a connection for a statement, and during which what may be done again is tried again. */
  readonly wait: number;
  /** Until PostgreSQL gives up a statement. */
  readonly statement: number;
  /** Until an answer that PostgreSQL should have given is given up, and the connections with it. */
  readonly silence: number;
  /** From leaving a server that is not the primary to leaving the next: a refusal that new connections do not end costs no more. */
  readonly elsewhere: number;
  /** From one renewal of the connections to the next: they forget the statements they prepared, and find another primary. */
  readonly lifetime: number;
  /** Until running statements are given up when their connections are closed. */
  readonly closing: number;
}

const usual: Patience = {
  connect: 5000,
  wait: 5000,
  statement: 20_000,
  silence: 25_000,
  elsewhere: 1000,
  lifetime: 1_800_000,
  closing: 5000,
};

const CONNECTIONS = 10;
/** Connections that transactions leave to single statements. */
const LEFT = 2;
/** Seconds. */
const IDLE = 300;
/** Milliseconds between two attempts, at first and at most; the time is drawn, so that rivals do not meet again. */
const PAUSE = { first: 2, most: 200 };

type Row = Record<string, unknown>;

/** An answer of Bun.SQL: the rows, and what is known of them. */
export interface Answer extends Array<Row> {
  readonly affectedRows: number;
  readonly columns: readonly { readonly name: string; readonly type: number }[] | null;
}

/** A statement that was handed to a connection, or waits for one. */
interface Asked {
  readonly query: SQL.Query<unknown>;
  readonly from: SQL;
  readonly isAlone: boolean;
  /** `performance.now()`. */
  readonly since: number;
}

/** Milliseconds between two looks at what has no answer. */
const LOOK = 100;

/** Texts without parameters that are remembered. */
const MAX_TEMPLATES = 500;

/** Connections to PostgreSQL. Whoever wants one waits for so long and no longer, and whatever was sent is waited for so long and no longer. */
export function openPool({ url, connections = CONNECTIONS, patience }: PostgresOptions) {
  const times = { ...usual, ...patience };
  const connect = (most = connections, onclose?: () => void) =>
    new SQL({
      ...(onclose && { onclose }),
      url,
      adapter: "postgres",
      // PGDATABASE in the environment would win over the URL.
      database: databaseOf(url),
      max: most,
      bigint: true,
      connectionTimeout: times.connect / 1000,
      idleTimeout: IDLE,
      // Bun would end a connection with what runs on it.
      maxLifetime: 0,
      connection: {
        application_name: "satchel",
        statement_timeout: times.statement,
        // A server that vanished must not keep its locks.
        idle_in_transaction_session_timeout: times.statement,
        // Unless a transaction says otherwise.
        default_transaction_isolation: "read committed",
        // Statements take milliseconds: compiling one, or starting processes for it, takes longer than they save.
        jit: "off",
        max_parallel_workers_per_gather: 0,
      },
    });
  let pool = connect();
  let isClosed = false;
  let listener: SQL | undefined;
  let leftAt = Number.NEGATIVE_INFINITY;

  const stopListening = async (): Promise<void> => {
    const old = listener;
    listener = undefined;
    await old?.close({ timeout: 0 });
  };

  /** Leaves all connections for new ones; what runs on the old ones has so many milliseconds to end. */
  const renew = (old: SQL, closing: number): void => {
    if (old !== pool || isClosed) return;
    pool = connect();
    void old.close({ timeout: closing / 1000 });
    // It leads to the same server, which may never tell that it is gone.
    void stopListening();
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

  /** What was asked and has no answer yet, the oldest first. */
  const unanswered = new Set<Asked>();
  let watch: Timer | undefined;

  /** Takes back what was not sent in time, and leaves connections on which an answer is overdue. */
  const look = (): void => {
    const now = performance.now();
    if (unanswered.size === 0) watch = void clearInterval(watch);
    for (const { query, from, isAlone, since } of unanswered) {
      if (now - since < times.wait) return;
      if (now - since >= times.silence) renew(from, 0);
      else if (isAlone && !query.active) query.cancel();
    }
  };

  /** Waits for an answer as long as it may take; what nobody waits behind may also be taken back while it is not sent. */
  const answered = async (query: SQL.Query<unknown>, isAlone = false): Promise<Answer> => {
    const asked = { query, from: pool, isAlone, since: performance.now() };
    unanswered.add(asked);
    watch ??= setInterval(look, Math.min(LOOK, times.wait / 2));
    try {
      return (await query) as unknown as Answer;
    } catch (error) {
      if (isElsewhere(codeOf(error))) leave(asked.from);
      throw error;
    } finally {
      unanswered.delete(asked);
    }
  };

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

  /** A connection of one's own. One that comes too late goes back. */
  const reserve = async (): Promise<ReservedSQL> => {
    const coming = pool.reserve();
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    const late = setTimeout(() => {
      reject(new Unavailable("nothing was sent: no connection was free in time"));
      coming.then((client) => client.release()).catch(() => undefined);
    }, times.wait);
    try {
      return await Promise.race([coming, tooLate]);
    } finally {
      clearTimeout(late);
    }
  };

  return {
    /** Runs statements on whichever connection comes first. */
    send: (query: Compiled): Promise<Answer> => sendTo(pool, query),
    sendTo,
    answered,
    persist,
    reserve,
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
    /**
     * Hears a channel, on a connection of its own. Throws when it cannot. Called again it does nothing, or makes a new connection when
     * that one was lost; `onNotify` is called then as well.
     */
    async listen(channel: string, onNotify: () => void): Promise<void> {
      if (listener || isClosed) return;
      // Bun would try again by itself, at ever longer intervals and with lines of its own on the error output.
      const lost = () => void (listener === client && stopListening());
      const client = connect(1, lost);
      listener = client;
      // The connection may stand, and its answer never come.
      const overdue = setTimeout(lost, times.silence);
      try {
        await client.listen(channel, onNotify, onNotify);
      } catch (error) {
        lost();
        throw translated(error);
      } finally {
        clearTimeout(overdue);
      }
    },
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(watch);
      clearInterval(renewal);
      await stopListening();
      await pool.close({ timeout: times.closing / 1000 });
    },
  };
}

export type Pool = ReturnType<typeof openPool>;

const templates = new Lru<string, TemplateStringsArray>(MAX_TEMPLATES);

function templateOf(text: string): TemplateStringsArray {
  let template = templates.get(text);
  if (!template) {
    template = Object.defineProperty([text], "raw", { value: [text] }) as unknown as TemplateStringsArray;
    templates.set(text, template);
  }
  return template;
}

const databaseOf = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1));
