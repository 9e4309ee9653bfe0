import { describe, expect, test } from "bun:test";
import { fsBytes } from "#contract/fs/bytes";
import { fs } from "#contract/fs/fs";
import { keys } from "#contract/keys";
import { links, type OpenedLink, type PeekedLink } from "#contract/links";
import { linkCalls } from "../../../support/callers/link-visit.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { hours } from "../../../support/test-clock.ts";
import { openTreeHouse, type TreeCalls, urlOf, type Who } from "../../../support/tree/tree-house.ts";

/** How a link is opened, how often, by whom, and what ends it. */

const download = (
  tree: TreeCalls,
  path: string,
  who: Readonly<Record<string, string>>,
  more: Record<string, string> = {},
) => tree.house.request(urlOf(fsBytes.download, { path }), { headers: { ...who, ...more } });

const answered = async <Data>({ house }: TreeCalls, path: string, init: RequestInit): Promise<Data> =>
  ((await (await house.request(path, init)).json()) as { data: Data }).data;

describe("an opening", () => {
  test("is spent once for six hours of one visitor, and exactly as often as the limit says", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt");
    const { make, open, peek, withGrant, get } = linkCalls(tree);
    const link = await make(["/m/a.txt"], { max_opens: 5 });
    const all = await Promise.all(Array.from({ length: 1000 }, () => open(link.slug)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(new Set(all.map(({ error }) => error))).toEqual(new Set([undefined, "share.gone"]));
    expect((await get(link.id)).data).toMatchObject({ opens: 5, state: "spent" });
    const opened = all.find(({ status }) => status === 200)?.data;
    if (!opened) throw new Error("Nobody got in.");
    expect((await peek(link.slug)).error).toBe("share.gone");
    expect(await tree.text("/a.txt", withGrant(opened))).toBe("/m/a.txt");
    // Who has opened it comes in again, and spends nothing.
    expect((await open(link.slug, { grant: opened.grant })).data).toMatchObject({ grant: opened.grant });
    tree.house.clock.advance(hours(6));
    expect(await tree.text("/a.txt", withGrant(opened))).toBe("grant.void");
    expect((await open(link.slug, { grant: opened.grant })).error).toBe("share.gone");
  });

  test("needs the password, and a few wrong ones are as many as an address has", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt");
    const { make, open, peek } = linkCalls(tree);
    const { slug } = await make(["/m/a.txt"], { password: "open sesame", title: "Hidden", max_opens: 3 });
    expect((await peek(slug)).data).toEqual({ slug, requires_password: true, max_opens: 3, opens_left: 3 });
    expect((await open(slug)).error).toBe("password.missing");
    expect((await open(slug, { password: "wrong" })).error).toBe("password.wrong");
    expect((await peek(slug)).data.opens_left).toBe(3);
    expect((await open(slug, { password: "open sesame" })).data.title).toBe("Hidden");
    expect((await peek(slug)).data.opens_left).toBe(2);
    const errors: (string | undefined)[] = [];
    for (let tries = 0; tries < 25; tries++) errors.push((await open(slug, { password: "wrong" })).error);
    expect(errors.at(-1)).toBe("limit.wait");
    expect((await open(slug, { password: "open sesame" }, "198.51.100.7")).status).toBe(200);
  });

  test("is not spent by the owner, who is signed in and need not be asked", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt");
    const { make, open, peek, withGrant, get } = linkCalls(tree);
    const key = await makeKey(tree.house);
    const { slug, id } = await make(["/m/a.txt"], { max_opens: 1 }, withKey(key));
    const looked = (headers: Who) => answered<PeekedLink>(tree, `/api/public/links/${slug}`, { headers });
    const opened = (headers: Who) =>
      answered<OpenedLink>(tree, `/api/public/links/${slug}/open`, { method: "POST", headers, body: "{}" });
    for (const who of [withKey(key), tree.admin, withKey(key)]) {
      expect(await looked(who)).toMatchObject({ opens_left: 1, own: true });
      const data = await opened(who);
      expect(data.own).toBe(true);
      expect(await tree.text("/a.txt", withGrant(data))).toBe("/m/a.txt");
    }
    expect((await get(id)).data.opens).toBe(0);
    const other = withKey(await makeKey(tree.house));
    expect([(await looked(other)).own, (await peek(slug)).data.own]).toEqual([undefined, undefined]);
    expect((await opened(other)).own).toBeUndefined();
    expect((await open(slug)).error).toBe("share.gone");
  });

  test("works from the networks of the link alone, and so does each use of it", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt");
    const { make, open, peek, withGrant } = linkCalls(tree);
    const { slug } = await make(["/m/a.txt"], { networks: ["192.0.2.0/24", "2001:db8::/32"] });
    for (const peer of ["198.51.100.1", "2001:db9::1"]) {
      expect((await open(slug, {}, peer)).error).toBe("link.network");
      expect((await peek(slug, peer)).error).toBe("link.network");
    }
    const { data } = await open(slug, {}, "2001:db8::1");
    const url = urlOf(fs.list, { path: "/" });
    const status = async (peer: string, address = url, headers = withGrant(data)) =>
      (await tree.house.request(address, { headers }, peer)).status;
    expect(await status("192.0.2.1")).toBe(200);
    expect(await status("198.51.100.1")).toBe(403);
    const { data: file } = await tree.call(fs.get, { query: { path: "/a.txt" } }, withGrant(data));
    const byGrant = urlOf(fsBytes.download, { path: "/a.txt", grant: file.grant ?? "" });
    expect(await status("192.0.2.1", byGrant, {} as never)).toBe(200);
    expect(await status("198.51.100.1", byGrant, {} as never)).toBe(403);
    expect(await tree.outcome(links.create, { body: { items: ["/m/a.txt"], networks: ["everywhere"] } })).toBe(
      "400 link.networkInvalid",
    );
  });

  test("ends when the link is changed in what counts, paused, deleted or expires", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt", "/m/b.txt");
    const { visit, open, update, remove } = linkCalls(tree);
    const changes = [
      { password: "new" },
      { rights: ["view"] },
      { items: ["/m/b.txt"] },
      { is_active: false },
      { networks: [] },
    ];
    for (const change of changes) {
      const { link, who } = await visit(["/m/a.txt"]);
      expect((await update(link.id, { title: "Another" })).data.title).toBe("Another");
      expect(await tree.text("/a.txt", who)).toBe("/m/a.txt");
      expect((await update(link.id, change)).status).toBe(200);
      expect(await tree.text("/a.txt", who)).toBe("grant.void");
    }
    const paused = await visit(["/m/a.txt"]);
    expect((await update(paused.link.id, { is_active: false })).data.state).toBe("paused");
    expect((await open(paused.link.slug)).error).toBe("share.gone");
    await update(paused.link.id, { is_active: true });
    expect((await open(paused.link.slug)).status).toBe(200);
    expect(await tree.text("/a.txt", paused.who)).toBe("grant.void");
    const deleted = await visit(["/m/a.txt"]);
    await remove(deleted.link.id);
    expect(await tree.text("/a.txt", deleted.who)).toBe("grant.void");
    expect((await open(deleted.link.slug)).error).toBe("share.missing");
    const expires_at = new Date(tree.house.clock.now() + hours(1)).toISOString();
    const expiring = await visit(["/m/a.txt"], { expires_at });
    tree.house.clock.advance(hours(1));
    expect(await tree.text("/a.txt", expiring.who)).toBe("grant.void");
    expect((await open(expiring.link.slug)).error).toBe("share.gone");
  });

  test("lets nobody do more than the owner of the link may at that moment", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/d/a.txt", "/m/e/b.txt");
    const { visit, open, get } = linkCalls(tree);
    const key = await makeKey(tree.house, { basic_path: "/m/d", permissions: ["mount_view", "mount_upload"] });
    const { link, who, opened } = await visit(["/m/d/a.txt"], {}, withKey(key));
    const edit = (body: Record<string, unknown>) =>
      tree.house.request(`/api${keys.update.path.replace(":id", key.id)}`, {
        method: "PUT",
        headers: tree.admin,
        body: JSON.stringify(body),
      });
    expect(opened.rights).toEqual(["view", "download"]);
    expect(await tree.text("/a.txt", who)).toBe("/m/d/a.txt");
    expect((await edit({ basic_path: "/m/e" })).status).toBe(200);
    expect(await tree.text("/a.txt", who)).toBe("mount.none");
    expect(await tree.names("/", who)).toBe("");
    expect((await get(link.id)).data.items).toMatchObject([{ name: "a.txt", isDirectory: false, path: null }]);
    await edit({ basic_path: "/m" });
    expect(await tree.text("/a.txt", who)).toBe("/m/d/a.txt");
    await tree.call(fs.rename, { body: { oldPath: "/m/d/a.txt", newPath: "/m/e/a.txt" } });
    await edit({ basic_path: "/m/d" });
    expect(await tree.text("/a.txt", who)).toBe("mount.none");
    await edit({ basic_path: "/m", permissions: 512 });
    expect(await tree.text("/a.txt", who)).toBe("auth.forbidden");
    await tree.house.request(`/api${keys.remove.path.replace(":id", key.id)}`, {
      method: "DELETE",
      headers: tree.admin,
    });
    expect(await tree.text("/a.txt", who)).toBe("grant.void");
    expect((await open(link.slug)).error).toBe("share.gone");
    expect((await get(link.id)).data.state).toBe("closed");
  });

  test("is told nothing but what it lets somebody do, and uploaders where their files go", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/d/f/a.txt");
    const { visit } = linkCalls(tree);
    const { opened } = await visit(["/m/d/f/"], { rights: ["upload"], label: "for Ann" });
    expect(opened).toMatchObject({ rights: ["upload"], upload_paths: ["/1/"], downloads_left: null });
    expect(JSON.stringify(opened)).not.toContain("Ann");
    expect(await tree.outcome(links.create, { body: { items: ["/m/d/f/a.txt"], rights: ["upload"] } })).toBe(
      "400 link.folder",
    );
    const viewer = await tree.holder("/", "mount_view");
    expect(await tree.outcome(links.create, { body: { items: ["/m/d/f/"], rights: ["upload"] } }, viewer)).toBe(
      "403 auth.forbidden",
    );
  });
});

