import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { planTable } from "../../../src/backup/plan-table.ts";
import type { Database, Engine } from "../../../src/database/database.ts";
import { plainSql } from "../../../src/database/sql.ts";
import { openSqlite } from "../../../src/database/sqlite/sqlite.ts";
import { type Asked, everyStatement, planStatements } from "../../support/database/statements/every-call.ts";
import { fillTables } from "../../support/database/statements/full-tables.ts";
import { ambiguousNames } from "../../support/database/statements/names.ts";
import { examiner } from "../../support/database/statements/plans.ts";
import { templatesIn } from "../../support/database/statements/templates.ts";
import { readSources } from "../../support/sources.ts";
import { openTestDatabase, testOnSqlite } from "../../support/test-database.ts";

/** Every statement that the tables can ask, on tables that are full. */

let db: Database;
let asked: readonly Asked[] = [];
/** The database that a backup makes for itself, and what it is asked. */
let plan: Database;
let askedOfPlan: readonly Asked[] = [];
beforeAll(async () => {
  db = await openTestDatabase();
  await fillTables(db);
  await db.buildIndexes();
  asked = await everyStatement(db);
  plan = openSqlite({ file: ":memory:", synchronous: "NORMAL" });
  await fillPlan(plan);
  askedOfPlan = await planStatements(plan);
});
afterAll(() => Promise.all([db.close(), plan.close()]));

/** Many files in few buckets, and one key with several stamps. */
async function fillPlan(db: Database): Promise<void> {
  const table = planTable(db);
  await table.create();
  const files = Array.from({ length: 5000 }, (_, n) => ({
    bucket: `b${n % 2}`,
    key: `d${n % 9}/${n % 4000}`,
    stamp: `${n}:${n}`,
  }));
  await table.add(files);
  for (const file of files.slice(0, 2000)) await table.noteAbsent({ ...file, known: "{}" });
}

testOnSqlite("each statement of the sources is asked", async () => {
  const texts = [...asked, ...askedOfPlan].map(({ query }) => query.text).join("\n");
  const sources = await readSources("src/**/*-table.ts", "src/database/{keys,leases,versions}.ts");
  // An import asks the database of another program, with tables of its own.
  const ours = sources.filter(({ path }) => !path.startsWith("src/import/"));
  const missing = ours.flatMap(({ path, text }) =>
    templatesIn(text)
      .filter((part) => !texts.includes(part))
      .map((part) => `${path}: ${part}`),
  );
  expect(missing).toEqual([]);
});

testOnSqlite("a nested select names the table of each column that one around it has too", async () => {
  const tables = await db.all<{ name: string }>(plainSql("select name from sqlite_schema where type = 'table'"));
  const columns = new Map<string, ReadonlySet<string>>();
  for (const { name } of tables) {
    const found = await db.all<{ name: string }>(plainSql(`select name from pragma_table_info('${name}')`));
    columns.set(name, new Set(found.map((one) => one.name)));
  }
  expect(
    ambiguousNames("select 1 from change_intents where not exists (select 1 from leases where name = holder)", columns),
  ).toEqual(["holder"]);
  const wrong = asked.flatMap(({ by, query }) => {
    const names = ambiguousNames(query.text, columns);
    return names.length === 0 ? [] : [`${by}: ${names.join(", ")}`];
  });
  expect([...new Set(wrong)]).toEqual([]);
});

interface Reading {
  readonly why: string;
  /** The engine that reads more than it returns; both unless said. */
  readonly on?: Engine;
}

const COUNT = "an administrator's list or dashboard counts, from an index alone";
const WEBHOOKS = "there are twenty webhooks at most";
const SAMPLE = "a thousand shares from all over the table, by their numbers";
const SWEEP = "the sweeper removes what is old, in slices";
const QUOTA =
  "the sum of what is ready is asked only until the index of names is complete, the rest is of unfinished uploads";
const VISITORS = "what visitors have, where the administrator limits it, from an index alone";
const BUILT = "the foreign keys and the questions whether there is any stop at the first row";
const JSON_LIST =
  "PostgreSQL expects a hundred rows of a list or of a recursion, and of 20,000 rows scans rather than looks up as many";

