import { describe, expect, test } from "bun:test";
import type { CallInput } from "#contract/endpoint";
import { fsBytes } from "#contract/fs/bytes";
import { fs } from "#contract/fs/fs";
import { keys } from "#contract/keys";
import { MAX_LINK_ITEMS } from "#contract/limits";
import { links as api, type NewLink } from "#contract/links";
import { type CreatedPaste, pastes } from "#contract/pastes";
import { bitsOf } from "#contract/permissions";
import { linkCalls } from "../../../support/callers/link-visit.ts";
import { readZip } from "../../../support/files/read-zip.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { ask } from "../../../support/share-file.ts";
import { openTreeHouse, type TreeCalls, urlOf, type Who } from "../../../support/tree/tree-house.ts";

/** Shared texts as items of links. */

type TextFields = Partial<NonNullable<CallInput<typeof pastes.create>["body"]>>;

async function text({ house, admin }: TreeCalls, part: TextFields = {}, headers: Who = admin): Promise<string> {
  const body = JSON.stringify({ content: "# Hello\n", ...part });
  const response = await house.request(`/api${pastes.create.path}`, { method: "POST", headers, body });
  return ((await response.json()) as CreatedPaste).id;
}

const linked = async ({ call, admin }: TreeCalls, items: NewLink["items"], part: Partial<NewLink> = {}, who = admin) =>
  (await call(api.create, { body: { items, ...part } }, who)).data;

/** Somebody who has opened a link. */
async function visitor(tree: TreeCalls, slug: string): Promise<Who> {
  const { open, withGrant } = linkCalls(tree);
  return withGrant((await open(slug)).data);
}

const change = async ({ house }: TreeCalls, id: string, body: Record<string, unknown>) =>
  (await ask(house, pastes.update, { params: { id }, body })).status;

const basic = (name: string): Who => ({ authorization: `Basic ${Buffer.from(`${name}:`).toString("base64")}` });