describe("downloads", () => {
  test("are counted exactly: a file once for each visitor, whatever ranges it comes in, and each archive", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt", "/m/b.txt", "/m/c.txt");
    const { make, open, withGrant, get } = linkCalls(tree);
    const link = await make(["/m/a.txt", "/m/b.txt", "/m/c.txt"], { max_downloads: 3 });
    const [one, two] = [(await open(link.slug)).data, (await open(link.slug)).data];
    const first = withGrant(one);
    for (const range of ["bytes=0-1", "bytes=2-", "bytes=0-"])
      expect((await download(tree, "/a.txt", first, { range })).status).toBe(206);
    expect((await get(link.id)).data.downloads).toBe(1);
    expect((await download(tree, "/a.txt", first)).status).toBe(200);
    expect(
      (await tree.house.request(urlOf(fsBytes.download, { path: "/b.txt", inline: 1 }), { headers: first })).status,
    ).toBe(200);
    const head = { method: "HEAD", headers: first };
    expect((await tree.house.request(urlOf(fsBytes.download, { path: "/b.txt" }), head)).status).toBe(200);
    expect((await get(link.id)).data.downloads).toBe(1);
    expect((await download(tree, "/a.txt", withGrant(two), { range: "bytes=5-" })).status).toBe(206);
    const zipped = await tree.house.request(urlOf(fsBytes.zip, { path: "/" }), { headers: first });
    expect(zipped.status).toBe(200);
    await zipped.body?.cancel();
    expect((await get(link.id)).data.downloads).toBe(3);
    expect(await tree.text("/b.txt", first)).toBe("link.spent");
    expect((await tree.house.request(urlOf(fsBytes.zip, { path: "/" }), { headers: first })).status).toBe(410);
    expect((await download(tree, "/a.txt", first, { range: "bytes=3-" })).status).toBe(206);
    expect((await open(link.slug)).data.downloads_left).toBe(0);
  });

  test("as an archive go on beyond the time of the link and its opening, and end with what its owner takes back", async () => {
    await using tree = await openTreeHouse();
    for (const name of ["a", "b", "c"]) await tree.write(`/m/d/${name}.txt`, name.repeat(200_000));
    const { visit, update, remove } = linkCalls(tree);
    const expires_at = new Date(tree.house.clock.now() + hours(1)).toISOString();
    const begun = async () => {
      const { link, who } = await visit(["/m/d/"], { expires_at });
      const answer = await tree.house.request(urlOf(fsBytes.zip, { path: "/d" }), { headers: who });
      const reader = answer.body?.getReader();
      await reader?.read();
      const rest = async () => {
        while (!(await reader?.read())?.done);
        return "whole";
      };
      return { link, end: () => rest().catch(() => "broken off") };
    };
    const archives = [await begun(), await begun(), await begun(), await begun()] as const;
    const [paused, removed, changed] = archives;
    await update(paused.link.id, { is_active: false });
    await remove(removed.link.id);
    await update(changed.link.id, { password: "another one" });
    tree.house.clock.advance(hours(7));
    const ends = await Promise.all(archives.map(({ end }) => end()));
    expect(ends).toEqual(["broken off", "broken off", "broken off", "whole"]);
  });

  test("of many at once are no more than the limit", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt");
    const { make, open, withGrant, get } = linkCalls(tree);
    const link = await make(["/m/a.txt"], { max_downloads: 5 });
    const visitors = await Promise.all(Array.from({ length: 60 }, () => open(link.slug)));
    const texts = await Promise.all(visitors.map(({ data }) => tree.text("/a.txt", withGrant(data))));
    expect(texts.filter((text) => text === "/m/a.txt")).toHaveLength(5);
    expect(texts.filter((text) => text === "link.spent")).toHaveLength(55);
    expect((await get(link.id)).data.downloads).toBe(5);
  });

  test("are refused to who may only look, at every door", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/f/a.txt");
    const { visit } = linkCalls(tree);
    const { who } = await visit(["/m/f/"], { rights: ["view"] });
    expect(await tree.names("/f", who)).toBe("a.txt");
    expect(await tree.text("/f/a.txt", who)).toBe("auth.forbidden");
    const { data } = await tree.call(fs.get, { query: { path: "/f/a.txt" } }, who);
    const at = (url: string | undefined) => tree.house.request((url ?? "").replace("http://satchel.test", ""));
    expect(await (await at(data.preview_url)).text()).toBe("/m/f/a.txt");
    expect((await at(data.download_url)).status).toBe(403);
    expect((await tree.house.request(urlOf(fsBytes.zip, { path: "/f" }), { headers: who })).status).toBe(403);
    expect(await tree.outcome(fsBytes.grant, { body: { paths: ["/f"] } }, who)).toBe("403 auth.forbidden");
    const kept = { path: "/f/a.txt", force_download: "1" } as never;
    expect(await tree.outcome(fsBytes.fileLink, { query: kept }, who)).toBe("403 auth.forbidden");
  });
});
