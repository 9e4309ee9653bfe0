import { statSync } from "node:fs";
import type { Log } from "../lib/log.ts";
import { type Database, plainSql } from "./database.ts";
import { AUTOMATIC_PAGES, type SqliteOptions } from "./sqlite.ts";

/** Milliseconds between two looks at the write-ahead log. */
const LOOK_EVERY = 200;
/** Polls without a change after which no writer is active: one second. */
const QUIET_LOOKS = 5;
/** Bytes in the log from which it is moved into the database. */
const LOG_BYTES = 16 * 1024 ** 2;
/**
 * Pages in the log, 256 MiB, from which a commit checkpoints by itself. The log can restart only if nobody writes
 * while the thread finishes, so a long series of writes makes it longer than LOG_BYTES.
 */
const MOST_PAGES = 64_000;

type Mode = "passive" | "truncate";

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
    await setAutomatic(MOST_PAGES);
    // Truncating a long file takes as long as a checkpoint, so the thread does it.
    await db.first(plainSql("pragma journal_size_limit = -1"));
  };

  const run = async (mode: Mode): Promise<void> => {
    try {
      await checkpoint({ file, synchronous, mode });
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

/** Runs one checkpoint on a thread (SQLite, "PRAGMA wal_checkpoint"). Throws the thread's error. */
async function checkpoint({ file, synchronous, mode }: SqliteOptions & { readonly mode: Mode }): Promise<void> {
  // As a text, because the executable holds no files of modules.
  const program = `
    import { Database } from "bun:sqlite";
    const engine = new Database(${JSON.stringify(file)}, { readwrite: true, create: false });
    engine.exec("pragma synchronous = ${synchronous}");
    engine.query("pragma wal_checkpoint(${mode})").get();
    engine.close();`;
  const url = URL.createObjectURL(new Blob([program], { type: "text/javascript" }));
  try {
    await new Promise<void>((resolve, reject) => {
      const thread = new Worker(url, { smol: true });
      thread.addEventListener("error", ({ message }) => reject(new Error(message)));
      thread.addEventListener("close", () => resolve());
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}
