import { afterAll, expect, test } from "bun:test";
import type { Database } from "../../src/database/database.ts";
import { foldLetters, numbersWith } from "../../src/database/full-text.ts";
import { migrate } from "../../src/database/migrate.ts";
import { openPostgres } from "../../src/database/postgres/postgres.ts";
import { sql } from "../../src/database/sql.ts";
import { openSqlite } from "../../src/database/sqlite/sqlite.ts";
import { cluster } from "../support/postgres/cluster.ts";
import { emptyDatabase } from "../support/postgres/databases.ts";

/** Shares are found by the same words on both engines. */

const place = await emptyDatabase(await cluster());
const sqlite = openSqlite({ file: ":memory:", synchronous: "NORMAL" });
const postgres = openPostgres({ url: place.url, connections: 3 });
for (const db of [sqlite, postgres]) await migrate(db, true);
afterAll(async () => {
  for (const db of [sqlite, postgres]) await db.close();
  await place[Symbol.asyncDispose]();
});

const share = (number: number, text: string) => sql`
  insert into pastes (number, id, slug, preview, size, max_views, created_by, created_at, updated_at)
  values (${number}, ${`id ${number}`}, ${`slug ${number}`}, ${text}, 1, 0, 'admin', 1, 1)`;

const numbersOf = async (db: Database, search: string): Promise<number[]> => {
  const words = foldLetters(search, db.engine).split(" ");
  const found = numbersWith(db.engine, { table: "pastes", words: "paste_words" }, words);
  const rows = await db.all<{ number: number }>(
    sql`select number from pastes where number in (${found}) order by number`,
  );
  return rows.map(({ number }) => number);
};

test("words are found without case and marks, on PostgreSQL as on SQLite", async () => {
  const latin = ["RÉSUMÉ", "re\u0301sume\u0301", "Ångström", "İstanbul", "ĆWIERĆ", "Việt Nam", "straße", "it's 100%"];
  const greek = ["ΟΔΥΣΣΕΥΣ", "ὈΔΥΣΣΕΎΣ", "οδυσσεύς", "Ελλάδα"];
  const texts = [...latin, ...greek, "会议记录", "かきくけこ", "한국어", "ЁЛКА"];
  for (const db of [sqlite, postgres]) await db.batch(texts.map((text, index) => share(index + 1, text)));
  for (const search of [
    "resume",
    "RESUMÉ",
    "angstrom",
    "istanbul",
    "cwierc",
    "viet nam",
    "会议",
    "nothing",
    ...latin,
  ]) {
    const found = await numbersOf(postgres, search);
    expect({ search, found }).toEqual({ search, found: await numbersOf(sqlite, search) });
    expect(found.length > 0).toBe(search !== "nothing");
  }
  // What only PostgreSQL folds.
  for (const [search, count] of [
    ["Οδυσσεύς", 3],
    ["ελλαδα", 1],
    ["елка", 1],
  ] as const)
    expect([search, (await numbersOf(postgres, search)).length]).toEqual([search, count]);
});

test("letters that were sent in parts are found by PostgreSQL, which composes them", async () => {
  const composed = ["한국말", "क़लम"];
  for (const db of [sqlite, postgres])
    await db.batch([share(101, composed[0]?.normalize("NFD") ?? ""), share(102, "\u0958लम")]);
  for (const search of composed) {
    const found = [await numbersOf(sqlite, search), await numbersOf(postgres, search)];
    expect(found.map(({ length }) => length)).toEqual([0, 1]);
  }
});
