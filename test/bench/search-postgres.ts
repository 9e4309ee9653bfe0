import { Database as Engine } from "bun:sqlite";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { standAlone } from "../../src/cluster/alone.ts";
import { joinCluster } from "../../src/cluster/cluster.ts";
import type { Database } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import { openPostgres } from "../../src/database/postgres/postgres.ts";
import { plainSql, sql } from "../../src/database/sql.ts";
import { startCheckpoints } from "../../src/database/sqlite/checkpoints.ts";
import { openSqlite } from "../../src/database/sqlite/sqlite.ts";
import { createLog } from "../../src/lib/log.ts";
import type { Search } from "../../src/search/index.ts";
import { nodeChange } from "../../src/search/nodes-table.ts";
import { cluster as runningPostgres } from "../support/postgres/cluster.ts";
import { asOwner, emptyDatabase } from "../support/postgres/databases.ts";
import { FILES, openIndex, type Place, scopesOf, share } from "./search.ts";
import { listedFiles, type PackedFiles, packed, queries } from "./search-names.ts";

/**
 * `bun test/bench/search-postgres.ts`: searches among a million names on PostgreSQL (Debian's, or the one that TEST_POSTGRES names) and on
 * SQLite in turn, whose answers must be the same in the same order. It takes some minutes, most of them to fill both.
 */

const ROUNDS = 5;
const PAGE = 50;
const SLICE = 5000;
const warnings = createLog("warn", (text) => void process.stderr.write(text));
const say = (line: string) => void process.stdout.write(`${line}\n`);

/** The index of SQLite as its room writes it; returns the storage. */
async function fillSqlite(file: string, folder: string, files: PackedFiles): Promise<string> {
  const options = { file, synchronous: "NORMAL" } as const;
  const db = openSqlite(options);
  await migrate(db, true);
  const checkpoints = startCheckpoints({ ...options, db, log: warnings });
  const { search, storage } = await openIndex(standAlone({ db, clock: Date.now }), folder, files);
  await search.build(storage);
  await search.close();
  await checkpoints.stop();
  await db.close();
  return storage;
}

/** Copies the index with its ids, because the order of hits that fit as well is theirs. */
async function copyIndex(file: string, db: Database, url: string): Promise<void> {
  const columns = "id, storage, parent, name, folded, size, files, modified, newest";
  const write = async (table: string, names: string, rows: readonly object[]): Promise<void> => {
    const [to, list] = [plainSql(table), plainSql(names)];
    const values = sql`json_populate_recordset(null::${to}, ${JSON.stringify(rows)}::json)`;
    await db.run(sql`insert into ${to} (${list}) select ${list} from ${values}`.byRow());
  };
  // Built on all names the index is the same as filled with them one by one, in a part of the time.
  const index = await db.first<{ made: string }>(sql`select pg_get_indexdef('node_grams_by_gram'::regclass) as made`);
  await asOwner(url, "drop index node_grams_by_gram");
  using reader = new Engine(file, { readonly: true });
  const nodes = reader.query<{ id: number; parent: number; folded: string }, []>(`select ${columns} from nodes`).all();
  for (let from = 0; from < nodes.length; from += SLICE) {
    const some = nodes.slice(from, from + SLICE);
    await write("nodes", columns, some);
    const named = some.filter(({ parent }) => parent > 0);
    await write(
      "node_grams",
      "rowid, grams",
      named.map(({ id, folded }) => ({ rowid: id, grams: nodeChange.addName(id, folded).values[1] })),
    );
  }
  await asOwner(url, index?.made ?? "", "vacuum analyze");
}

interface Side {
  readonly search: Search;
  readonly took: number[];
}

/** Each query on both sides in turn, its first page and its second. */
async function compare({ name, folders }: Place, sides: readonly Side[], storage: string): Promise<void> {
  let different = 0;
  for (const { took } of sides) took.length = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const query of queries) {
      for (const offset of [0, PAGE]) {
        const within = folders.map((folder) => ({ storage, folder, except: [] }));
        const answers = new Set<string>();
        for (const { search, took } of sides) {
          const began = performance.now();
          const found = await search.find({ within, query, limit: PAGE, offset });
          took.push(performance.now() - began);
          answers.add(JSON.stringify(found));
        }
        if (answers.size > 1) different += 1;
      }
    }
  }
  const [ours, theirs] = [0.5, 0.95].map((part) => sides.map(({ took }) => share(took, part).toFixed(1))) as [
    string[],
    string[],
  ];
  say(
    `search ${name}: median ${ours[0]} ms (to reach: 10), 95 % within ${theirs[0]} ms (to reach: 50); SQLite ${ours[1]} and ${theirs[1]} ms; ` +
      `${different} of ${sides[0]?.took.length} answers differ`,
  );
}

const folder = await mkdtemp(join(tmpdir(), "satchel-search-"));
try {
  await using made = await emptyDatabase(await runningPostgres());
  const files = packed(listedFiles(FILES));
  const file = join(folder, "search.db");
  const storage = await fillSqlite(file, join(folder, "objects"), files);
  const db = openPostgres({ url: made.url });
  await migrate(db, true);
  await copyIndex(file, db, made.url);
  say(`${FILES} names are on both`);
  const lite = openSqlite({ file, synchronous: "NORMAL" });
  const cluster = await joinCluster({ db, log: warnings, busy: () => new Error("Somebody else writes the index.") });
  const sides: Side[] = [];
  for (const one of [cluster, standAlone({ db: lite, clock: Date.now })])
    sides.push({ search: (await openIndex(one, join(folder, "objects"), files)).search, took: [] });
  for (const place of scopesOf(files)) await compare(place, sides, storage);
  for (const { search } of sides) await search.close();
  await cluster.close();
  await lite.close();
  await db.close();
} finally {
  await rm(folder, { recursive: true, force: true });
}
// PostgreSQL stops when this process has ended.
process.exit(0);