/** What may read more than it returns. */
const allowed: Readonly<Record<string, Reading>> = {
  "activity.count": { why: COUNT },
  "activity.latest": { why: "stops at its limit", on: "sqlite" },
  "activity.removeOldest": { why: SWEEP, on: "postgres" },
  "audit.page": { why: "stops at its limit", on: "sqlite" },
  "audit.count": { why: COUNT },
  "audit.removeOldest": { why: SWEEP },
  "storages.seed": { why: BUILT, on: "sqlite" },
  "storages.insert": { why: "asked when a storage is added, of which there are few", on: "sqlite" },
  "storages.insertAll": { why: "asked when an import brings storages", on: "sqlite" },
  "storages.update": { why: BUILT, on: "sqlite" },
  "storages.remove": { why: BUILT, on: "sqlite" },
  "storages.uses": { why: "asked before a storage is deleted" },
  "storages.allUses": { why: COUNT },
  "webhooks.all": { why: WEBHOOKS },
  "webhooks.wanted": { why: WEBHOOKS },
  "webhooks.events": { why: WEBHOOKS },
  "webhooks.switchedOff": { why: WEBHOOKS },
  "webhooks.insert": { why: WEBHOOKS },
  "deliveries.due": { why: WEBHOOKS },
  "deliveries.nextDue": { why: WEBHOOKS, on: "postgres" },
  "webhooks.remove": { why: "the deliveries of one webhook, which are few", on: "postgres" },
  "deliveries.giveUpOld": { why: SWEEP },
  "deliveries.removeBeyond": { why: SWEEP, on: "postgres" },
  "disk.unfinishedMultiparts": { why: "read once, at the start" },
  "jobs.page": { why: "stops at its limit", on: "sqlite" },
  "jobs.count": { why: COUNT },
  "jobs.requeueLeft": { why: "those that run, from the index of states", on: "sqlite" },
  "jobs.waiting": { why: "those that run or wait, from the index of states", on: "sqlite" },
  "jobs.insert": { why: "those that wait, from the index of states", on: "sqlite" },
  "jobs.next": { why: "those that wait, from the index of states", on: "sqlite" },
  "job counts.byState": { why: "metrics and the dashboard count, from an index alone" },
  "index changes.first": { why: "stops at its limit", on: "sqlite" },
  "index changes.isEmpty": { why: "stops at its limit", on: "sqlite" },
  "index changes.count": { why: "stops at its limit", on: "sqlite" },
  "what servers look for": { why: "stops at the first row", on: "sqlite" },
  "links.page": { why: "stops at its limit", on: "sqlite" },
  "links.count": { why: COUNT },
  "links.sweep": { why: SWEEP },
  "sealedKeys.sweep": {
    why: "the sweeper looks for those of API keys that are gone: twenty of each at most",
    on: "sqlite",
  },
  "arrivals.forgetOld": { why: SWEEP },
  "trash.page": { why: "stops at its limit", on: "sqlite" },
  "properties.any": { why: "stops at its limit", on: "sqlite" },
  "node changes.grow": { why: JSON_LIST, on: "postgres" },
  "node changes.addToFolders": { why: JSON_LIST, on: "postgres" },
  "nodes.byIds": { why: JSON_LIST, on: "postgres" },
  "nodes.upwards": { why: JSON_LIST, on: "postgres" },
  "nodes.foldersBelow": { why: JSON_LIST, on: "postgres" },
  "nodes.matchingIn": { why: JSON_LIST, on: "postgres" },
  "nodes.matching": { why: "test/bench/search-postgres.ts measures it", on: "postgres" },
  "files.forgetRequestKeys": { why: SWEEP, on: "postgres" },
  "files.page": { why: "stops at its limit, or reads one index" },
  "walked files.page": { why: "the page before the cursor stops at its limit" },
  "files.count": { why: COUNT },
  "files.outlook": { why: SAMPLE, on: "postgres" },
  "files.countByDay": {
    why: "a stretch of the index for each of seven days, of which PostgreSQL expects 31",
    on: "postgres",
  },
  "files.countByStorage": { why: COUNT },
  "files.abandoned": { why: "goes through the shares that wait for their files" },
  "pastes.page": { why: "stops at its limit, or reads one index" },
  "walked pastes.page": { why: "the page before the cursor stops at its limit" },
  "pastes.count": { why: COUNT },
  "pastes.countAll": { why: COUNT },
  "pastes.outlook": { why: SAMPLE, on: "postgres" },
  "pastes.countByDay": { why: "as of files", on: "postgres" },
  "uploads.insert": { why: QUOTA },
  "uploads.used": { why: QUOTA },
  "uploads.promised": { why: QUOTA, on: "sqlite" },
  "uploads.grow": { why: QUOTA },
  "uploads.ready": { why: QUOTA, on: "sqlite" },
  "uploads.abandoned": { why: "goes through the unfinished ones" },
  "uploads.claimed": { why: "goes through those of whose parts a file was being made", on: "sqlite" },
  "leases.sweep": { why: SWEEP },
  "files of visitors.usedBy": { why: VISITORS },
  "shares of visitors.count": { why: VISITORS, on: "sqlite" },
};

/** What statements that may read more read it from with SQLite: any other line is a scan again. */
const readsWith =
  /^(SEARCH (uploads|held) USING (COVERING )?INDEX uploads_by_storage \(storage=\? AND state=\?\)|SEARCH theirs USING COVERING INDEX uploads_held_by_owner \(created_by=\?\)|SCAN visitor_files)$/;

describe("rows are looked up", () => {
  test("and gone through by few statements, which have a reason", async () => {
    const examine = await examiner(db);
    const found = new Map<string, string>();
    for (const { by, query } of asked) {
      const plan = await examine(query);
      if (plan.length > 0) found.set(by, `${query.text}\n${plan.join("\n")}`);
      const isQuota = allowed[by]?.why === QUOTA && db.engine === "sqlite";
      if (isQuota) expect({ by, others: plan.filter((line) => !readsWith.test(line)) }).toEqual({ by, others: [] });
    }
    const unexpected = [...found].filter(([by]) => !(by in allowed));
    expect(unexpected).toEqual([]);
    // What PostgreSQL reckons differs from run to run.
    if (db.engine === "postgres") return;
    const gone = Object.entries(allowed).filter(([by, { on }]) => on !== "postgres" && !found.has(by));
    expect(gone).toEqual([]);
  });

  test("also of a backup, which may list more files than memory holds", async () => {
    const examine = await examiner(plan);
    const found: string[] = [];
    for (const { by, query } of askedOfPlan.filter((one) => one.by !== "plan.create"))
      for (const line of await examine(query)) if (!line.endsWith("VALUES CLAUSE")) found.push(`${by}: ${line}`);
    expect(found).toEqual([]);
  });
});
