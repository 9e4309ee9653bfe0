import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PasteSort, pasteSorts } from "#contract/pastes";
import type { Database } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import { sql } from "../../src/database/sql.ts";
import { openSqlite } from "../../src/database/sqlite/sqlite.ts";
import { type ListFilter, readPage } from "../../src/shares/lists-table.ts";
import { pastesTable } from "../../src/shares/pastes-table.ts";
import { tell } from "./figures.ts";

/** How long a page of a list and its total take among a million texts, and what the indexes behind it cost who writes one. */

/** A number behind the command is how many texts there are. */
const TEXTS = Number(process.argv[2] ?? 1_000_000);
const TO_REACH = 50;
/** Pages so far behind that nobody turns to them; a program that goes through the whole list comes there. */
const DEEP = 90_000;
const PAGE = 20;
/** Pages that it reads there, one after the other. */
const WALKED = 4;
const words = (
  "the quick brown fox jumps over lazy dog meeting notes for project satchel invoice report 2026 budget 会议 记录 项目 季度 预算 " +
  "password server deploy alpha beta gamma delta release log error warning"
).split(" ");

// The same texts in each run.
let seed = 1;
const random = (below: number): number => {
  seed = (seed * 48271) % 2147483647;
  return seed % below;
};
const sentence = (length: number): string => Array.from({ length }, () => words[random(words.length)]).join(" ");

async function fill(db: Database, now: number): Promise<number> {
  const table = pastesTable(db);
  const began = performance.now();
  for (let number = 0; number < TEXTS; number++) {
    const isKeys = number % 4 > 0;
    const row = {
      id: `id${number}`,
      slug: `s${number.toString(36)}`,
      remark: number % 3 === 0 ? sentence(4) : null,
      preview: sentence(35).slice(0, 200),
      size: 400,
      password_hash: number % 7 === 0 ? "hash" : null,
      expires_at: number % 5 === 0 ? now + (number - TEXTS / 2) * 1000 : null,
      max_views: number % 9 === 0 ? 5 : 0,
      views: 0,
      version: 1,
      created_by: isKeys ? `apikey:01920000-0000-7000-8000-00000000000${number % 5}` : "admin",
      created_at: now,
      updated_at: now,
      plain: 0,
      quota: "admin",
      quota_bytes: 400,
    };
    await table.insert({ row, content: row.preview, requestKey: undefined, room: [] });
  }
  return (performance.now() - began) / TEXTS;
}

const filters: Readonly<Record<string, ListFilter>> = {
  everything: { owners: undefined },
  "one key's": { owners: ["apikey:01920000-0000-7000-8000-000000000001"] },
  expired: { owners: undefined, state: "expired" },
  protected: { owners: undefined, isProtected: true },
  "a word in most": { owners: undefined, search: "invoice" },
  "two letters": { owners: undefined, search: "会议" },
  "three words": { owners: undefined, search: "meeting project 2026" },
  "a word in none": { owners: undefined, search: "zebra" },
  "all of it": { owners: ["admin"], search: "invoice", state: "active", isProtected: false },
  "as many words as fit": {
    owners: undefined,
    search: Array.from({ length: 66 }, (_, at) => words[at % 9]?.slice(0, 2)).join(" "),
  },
};

const folder = await mkdtemp(join(tmpdir(), "satchel-bench-"));
const db = openSqlite({ file: join(folder, "lists.db"), synchronous: "NORMAL" });
await migrate(db, true);
const now = Date.now();
process.stdout.write(`${TEXTS} texts: ${((await fill(db, now)) * 1000).toFixed(0)} us each\n`);
const counts = await db.all(sql`select count(*) from pastes`);
if (counts.length !== 1) throw new Error("The texts are not there.");
const table = pastesTable(db);

/** Milliseconds of one page with its total, as a request asks for both, and how many rows it has. */
async function timed(filter: ListFilter, sort: PasteSort, offset: number): Promise<{ took: number; rows: number }> {
  const page = { ...filter, sort, order: "desc", limit: PAGE, offset } as const;
  const began = performance.now();
  const { rows } = await readPage(table, page, now);
  return { took: performance.now() - began, rows: rows.length };
}

/** The slowest of some pages behind the one at an offset, which is read first; of a list that ends before it, behind one as far as there is one. */
async function walked(filter: ListFilter, sort: PasteSort): Promise<number> {
  let offset = DEEP;
  while (offset > 0 && (await timed(filter, sort, offset)).rows < PAGE) offset = Math.floor(offset / 2);
  const pages: number[] = [];
  for (let page = 1; page <= WALKED; page++) pages.push((await timed(filter, sort, offset + page * PAGE)).took);
  return Math.max(...pages);
}

const slowest = { first: 0, walked: 0, deep: 0 };
for (const [name, filter] of Object.entries(filters)) {
  const times: Record<keyof typeof slowest, number[]> = { first: [], walked: [], deep: [] };
  for (const sort of pasteSorts) {
    times.first.push((await timed(filter, sort, 0)).took);
    times.deep.push((await timed(filter, sort, DEEP)).took);
    times.walked.push(await walked(filter, sort));
  }
  for (const kind of ["first", "walked", "deep"] as const) slowest[kind] = Math.max(slowest[kind], ...times[kind]);
  const list = (some: readonly number[]) => some.map((one) => one.toFixed(1)).join(", ");
  process.stdout.write(
    `${name}: first pages ${list(times.first)} ms, behind ${DEEP} ${list(times.deep)} ms, and the next ones ${list(times.walked)} ms\n`,
  );
}
const count = Object.keys(filters).length * pasteSorts.length;
const yardstick = "sorted by age, expiry and views, each with its total";
tell({
  work: `The slowest of ${count} first pages of ${TEXTS} texts`,
  ...{ yardstick, value: slowest.first, unit: "ms", goal: TO_REACH },
});
tell({
  work: `The slowest of ${count} pages behind ${DEEP} others`,
  ...{ yardstick: `${yardstick}, each after the one before it`, value: slowest.walked, unit: "ms", goal: TO_REACH },
});
tell({
  work: `The slowest of ${count} pages behind ${DEEP} others, jumped to`,
  ...{ yardstick: `${yardstick}, by its offset alone`, value: slowest.deep, unit: "ms" },
});
db.close();
await rm(folder, { recursive: true });
