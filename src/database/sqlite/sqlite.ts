import { Database as Engine } from "bun:sqlite";
import { dirname, resolve } from "node:path";
import { orWithSpare } from "../bounded.ts";
import type { Database, Step } from "../database.ts";
import { plainSql, type Sql, sql } from "../sql.ts";
import { createGroupCommit } from "./group-commit.ts";
import { createSpare } from "./spare.ts";

export interface SqliteOptions {
  /** A file, or `:memory:`. */
  readonly file: string;
  readonly synchronous: "NORMAL" | "FULL";
  /** What a database in memory begins with: the bytes of a database file that is not in WAL mode. */
  readonly content?: Uint8Array | undefined;
}

const IN_MEMORY = ":memory:";

/**
 * Keeps what SQLite puts on a disk for a moment, for large sorts and new indexes, beside the database: an image from scratch or a read-only
 * root has no other folder that can be written to. It holds for the process (sqlite.org, "Temporary Files Used By SQLite").
 */
const keepTemporaryFiles = (engine: Engine, folder: string): void =>
  void engine.exec(`pragma temp_store_directory = '${folder.replaceAll("'", "''")}'`);

/** Pages in the write-ahead log from which a commit moves them into the database file. */
export const AUTOMATIC_PAGES = 4000;

/** A slice of giving pages back that takes a few milliseconds. */
const PAGES_AT_ONCE = 1000;

/** Opens the file, with room for the index of its log, which SQLite writes at once. */
function openEngine({ file, synchronous, content }: SqliteOptions): Engine {
  const engine = content
    ? Engine.deserialize(content, { strict: true })
    : new Engine(file, { create: true, strict: true });
  if (file !== IN_MEMORY) keepTemporaryFiles(engine, dirname(resolve(file)));
  engine.exec("pragma busy_timeout = 5000");
  // Only an empty database takes it; any other would be written to, though nothing changes.
  if (engine.query<{ page_count: number }, []>("pragma page_count").get()?.page_count === 0)
    engine.exec("pragma auto_vacuum = incremental");
  engine.exec(`
    pragma journal_mode = wal;
    pragma synchronous = ${synchronous};
    pragma foreign_keys = on;
    pragma wal_autocheckpoint = ${AUTOMATIC_PAGES};
    pragma journal_size_limit = 67108864;
  `);
  return engine;
}

/**
 * SQLite in this process. Statements are prepared once per text and run synchronously, so a batch cannot interleave with
 * another caller's statements although the interface is asynchronous. Batches of one turn of the event loop are committed together.
 */
export function openSqlite({ file, synchronous, content }: SqliteOptions): Database {
  const spare = file === IN_MEMORY ? undefined : createSpare(file);
  const engine = orWithSpare(spare, () => openEngine({ file, synchronous, content }));

  let held: Promise<void> = Promise.resolve();
  const freePages = () =>
    engine.query<{ freelist_count: number }, []>("pragma freelist_count").get()?.freelist_count ?? 0;

  const change = ({ text, values, expected }: Sql): number => {
    const { changes } = engine.query(text).run(...values);
    if (expected && changes !== expected.rows) throw expected.failure;
    return changes;
  };
  const changeEach = (queries: readonly Sql[]) => queries.map(change);
  const commits = createGroupCommit(engine, changeEach);
  const applyStep = ({ number, statements }: Step) =>
    engine
      .transaction(changeEach)
      .immediate([
        ...statements.map(plainSql),
        sql`insert into migrations (number, applied_at) values (${number}, ${Date.now()})`,
      ]);

  return {
    engine: "sqlite",
    spare,
    now: plainSql("cast(unixepoch('subsec') * 1000 as integer)"),
    async first<Row>({ text, values }: Sql) {
      return (engine.query(text).get(...values) ?? undefined) as Row | undefined;
    },
    async all<Row>({ text, values }: Sql) {
      return engine.query(text).all(...values) as Row[];
    },
    run: async (query) => change(query),
    batch: commits.batch,
    holdBack(until) {
      held = until;
    },
    ready: () => held,
    // Its steps build all of them.
    buildIndexes: async () => undefined,
    async shrink() {
      let freed = 0;
      while (freePages() > 0) {
        const before = freePages();
        engine.exec(`pragma incremental_vacuum(${PAGES_AT_ONCE})`);
        freed += before - freePages();
        await Bun.sleep(0);
      }
      return freed;
    },
    async lastStep() {
      engine.exec(
        "create table if not exists migrations (number integer primary key, applied_at integer not null) strict",
      );
      return (
        engine.query<{ number: number | null }, []>("select max(number) as number from migrations").get()?.number ?? 0
      );
    },
    /**
     * References are checked at the end, because a rebuilt table is dropped before its successor takes its name (SQLite, "Making
     * Other Kinds Of Table Schema Changes").
     */
    async apply(steps) {
      engine.exec("pragma foreign_keys = off");
      for (const step of steps) applyStep(step);
      engine.exec("pragma foreign_keys = on");
      const broken = engine.query("pragma foreign_key_check").get();
      if (broken) throw new Error("A row of the database refers to one that is not there.");
    },
    async close() {
      commits.flush();
      engine.close();
    },
  };
}