describe("a text behind a link", () => {
  test("is a file with its title, size and time, beside what lies in the tree", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt");
    const id = await text(tree, { remark: "Plan", content: "第一天" });
    const { items, slug } = await linked(tree, ["/m/a.txt", { paste: id }]);
    expect(items[1]).toMatchObject({ name: "Plan.md", path: null, isDirectory: false, paste: { id } });
    const who = await visitor(tree, slug);
    expect(await tree.names("/", who)).toBe("Plan.md a.txt");
    expect(await tree.text("/Plan.md", who)).toBe("第一天");
    const { data } = await tree.call(fs.get, { query: { path: "/Plan.md" } }, who);
    expect(data).toMatchObject({ name: "Plan.md", size: 9, contentType: "text/markdown" });
    expect(Date.parse(data.modified ?? "")).toBe(tree.house.clock.now());
  });

  test("is read in ranges, over WebDAV and in an archive", async () => {
    await using tree = await openTreeHouse();
    const content = `${"äöü€😀".repeat(150_000)}end`;
    const { slug } = await linked(tree, [{ paste: await text(tree, { content, slug: "long", plain: true }) }]);
    const bytes = Buffer.from(content);
    const get = async (headers: Record<string, string>) => {
      const response = await tree.house.request("/dav/long.txt", { headers: { ...basic(slug), ...headers } });
      return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
    };
    const whole = await get({});
    expect([whole.status, whole.body.equals(bytes)]).toEqual([200, true]);
    const part = await get({ range: `bytes=1048570-1048590` });
    expect([part.status, part.body.equals(bytes.subarray(1048570, 1048591))]).toEqual([206, true]);
    expect((await get({ range: `bytes=${bytes.length}-` })).status).toBe(416);
    const who = await visitor(tree, slug);
    const zip = await tree.house.request(urlOf(fsBytes.zip, { path: "/" }), { headers: who });
    const [entry] = readZip(await zip.bytes());
    expect([entry?.name, Buffer.from(entry?.content ?? []).equals(bytes)]).toEqual(["long.txt", true]);
  });

  test("breaks off for whoever reads it while it is changed", async () => {
    await using tree = await openTreeHouse();
    const id = await text(tree, { content: "x".repeat(3 * 1024 * 1024), slug: "long" });
    const { slug } = await linked(tree, [{ paste: id }]);
    const response = await tree.house.request("/dav/long.md", { headers: basic(slug) });
    const reader = response.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    expect(await change(tree, id, { content: "y".repeat(3 * 1024 * 1024) })).toBe(200);
    const rest = async () => {
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
        expect(Buffer.from(part.value).includes("y")).toBe(false);
    };
    expect(rest()).rejects.toThrow();
  });

  test("opens without its own password, and spends none of its views", async () => {
    await using tree = await openTreeHouse();
    const id = await text(tree, { password: "sesame", maxViews: 1, slug: "own" });
    const { slug } = await linked(tree, [{ paste: id }]);
    const who = await visitor(tree, slug);
    expect([await tree.text("/own.md", who), await tree.text("/own.md", who)]).toEqual(["# Hello\n", "# Hello\n"]);
    expect((await ask(tree.house, pastes.read, { params: { id } })).data.views).toBe(0);
  });

  test("follows its title and its content, also while somebody looks", async () => {
    await using tree = await openTreeHouse();
    const id = await text(tree, { remark: "One" });
    const { slug } = await linked(tree, [{ paste: id }]);
    const who = await visitor(tree, slug);
    expect(await tree.names("/", who)).toBe("One.md");
    expect(await change(tree, id, { remark: "Two", content: "new" })).toBe(200);
    expect(await tree.names("/", who)).toBe("Two.md");
    expect(await tree.text("/Two.md", who)).toBe("new");
    expect(await change(tree, id, { plain: true })).toBe(200);
    expect(await tree.names("/", who)).toBe("Two.txt");
  });

  test("is gone when it is deleted, has expired or is used up, and comes back with its expiry", async () => {
    await using tree = await openTreeHouse();
    const [deleted, expired] = [await text(tree, { slug: "deleted" }), await text(tree, { slug: "expired" })];
    const spent = await text(tree, { slug: "spent", maxViews: 1 });
    const { slug, id } = await linked(tree, [{ paste: deleted }, { paste: expired }, { paste: spent }]);
    const who = await visitor(tree, slug);
    expect(await tree.names("/", who)).toBe("deleted.md expired.md spent.md");
    await tree.call(pastes.remove, { body: { ids: [deleted] } });
    await change(tree, expired, { expiresAt: new Date(tree.house.clock.now() + 60_000).toISOString() });
    tree.house.clock.advance(60_001);
    expect((await tree.house.request("/api/raw/spent")).status).toBe(200);
    expect(await tree.names("/", who)).toBe("");
    expect(await tree.text("/expired.md", who)).not.toBe("# Hello\n");
    const gone = (await ask(tree.house, api.get, { params: { id } })).data.items;
    expect(gone.map(({ name, path, paste }) => [name, path, paste])).toEqual([
      ["deleted.md", null, undefined],
      ["expired.md", null, undefined],
      ["spent.md", null, undefined],
    ]);
    await change(tree, expired, { expiresAt: null });
    expect(await tree.names("/", who)).toBe("expired.md");
  });

  test("is read by nobody who may not read, and written by nobody", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/d/a.txt");
    const paste = await text(tree, { slug: "note" });
    const { slug } = await linked(tree, [{ paste }, "/m/d/"], { rights: ["view", "download", "upload"] });
    const dav = (method: string, path: string, init: RequestInit = {}) =>
      tree.house.request(`/dav${path}`, { method, ...init, headers: { ...basic(slug), ...(init.headers as Who) } });
    expect((await dav("PUT", "/note.md", { body: "evil" })).status).toBe(405);
    expect((await dav("PUT", "/note.md/x.txt", { body: "evil" })).status).toBeGreaterThanOrEqual(400);
    expect((await dav("DELETE", "/note.md")).status).toBeGreaterThanOrEqual(400);
    expect((await dav("MOVE", "/note.md", { headers: { destination: "/dav/d/x.md" } })).status).toBeGreaterThanOrEqual(
      400,
    );
    expect(await tree.text("/note.md", await visitor(tree, slug))).toBe("# Hello\n");
    const dropped = await linked(tree, [{ paste }, "/m/d/"], { rights: ["upload"] });
    expect(await tree.text("/note.md", await visitor(tree, dropped.slug))).toBe("auth.forbidden");
    expect(await tree.outcome(api.create, { body: { items: [{ paste }], rights: ["upload"] } })).toBe(
      "400 link.folder",
    );
  });

  test("has a name of one segment, whatever its title is", async () => {
    await using tree = await openTreeHouse();
    const named = async (remark: string) => {
      const { items, slug } = await linked(tree, [{ paste: await text(tree, { remark, slug: "own" }) }]);
      const seen = await tree.names("/", await visitor(tree, slug));
      expect(await tree.text(`/${seen}`, await visitor(tree, slug))).toBe("# Hello\n");
      expect(items[0]?.name).toBe(seen);
      const { data } = await tree.call(pastes.list, { query: {} });
      await tree.call(pastes.remove, { body: { ids: data.map(({ id }) => id) } });
      return seen;
    };
    expect(await named("../x")).toBe("x.md");
    expect(await named("a/b\\c")).toBe("a-b-c.md");
    expect(await named("\u202egnp.exe\u200b")).toBe("gnp.exe.md");
    expect(await named("Notes.md")).toBe("Notes.md");
    for (const nothing of ["..", "/", " ", "\u202e", "\u0000\u0007"]) expect(await named(nothing)).toBe("own.md");
    const long = await named("长".repeat(300));
    expect([Buffer.byteLength(long) <= 255, long.endsWith("长.md")]).toEqual([true, true]);
  });

  test("gets a number where another item is called so", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/Plan.md");
    const items = [await text(tree, { remark: "Plan" }), await text(tree, { remark: "plan" })].map((paste) => ({
      paste,
    }));
    const { slug } = await linked(tree, ["/m/Plan.md", ...items]);
    expect(await tree.names("/", await visitor(tree, slug))).toBe("Plan (2).md Plan.md plan (3).md");
  });
});

