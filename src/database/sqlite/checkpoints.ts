import { statSync } from "node:fs";
import type { Log } from "../../lib/log.ts";
import type { Database } from "../database.ts";
import { plainSql } from "../sql.ts";
import { AUTOMATIC_PAGES, type SqliteOptions } from "./sqlite.ts";

/** Milliseconds between two looks at the write-ahead log. */
const LOOK_EVERY = 200;
/** Polls without a change after which no writer is active: one second. */
const QUIET_LOOKS = 5;
/** Bytes in the log from which it is moved into the database. */
const LOG_BYTES = 16 * 1024 ** 2;
/**
 * Pages in the log, 128 MiB, from which long work waits for checkpoints: the log can begin anew only when nobody writes while the
 * thread does its last bit.
 */
const LONG_PAGES = 32_000;
/** Checkpoints that long work waits for at most, because others write meanwhile. */
const TRIES = 3;
/** Pages in the log, 256 MiB, from which a commit checkpoints by itself, which holds the event loop for up to seconds. */
const MAX_PAGES = 64_000;

type Mode = "passive" | "truncate";

/** What a checkpoint left: the pages in the log, and how many of them are in the database file (SQLite, "PRAGMA wal_checkpoint"). */
interface Left {
  readonly log: number;
  readonly checkpointed: number;
}

interface CheckpointOptions extends SqliteOptions {
  readonly db: Database;
  readonly log: Log;
}

interface Checkpoints {
  /** Waits for the checkpoint that runs, and starts no other. To be called before the database closes. */
  stop(): Promise<void>;
}

/**
 * Copies the write-ahead log into the database file on a separate thread, because the writes and flushes of a
 * checkpoint block the event loop for tens of milliseconds. A thread lives for one checkpoint, so that it costs no
 * memory in between. If one cannot run, this is logged and commits checkpoint by themselves from then on.
 */
export function startCheckpoints({ db, file, synchronous, log }: CheckpointOptions): Checkpoints {
  let changed = 0;
  let quiet = 0;
  let running: Promise<void> | undefined;
  const setAutomatic = (pages: number) => db.first(plainSql(`pragma wal_autocheckpoint = ${pages}`));
  const start = async () => {
    await setAutomatic(MAX_PAGES);
    // Truncating a long file takes as long as a checkpoint, so the thread does it.
    await db.first(plainSql("pragma journal_size_limit = -1"));
  };

  const holdBackDuring = async (work: () => Promise<unknown>): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    db.holdBack(promise);
    try {
      await work();
    } finally {
      resolve();
    }
  };

  const emptyLog = async (): Promise<void> => {
    for (let tries = 0; tries < TRIES; tries++) {
      const { log: pages, checkpointed } = await checkpoint({ file, synchronous, mode: "passive", anew: true });
      if (pages === checkpointed) return;
    }
  };

  const runMode = async (mode: Mode): Promise<void> => {
    // It takes the lock that writers need.
    if (mode === "truncate") return await holdBackDuring(() => checkpoint({ file, synchronous, mode }));
    const left = await checkpoint({ file, synchronous, mode });
    if (left.log > LONG_PAGES) await holdBackDuring(emptyLog);
  };

  const run = async (mode: Mode): Promise<void> => {
    try {
      await runMode(mode);
    } catch (error) {
      clearInterval(timer);
      await setAutomatic(AUTOMATIC_PAGES);
      log.warn("checkpoints run between requests, because no thread can run them", { error: String(error) });
    }
    running = undefined;
  };

  const look = (): void => {
    if (running) return;
    const { size, mtimeMs } = statSync(`${file}-wal`, { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 };
    quiet = mtimeMs === changed ? quiet + 1 : 0;
    changed = mtimeMs;
    if (size <= LOG_BYTES) return;
    if (quiet === 0) running = run("passive");
    // It would make a writer wait.
    else if (quiet === QUIET_LOOKS) running = run("truncate");
  };

  const started = start();
  const timer = setInterval(look, LOOK_EVERY);

  return {
    async stop() {
      clearInterval(timer);
      await Promise.all([started, running]);
    },
  };
}

interface Checkpoint extends SqliteOptions {
  readonly mode: Mode;
  /** Whether to begin the log anew when all of it is in the database file: the first commit of a log waits for the disk. */
  readonly anew?: boolean;
}

/** Runs one checkpoint on a thread (SQLite, "PRAGMA wal_checkpoint"). Throws what the thread throws. */
async function checkpoint({ file, synchronous, mode, anew = false }: Checkpoint): Promise<Left> {
  // As a text, because the executable holds no files of modules.
  const program = `
    import { Database } from "bun:sqlite";
    const engine = new Database(${JSON.stringify(file)}, { readwrite: true, create: false });
    engine.exec("pragma synchronous = ${synchronous}");
    const left = engine.query("pragma wal_checkpoint(${mode})").get();
    if (${anew} && left.log === left.checkpointed) {
      // Writes what is there already. When another writes first, that was the first commit.
      const { user_version } = engine.query("pragma user_version").get();
      engine.exec("pragma busy_timeout = 1000");
      engine.exec(\`pragma user_version = \${user_version}\`);
    }
    engine.close();
    postMessage(left);`;
  const url = URL.createObjectURL(new Blob([program], { type: "text/javascript" }));
  try {
    return await new Promise<Left>((resolve, reject) => {
      const thread = new Worker(url, { smol: true });
      let left: Left | undefined;
      thread.addEventListener("message", ({ data }: MessageEvent<Left>) => {
        left = data;
      });
      thread.addEventListener("error", ({ message }) => reject(new Error(message)));
      thread.addEventListener("close", () => (left ? resolve(left) : reject(new Error("ended early"))));
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}
