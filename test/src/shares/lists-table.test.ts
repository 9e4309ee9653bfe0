import { afterAll, beforeAll, expect, test } from "bun:test";
import { fileSorts } from "#contract/files";
import { sortOrders } from "#contract/listing";
import { pasteSorts } from "#contract/pastes";
import { migrate } from "../../../src/database/migrate.ts";
import { sql } from "../../../src/database/sql.ts";
import { openSqlite } from "../../../src/database/sqlite/sqlite.ts";
import { filesTable } from "../../../src/shares/files-table.ts";
import type { ListFilter } from "../../../src/shares/lists-table.ts";
import { pastesTable } from "../../../src/shares/pastes-table.ts";

/** The plans of the statements that list shares: a page reads one index in its order, and its rows only. */

const sqlite = openSqlite({ file: ":memory:", synchronous: "NORMAL" });
beforeAll(() => migrate(sqlite, true));
afterAll(() => sqlite.close());

interface Step {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

let steps: readonly Step[] = [];
const explain = async (query: { text: string; values: readonly unknown[] }) => {
  const asked = { ...sql`explain query plan `, text: `explain query plan ${query.text}`, values: query.values };
  steps = await sqlite.all<Step>(asked as ReturnType<typeof sql>);
  return [];
};
/** Explains what it is asked instead of doing it. */
const explaining = {
  ...sqlite,
  all: explain,
  first: async (query: ReturnType<typeof sql>) => (await explain(query))[0],
};

const filters: Readonly<Record<string, ListFilter>> = {
  nothing: { owners: undefined },
  "an owner": { owners: ["apikey:1", "1"] },
  "what is active": { owners: undefined, state: "active" },
  "what has expired": { owners: undefined, state: "expired" },
  "what is used up": { owners: undefined, state: "used_up" },
  "what of an owner is used up": { owners: ["1"], state: "used_up" },
  protection: { owners: undefined, isProtected: true },
  words: { owners: undefined, search: "meeting ab" },
  everything: { owners: ["1"], state: "active", isProtected: false, search: "meeting" },
};

const kinds = [
  { table: pastesTable(explaining), sorts: pasteSorts, name: "paste", more: {} },
  { table: filesTable(explaining), sorts: fileSorts, name: "file", more: { storage: "s" } },
];

for (const { table, sorts, name, more } of kinds) {
  for (const [what, filter] of Object.entries(filters)) {
    test(`${name}s by ${what}: pages and totals come from indexes`, async () => {
      for (const sort of sorts) {
        for (const order of sortOrders) {
          await table.page({ ...filter, ...more, sort: sort as "created", order, limit: 20, offset: 40 }, 1);
          expect({ sort, order, reads: readsOf(name) }).toEqual({
            sort,
            order,
            reads: readsOf(name).filter(isCovered),
          });
          expect(readsOf(name).length).toBeGreaterThan(0);
          // Of those that are used up the sweeper leaves few, which are looked up and sorted.
          if (filter.state === "used_up") expect(readsOf(name).join()).toContain(`${name}s_spent`);
          else expect(sortsWithin()).toEqual([]);
        }
      }
      await table.count({ ...filter, ...more }, 1);
      expect(readsOf(name).filter(isCovered).length).toBeGreaterThan(0);
      expect(readsOf(name)).toEqual(readsOf(name).filter(isCovered));
    });
  }
}

/** What ends a page, of those with and without a value in the column of the order. */
const ends = [1, null] as const;
/** Answers as if the page were full and this its end. */
let ended: (typeof ends)[number] | undefined;
const walked = {
  ...sqlite,
  all: async (query: ReturnType<typeof sql>) =>
    ended === undefined ? await explain(query) : Array.from({ length: 21 }, (_, index) => ({ id: `${index}` })),
  first: async () => ({ number: 5, value: ended }),
} as typeof sqlite;

for (const { name, open, sorts } of [
  { name: "paste", open: () => pastesTable(walked), sorts: pasteSorts },
  { name: "file", open: () => filesTable(walked), sorts: fileSorts },
]) {
  for (const what of ["nothing", "an owner", "what is active", "protection", "words"]) {
    test(`${name}s by ${what}: the next page is read from where the one before has ended`, async () => {
      for (const sort of sorts) {
        for (const order of sortOrders) {
          for (const end of ends) {
            if (end === null && sort !== "expires") continue;
            const table = open();
            const filter = filters[what] ?? { owners: undefined };
            const page = { ...filter, sort: sort as "created", order, limit: 21, offset: 1000 };
            ended = end;
            await table.page(page, 1);
            ended = undefined;
            await table.page({ ...page, offset: 1020 }, 1);
            const reads = readsOf(name);
            expect({ sort, order, end, reads }).toEqual({ sort, order, end, reads: reads.filter(isCovered) });
            // Each stretch begins at the cursor: nothing is gone through from the beginning.
            expect({ sort, order, end, scans: scansWithin(reads) }).toEqual({ sort, order, end, scans: [] });
            expect({ sort, order, end, sorts: sortsOf("stretch") }).toEqual({ sort, order, end, sorts: [] });
          }
        }
      }
    });
  }
}

/** Stretches that are gone through from their beginning, but for the one of all rows with a value or without. */
const scansWithin = (reads: readonly string[]): readonly string[] =>
  reads.filter((line) => /^SCAN .* COVERING INDEX/.test(line));

/** Sorting within a part of a statement. */
function sortsOf(part: string): readonly string[] {
  const parts = steps.filter(({ detail }) => detail.includes(part)).map(({ id }) => id);
  const below = steps.filter(({ parent }) => parts.includes(parent));
  return below.map(({ detail }) => detail).filter((line) => line.startsWith("USE TEMP B-TREE FOR ORDER BY"));
}

/** How the table and the index of its words are read, but for the rows of the page. */
const readsOf = (name: string): readonly string[] =>
  steps
    .map(({ detail }) => detail)
    .filter((line) => new RegExp(`^(SCAN|SEARCH) ${name}(s|_words)( |$)`).test(line))
    .filter((line) => line !== `SEARCH ${name}s USING INTEGER PRIMARY KEY (rowid=?)`);

/** Read from an index alone, or by the words of a search ("M" and the number of a column: fts5_main.c, xBestIndex). */
const isCovered = (line: string): boolean => /COVERING INDEX|VIRTUAL TABLE INDEX \d+:=?M\d/.test(line);

/** Sorting while the page is looked for; its few rows are sorted after that. */
function sortsWithin(): readonly string[] {
  const lists = steps.filter(({ detail }) => detail.startsWith("LIST SUBQUERY")).map(({ id }) => id);
  const below = steps.filter(({ parent }) => lists.includes(parent));
  return below.map(({ detail }) => detail).filter((line) => line.startsWith("USE TEMP B-TREE FOR ORDER BY"));
}
