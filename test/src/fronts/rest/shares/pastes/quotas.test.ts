import { describe, expect, test } from "bun:test";
import { TEXT_OVERHEAD } from "#contract/limits";
import { settings } from "#contract/settings";
import { sql } from "../../../../../../src/database/sql.ts";
import { makeKey, withKey } from "../../../../../support/make-key.ts";
import { ask } from "../../../../../support/share-file.ts";
import { days } from "../../../../../support/test-clock.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";

/** How many bytes of texts visitors, each key and all together may keep. */

/** A text that counts as this many kilobytes. */
const kilobytes = (count: number) => "x".repeat(count * 1024 - TEXT_OVERHEAD);
const FULL = "507 storage.full";

type Who = Readonly<Record<string, string>>;
const visitor: Who = {};

async function openSmall(limits: Readonly<Record<string, number>>) {
  const house = await openTestHouse();
  const set = (values: Readonly<Record<string, number>>) =>
    ask(house, settings.update, { params: { group: "1" }, body: values });
  const inMegabytes = Object.fromEntries(Object.entries(limits).map(([name, count]) => [name, count / 1024]));
  expect(await set(inMegabytes)).toMatchObject({ status: 200 });
  const send = async (method: string, path: string, body: object, who: Who) => {
    const response = await house.request(`/api${path}`, { method, headers: who, body: JSON.stringify(body) });
    const { error } = (await response.json()) as { error?: string };
    return `${response.status}${error ? ` ${error}` : ""}`;
  };
  return {
    house,
    set,
    admin: { authorization: `Bearer ${await house.signIn()}` } as Who,
    create: (who: Who, content: string, slug?: string) => send("POST", "/paste", { content, slug }, who),
    edit: (who: Who, slug: string, change: object) => send("PUT", `/pastes/${slug}`, change, who),
    remove: async (who: Who, ...slugs: string[]) =>
      send("DELETE", "/pastes/batch-delete", { ids: await idsOf(house, slugs) }, who),
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
}

const idsOf = async ({ db }: TestHouse, slugs: readonly string[]): Promise<string[]> =>
  (await db.all<{ id: string; slug: string }>(sql`select id, slug from pastes`))
    .filter(({ slug }) => slugs.includes(slug))
    .map(({ id }) => id);

/** What the quotas say, and what the texts really take. */
async function sums({ db }: TestHouse) {
  const kept = await db.all<{ quota: string; bytes: number }>(sql`
    select quota, bytes from text_quotas where bytes <> 0 order by quota`);
  const real = await db.all<{ quota: string; bytes: number }>(sql`
    select quota, sum(size + octet_length(coalesce(remark, '')) + ${TEXT_OVERHEAD}) as bytes from pastes group by quota
    union all select 'total', sum(size + octet_length(coalesce(remark, '')) + ${TEXT_OVERHEAD}) from pastes
    where true having count(*) > 0 order by 1`);
  return { kept, real };
}

describe("a quota of texts", () => {
  test("of visitors holds for all of them together, and for nobody else", async () => {
    await using small = await openSmall({ max_visitor_texts: 10 });
    const own = withKey(await makeKey(small.house));
    await makeKey(small.house, { is_guest: true, permissions: ["text"] });
    expect(await small.create(visitor, kilobytes(6))).toBe("201");
    expect(await small.create(visitor, kilobytes(5))).toBe(FULL);
    expect(await small.create(visitor, kilobytes(4))).toBe("201");
    expect(await small.create(visitor, "x")).toBe(FULL);
    expect(await small.create(own, kilobytes(20))).toBe("201");
    expect(await small.create(small.admin, kilobytes(20))).toBe("201");
  });

  test("of visitors goes on when another key becomes theirs", async () => {
    await using small = await openSmall({ max_visitor_texts: 10 });
    const first = await makeKey(small.house, { is_guest: true });
    expect(await small.create(visitor, kilobytes(8))).toBe("201");
    await small.house.house.access.keys.remove(first.id);
    await makeKey(small.house, { is_guest: true });
    expect(await small.create(visitor, kilobytes(8))).toBe(FULL);
  });

  test("of a key holds for each one by itself", async () => {
    await using small = await openSmall({ max_key_texts: 10 });
    const [one, other] = [withKey(await makeKey(small.house)), withKey(await makeKey(small.house))];
    expect(await small.create(one, kilobytes(10))).toBe("201");
    expect(await small.create(one, "x")).toBe(FULL);
    expect(await small.create(other, kilobytes(10))).toBe("201");
    expect(await small.create(small.admin, kilobytes(20))).toBe("201");
  });

  test("in total holds for everybody, the administrator too", async () => {
    await using small = await openSmall({ max_total_texts: 10 });
    const own = withKey(await makeKey(small.house));
    expect(await small.create(own, kilobytes(6))).toBe("201");
    expect(await small.create(small.admin, kilobytes(5))).toBe(FULL);
    expect(await small.create(small.admin, kilobytes(4))).toBe("201");
    expect(await small.create(own, "x")).toBe(FULL);
  });

  test("of 0 is none, and a changed one holds at once", async () => {
    await using small = await openSmall({ max_key_texts: 0, max_total_texts: 0 });
    const own = withKey(await makeKey(small.house));
    expect(await small.create(own, kilobytes(30), "a")).toBe("201");
    await small.set({ max_key_texts: 10 / 1024 });
    expect(await small.create(own, "x")).toBe(FULL);
    // What takes no more than before can still be changed.
    expect(await small.edit(own, "a", { content: kilobytes(30), maxViews: 3 })).toBe("200");
    expect(await small.edit(own, "a", { content: kilobytes(20) })).toBe("200");
    await small.set({ max_key_texts: 0 });
    expect(await small.create(own, kilobytes(30))).toBe("201");
  });

  test("says what was wanted and what is left, in sentences that existing clients read", async () => {
    await using small = await openSmall({ max_key_texts: 10 });
    const own = withKey(await makeKey(small.house));
    const body = JSON.stringify({ content: kilobytes(11) });
    const refused = await small.house.request("/api/paste", {
      method: "POST",
      headers: { ...own, "accept-language": "zh" },
      body,
    });
    expect(await refused.json()).toMatchObject({
      code: 507,
      message: "存储空间不足。文件大小(11.00 KB)超过剩余空间(10.00 KB)。该所有者的文本总容量限制为10.00 KB。",
    });
  });

  test("holds for an edit that grows, which leaves the text as it was", async () => {
    await using small = await openSmall({ max_key_texts: 10 });
    const own = withKey(await makeKey(small.house));
    expect(await small.create(own, kilobytes(4), "a")).toBe("201");
    expect(await small.create(own, kilobytes(4), "b")).toBe("201");
    expect(await small.edit(own, "a", { content: kilobytes(7) })).toBe(FULL);
    expect(await small.edit(small.admin, "a", { content: kilobytes(7) })).toBe(FULL);
    expect(await (await small.house.request("/api/raw/a")).text()).toBe(kilobytes(4));
    expect(await small.edit(own, "a", { content: kilobytes(6) })).toBe("200");
    expect(await small.edit(own, "a", { remark: "x" })).toBe(FULL);
    expect(await small.edit(own, "b", { content: kilobytes(2) })).toBe("200");
    expect(await small.edit(own, "a", { remark: "x" })).toBe("200");
    const { kept, real } = await sums(small.house);
    expect(kept).toEqual(real);
  });

  test("is never exceeded by fifty at once", async () => {
    await using small = await openSmall({ max_key_texts: 10, max_total_texts: 16 });
    const keys = [withKey(await makeKey(small.house)), withKey(await makeKey(small.house))];
    const said = await Promise.all(Array.from({ length: 50 }, (_, n) => small.create(keys[n % 2] ?? {}, kilobytes(3))));
    expect(said.filter((one) => one === "201")).toHaveLength(5);
    expect(said.filter((one) => one === FULL)).toHaveLength(45);
    const grown = await Promise.all(
      (await small.house.db.all<{ slug: string }>(sql`select slug from pastes`)).map(({ slug }) =>
        small.edit(small.admin, slug, { content: kilobytes(4) }),
      ),
    );
    expect(grown.filter((one) => one === "200")).toHaveLength(1);
    const { kept, real } = await sums(small.house);
    expect(kept).toEqual(real);
    expect(real.find(({ quota }) => quota === "total")).toMatchObject({ bytes: 16 * 1024 });
  });

  test("gets back what is deleted, what has expired, and what was never written", async () => {
    await using small = await openSmall({ max_key_texts: 10 });
    const { house } = small;
    const own = withKey(await makeKey(house));
    expect(await small.create(own, kilobytes(5), "a")).toBe("201");
    expect(await small.create(own, kilobytes(5), "a")).toBe("409 slug.taken");
    expect(await small.create(own, kilobytes(5), "b")).toBe("201");
    expect(await small.remove(own, "a", "b")).toBe("200");
    expect(await small.create(own, kilobytes(10), "c")).toBe("201");
    expect(await small.edit(own, "c", { expiresAt: new Date(house.clock.now() + 1000).toISOString() })).toBe("200");
    expect(await small.create(own, "x")).toBe(FULL);
    house.clock.advance(days(2));
    await house.house.system.sweeper.sweep();
    expect(await sums(house)).toEqual({ kept: [], real: [] });
    expect(await small.create(own, kilobytes(10))).toBe("201");
  });

  test("counts a repeated request once", async () => {
    await using small = await openSmall({ max_key_texts: 10 });
    const own = { ...withKey(await makeKey(small.house)), "idempotency-key": "once" };
    const said = await Promise.all(Array.from({ length: 5 }, () => small.create(own, kilobytes(6))));
    expect(said).toEqual(Array(5).fill("201"));
    expect((await sums(small.house)).kept.map(({ bytes }) => bytes)).toEqual([6 * 1024, 6 * 1024]);
  });
});
