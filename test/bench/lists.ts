import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import { sql } from "../../src/database/sql.ts";
import { openSqlite } from "../../src/database/sqlite/sqlite.ts";
import type { ListFilter } from "../../src/shares/lists-table.ts";
import { pastesTable } from "../../src/shares/pastes-table.ts";

/** How long a page of a list and its total take among 100,000 texts, and what the indexes behind it cost who writes one. */

const TEXTS = 100_000;
const TO_REACH = 50;
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
for (const [name, filter] of Object.entries(filters)) {
  const took: string[] = [];
  for (const sort of ["created", "expires", "views"] as const) {
    for (const offset of [0, 90_000]) {
      const began = performance.now();
      await table.page({ ...filter, sort, order: "desc", limit: 20, offset }, now);
      took.push((performance.now() - began).toFixed(1));
    }
  }
  const began = performance.now();
  const { total } = await table.count(filter, now);
  process.stdout.write(
    `${name}: pages ${took.join(", ")} ms (to reach: ${TO_REACH}); ${total} counted in ${(performance.now() - began).toFixed(1)} ms\n`,
  );
}
db.close();
await rm(folder, { recursive: true });