describe("who may put a text behind a link", () => {
  test("is its owner, and the administrator", async () => {
    await using tree = await openTreeHouse();
    const [one, other] = [await tree.holder("/", "mount_view", "text"), await tree.holder("/", "mount_view", "text")];
    const own = await text(tree, {}, one);
    const make = (paste: string, who: Who = tree.admin) =>
      tree.outcome(api.create, { body: { items: [{ paste }] } }, who);
    expect(await make(own, one)).toBe("201");
    expect(await make(own)).toBe("201");
    expect(await make(own, other)).toBe("404 share.missing");
    expect(await make(await text(tree), one)).toBe("404 share.missing");
    expect(await make("none")).toBe("404 share.missing");
    const expired = await text(tree, { expiresAt: new Date(tree.house.clock.now() + 1000).toISOString() });
    tree.house.clock.advance(1001);
    expect(await make(expired)).toBe("410 share.gone");
    for (const item of [{ paste: own, path: "/m" }, { paste: 1 }, { paste: "x".repeat(65) }])
      expect(await tree.outcome(api.create, { body: { items: [item] } as never })).toBe("400 body.invalid");
  });

  test("and is asked for it at each reading", async () => {
    await using tree = await openTreeHouse();
    const key = await makeKey(tree.house, { permissions: ["mount_view", "text"] });
    const { slug, id } = await linked(
      tree,
      [{ paste: await text(tree, { slug: "own" }, withKey(key)) }],
      {},
      withKey(key),
    );
    const who = await visitor(tree, slug);
    const edit = (body: Record<string, unknown>) => ask(tree.house, keys.update, { params: { id: key.id }, body });
    expect(await tree.text("/own.md", who)).toBe("# Hello\n");
    await edit({ permissions: bitsOf(["mount_view"]) });
    expect([await tree.text("/own.md", who), await tree.names("/", who)]).toEqual(["mount.none", ""]);
    expect((await ask(tree.house, api.get, { params: { id } })).data.items[0]).not.toHaveProperty("paste");
    await edit({ permissions: bitsOf(["mount_view", "text"]) });
    expect(await tree.text("/own.md", who)).toBe("# Hello\n");
    await ask(tree.house, keys.remove, { params: { id: key.id } });
    expect(await tree.text("/own.md", who)).toBe("grant.void");
  });

  test("stays within what the owner of a link has, also when the administrator changes it", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt");
    const who = await tree.holder("/", "mount_view", "text");
    const { id } = await linked(tree, ["/m/a.txt"], {}, who);
    const { update } = linkCalls(tree);
    expect((await update(id, { items: [{ paste: await text(tree) }] })).error).toBe("share.missing");
    expect((await update(id, { items: [{ paste: await text(tree, {}, who) }] })).status).toBe(200);
  });

  test("needs a right of its own", async () => {
    await using tree = await openTreeHouse();
    const who = await tree.holder("/", "mount_view");
    expect(await tree.outcome(api.create, { body: { items: [{ paste: await text(tree) }] } }, who)).toBe(
      "404 share.missing",
    );
  });
});

test("a link leads to as many texts as items may be", async () => {
  await using tree = await openTreeHouse();
  const ids: string[] = [];
  while (ids.length < MAX_LINK_ITEMS) ids.push(await text(tree, { remark: "same", slug: `text-${ids.length}` }));
  const { slug, item_count } = await linked(
    tree,
    ids.map((paste) => ({ paste })),
  );
  expect(item_count).toBe(MAX_LINK_ITEMS);
  const names = new Set((await tree.names("/", await visitor(tree, slug))).split(".md"));
  expect(names.size).toBe(MAX_LINK_ITEMS + 1);
});
