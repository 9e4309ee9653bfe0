import { beforeAll, expect, test } from "bun:test";
import { fileSorts } from "#contract/files";
import { sortOrders } from "#contract/listing";
import { pasteSorts } from "#contract/pastes";
import type { Database } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";
import { filesTable } from "../../src/shares/files-table.ts";
import type { ListFilter } from "../../src/shares/lists-table.ts";
import { pastesTable } from "../../src/shares/pastes-table.ts";

const SHARES = 1300;
/** Where the walk begins, and the rows of a page: behind a thousand the next page begins where the one before has ended. */
const [FIRST, PAGE] = [980, 30];
const NOW = 1000;

const filters: Readonly<Record<string, ListFilter>> = {
  everything: { owners: undefined },
  "those of two owners": { owners: ["walk:1", "walk:2"] },
  "what is active": { owners: undefined, state: "active" },
  "what has a word": { owners: undefined, search: "common" },
  "active ones of an owner with a word": { owners: ["walk:1"], state: "active", search: "common" },
};

/** Shares of which many are alike in each column, and some have no expiry. */
const alike = (number: number) => ({
  ...{ id: `walk${number}`, slug: `walk-${number}`, owner: `walk:${number % 40 === 0 ? 2 : 1}` },
  ...{ views: number % 3, expires: number % 2 === 0 ? null : NOW + (number % 5) },
});

async function fill(db: Database): Promise<void> {
  const rows = Array.from({ length: SHARES }, (_, number) => alike(number));
  await db.batch(
    rows.flatMap(({ id, slug, owner, views, expires }, number) => [
      sql`insert into pastes (id, slug, preview, size, max_views, views, expires_at, created_by, created_at, updated_at)
        values (${id}, ${slug}, 'common words', 1, 0, ${views}, ${expires}, ${owner}, 1, 1)`.byRow(),
      sql`insert into files (id, slug, filename, storage, key, pending, content_type, size, max_views, views, expires_at, use_proxy,
        created_by, created_at, updated_at)
        values (${id}, ${slug}, ${`${number % 2 ? "Common" : "common"} ${number % 7}.txt`}, (select min(id) from storage_configs), ${id}, 0,
          'text/plain', ${number % 4}, 0, ${views}, ${expires}, 0, ${owner}, 1, 1)`.byRow(),
    ]),
  );
}

/** The tests of lists that are gone through page by page, on a database in which there is a storage. */
export function testListCursors(db: Database): void {
  const kinds = [
    { name: "texts", open: () => pastesTable(db), sorts: pasteSorts },
    { name: "files", open: () => filesTable(db), sorts: fileSorts },
  ] as const;
  beforeAll(() => fill(db));

  for (const { name, open, sorts } of kinds) {
    test.each(Object.entries(filters))(`${name}: whoever goes through %s sees each once`, async (_, filter) => {
      for (const sort of sorts) {
        for (const order of sortOrders) {
          const asked = { ...filter, sort: sort as "created", order };
          const whole = await open().page({ ...asked, limit: 2 * SHARES, offset: FIRST }, NOW);
          const walking = open();
          // Words that many have are looked for in the list, others in their index.
          const ways = filter.search ? [false, true].map((isAmple) => ({ byGrams: !isAmple, isAmple })) : [undefined];
          for (const found of db.engine === "postgres" ? [undefined] : ways) {
            const seen: string[] = [];
            for (let offset = FIRST; ; offset += PAGE) {
              const rows = await walking.page({ ...asked, limit: PAGE + 1, offset }, NOW, found);
              seen.push(...rows.slice(0, PAGE).map(({ id }) => id));
              if (rows.length <= PAGE) break;
            }
            expect({ sort, order, seen }).toEqual({ sort, order, seen: whole.map(({ id }) => id) });
          }
        }
      }
    });
  }

  test("a page is read by its offset a minute after the one before it", async () => {
    const table = pastesTable(db);
    const page = { owners: undefined, sort: "created", order: "desc", limit: PAGE + 1 } as const;
    const read = async (offset: number, now: number) =>
      (await table.page({ ...page, offset }, now)).map(({ id }) => id);
    const before = await read(FIRST, NOW);
    await db.run(sql`delete from pastes where id = ${alike(SHARES - 1).id}`.byRow());
    expect((await read(FIRST + PAGE, NOW + 59_000))[0]).toBe(before[PAGE] ?? "");
    expect((await read(FIRST + PAGE, NOW + 61_000))[0]).not.toBe(before[PAGE] ?? "");
  });
}
