import { describe, expect, test } from "bun:test";
import { fs } from "#contract/fs/fs";
import { LINK_ITEMS_LISTED, MAX_LINK_ITEMS } from "#contract/limits";
import { links as api, linkStates } from "#contract/links";
import { linkCalls } from "../../../support/callers/link-visit.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { hours } from "../../../support/test-clock.ts";
import { openTreeHouse, type Who } from "../../../support/tree/tree-house.ts";

/** Links as their owners see them. */

describe("a list of links", () => {
  test("shows each owner its own, the administrator all, and is found by state, words, owner and path", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/d/f/a.txt", "/m/d/b.txt");
    const { make, open, update } = linkCalls(tree);
    const key = await makeKey(tree.house, { name: "Ann" });
    const own = withKey(key);
    const listed = async (query: Record<string, unknown> = {}, who: Who = tree.admin) => {
      const { data, error } = await tree.call(api.list, { query: query as never }, who);
      return error ?? data.links.map(({ label }) => label).join(" ");
    };
    const labelled = (label: string, fields = {}, items = ["/m/d/f/"], who: Who = tree.admin) =>
      make(items, { label, ...fields }, who);
    await labelled("active", { title: "Summer Photos" });
    const spent = await labelled("spent", { max_opens: 1 }, ["/m/d/f/a.txt"]);
    await open(spent.slug);
    await labelled("expired", { expires_at: new Date(tree.house.clock.now() + hours(1)).toISOString() });
    const paused = await labelled("paused", {}, ["/m/d/b.txt"]);
    await update(paused.id, { is_active: false });
    await labelled("closed", {}, ["/m/d/f/"], own);
    expect(await listed({}, own)).toBe("closed");
    tree.house.clock.advance(hours(1));
    expect(await listed()).toBe("closed paused expired spent active");
    expect(await listed({ created_by: key.id })).toBe("closed");
    expect(await listed({ created_by: "admin", limit: 2, offset: 1 })).toBe("expired spent");
    expect(await listed({ path: "/m/d/f/a.txt" })).toBe("closed expired spent active");
    expect(await listed({ path: "/m/d/f/" })).toBe("closed expired active");
    expect(await listed({ path: "/" })).toBe("");
    for (const search of ["summer", "PHOTOS sum", spent.slug]) expect(await listed({ search })).not.toBe("");
    expect(await listed({ search: "100%_" })).toBe("");
    await tree.house.house.access.keys.remove(key.id);
    for (const state of linkStates) expect(await listed({ state })).toBe(state);
    tree.house.clock.advance(hours(24 * 31));
    expect(await tree.house.house.links.sweep(hours(24 * 30))).toBe(2);
    const later = { authorization: `Bearer ${await tree.house.signIn()}` };
    expect(await listed({}, later)).toBe("paused spent active");
  });

  test("is nobody else's to read, change or end", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt");
    const { make, get, update, remove } = linkCalls(tree);
    const { id } = await make(["/m/a.txt"]);
    const other = await tree.holder();
    const met = [await get(id, other), await update(id, { title: "x" }, other), await remove(id, other)];
    expect(met.map(({ error }) => error)).toEqual(["share.missing", "share.missing", "share.missing"]);
    expect((await get(id)).status).toBe(200);
  });

  test("keeps the slug that was asked for, which is one link's at a time", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt");
    const { make, update } = linkCalls(tree);
    const items = ["/m/a.txt"];
    expect((await make(items, { slug: "holiday" })).url).toBe("/s/holiday");
    expect(await tree.outcome(api.create, { body: { items, slug: "holiday" } })).toBe("409 slug.taken");
    expect(await tree.outcome(api.create, { body: { items, slug: "a b" } })).toBe("400 slug.invalid");
    expect((await update((await make(items)).id, { slug: "holiday" })).error).toBe("slug.taken");
    expect((await update((await make(items)).id, { slug: "other" })).data.slug).toBe("other");
  });

  test("takes a thousand items, of which it shows the first", async () => {
    await using tree = await openTreeHouse();
    for (let index = 0; index < MAX_LINK_ITEMS; index++) tree.behindOurBack(`many/${index}/same.txt`, `${index}`);
    const items = Array.from({ length: MAX_LINK_ITEMS }, (_, index) => `/m/many/${index}/same.txt`);
    const { visit } = linkCalls(tree);
    expect(await tree.outcome(api.create, { body: { items: [...items, "/m/many/"] } })).toBe("400 body.invalid");
    const { link, who } = await visit(items);
    expect(new Set(link.items.map(({ name }) => name)).size).toBe(MAX_LINK_ITEMS);
    const { data } = await tree.call(api.list, { query: {} });
    expect(data.links[0]).toMatchObject({ item_count: MAX_LINK_ITEMS });
    expect(data.links[0]?.items).toEqual(link.items.slice(0, LINK_ITEMS_LISTED));
    expect((await tree.list("/", who)).data.items).toHaveLength(MAX_LINK_ITEMS);
    const paged: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await tree.call(fs.list, { query: { path: "/", limit: 300, ...(cursor && { cursor }) } }, who);
      paged.push(...page.data.items.map(({ name }) => name));
      cursor = page.data.next_cursor;
    }
    expect(new Set(paged)).toEqual(new Set(link.items.map(({ name }) => name)));
    expect(await tree.text("/same (1000).txt", who)).toBe("999");
  });
});
