import { expect, test } from "bun:test";
import { createKeptLinks } from "../../../src/links/kept-links.ts";
import type { LinkItemRow, LinkRow, LinksTable } from "../../../src/links/links-table.ts";

/** Links of a thousand items each, whose keys have so many letters. */
function keptLinks(letters: number) {
  const items = Array.from({ length: 1000 }, (_, position) => ({
    ...{
      link: "one",
      id: `${position}`,
      position,
      storage: "disk",
      mount: "drive",
      gone_at: null,
      name: `${position}`,
    },
    ...{ key: `${position}`.padEnd(letters, "x"), text_slug: null, text_title: null, text_plain: null },
    text_owner: null,
  }));
  const table: Pick<LinksTable, "find" | "items"> = {
    find: async (id) => ({ id, networks: "[]" }) as LinkRow,
    items: async () => items satisfies LinkItemRow[],
  };
  return createKeptLinks(table as LinksTable, { follow: () => undefined }, () => 0);
}

test.each([
  ["short keys", 20, 40],
  ["long ones", 1000, 8],
])("of links of a thousand items with %s so many are in memory as have room there", async (_, letters, most) => {
  const kept = keptLinks(letters);
  for (let link = 0; link < 50; link++) expect((await kept.get(`${link}`))?.items).toHaveLength(1000);
  expect(kept.cache.size()).toBeGreaterThanOrEqual(most);
  expect(kept.cache.size()).toBeLessThan(most * 1.2);
});
