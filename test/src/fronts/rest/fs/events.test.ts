import { describe, expect, test } from "bun:test";
import { type FolderNews, fs } from "#contract/fs/fs";
import { keys } from "#contract/keys";
import { mounts } from "#contract/mounts";
import { linkCalls } from "../../../../support/callers/link-visit.ts";
import { readEvents } from "../../../../support/jobs/jobs-house.ts";
import { makeKey, withKey } from "../../../../support/make-key.ts";
import { listen } from "../../../../support/servers/listening.ts";
import { ask } from "../../../../support/share-file.ts";
import { ADMIN } from "../../../../support/test-house.ts";
import { openTreeHouse, type TreeCalls, urlOf, type Who } from "../../../../support/tree/tree-house.ts";
import { until } from "../../../../support/until.ts";

/** What whoever looks at a folder is told of changes in it: that there are some, and nothing of what lies elsewhere. */

const open = (tree: TreeCalls, path: string, who: Who = tree.admin, since?: string) =>
  tree.house.request(urlOf(fs.events, { path, ...(since !== undefined && { since }) }), { headers: who });

/** The events of a folder, behind the first, which says that nothing has changed. */
async function follow(tree: TreeCalls, path: string, who?: Who) {
  const response = await open(tree, path, who);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const read = readEvents<FolderNews>(response, "folder");
  expect(await read.next()).toMatchObject({ changed: false });
  return read;
}

const dav = async (tree: TreeCalls, method: string, path: string, init: RequestInit = {}) => {
  const authorization = `Basic ${btoa(`${ADMIN.username}:${ADMIN.password}`)}`;
  return await tree.house.request(`/dav${path}`, { method, ...init, headers: { authorization, ...init.headers } });
};

describe("the events of a folder", () => {
  test("tell of changes in and below it, whoever makes them and how, and never what", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a/one.txt", "/m/a/deep/two.txt", "/m/b/three.txt");
    const read = await follow(tree, "/m/a");
    const changes = [
      () => tree.write("/m/a/new.txt", "1"),
      () => dav(tree, "PUT", "/m/a/deep/file.txt", { body: "2" }),
      () => tree.call(fs.mkdir, { body: { path: "/m/a/made" } }),
      () => tree.call(fs.rename, { body: { oldPath: "/m/a/one.txt", newPath: "/m/a/uno.txt" } }),
      () => tree.call(fs.rename, { body: { oldPath: "/m/b/three.txt", newPath: "/m/a/three.txt" } }),
      () => tree.call(fs.batchRemove, { body: { paths: ["/m/a/uno.txt"] } }),
      () => tree.call(fs.batchRemove, { body: { paths: ["/m/a/"] } }),
    ];
    for (const change of changes) {
      await change();
      const news = await read.next();
      expect(Object.keys(news ?? {}).toSorted()).toEqual(["changed", "version"]);
      expect(news).toMatchObject({ changed: true });
    }
    await read.cancel();
  });

  test("say nothing of what happens beside it", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a/one.txt", "/m/ab/two.txt", "/m/three.txt");
    const read = await follow(tree, "/m/a");
    await tree.write("/m/ab/new.txt", "1");
    await tree.write("/m/a.txt", "1");
    await tree.call(fs.batchRemove, { body: { paths: ["/m/ab/two.txt", "/m/three.txt"] } });
    const before = (await tree.list("/m/a")).data.version;
    await tree.write("/m/a/new.txt", "2");
    // The first event is about the only change that concerns it.
    expect(numberOf(await read.next())).toBeGreaterThan(Number(before.split(".")[1]));
    await read.cancel();
  });

  test("begin with whether something has changed since a list", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a/one.txt", "/m/b/two.txt");
    const { version } = (await tree.list("/m/a")).data;
    const first = async (since: string) => {
      const read = readEvents<FolderNews>(await open(tree, "/m/a", tree.admin, since), "folder");
      const news = await read.next();
      await read.cancel();
      return news?.changed;
    };
    await tree.write("/m/b/new.txt", "beside");
    expect(await first(version)).toBe(false);
    await tree.write("/m/a/new.txt", "inside");
    expect(await first(version)).toBe(true);
    expect(await first((await tree.list("/m/a")).data.version)).toBe(false);
    // Of another server, and of none.
    expect(await first(`${crypto.randomUUID()}.1`)).toBe(true);
    expect(await first("nonsense")).toBe(true);
  });

  test("of a folder that many changes lie behind, too", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a/one.txt");
    const { version } = (await tree.list("/m/a")).data;
    for (let one = 0; one < 2100; one += 1) tree.house.house.vfs.watches.note({ storage: "other", key: "x" });
    const read = readEvents<FolderNews>(await open(tree, "/m/a", tree.admin, version), "folder");
    expect(await read.next()).toMatchObject({ changed: true });
    await read.cancel();
  });

  test("tell that a mount came, went or moved", async () => {
    await using tree = await openTreeHouse();
    const read = await follow(tree, "/");
    const { mount } = await tree.second();
    expect(await read.next()).toMatchObject({ changed: true });
    await ask(tree.house, mounts.update, { params: { id: mount.id }, body: { mount_path: "/elsewhere" } });
    expect(await read.next()).toMatchObject({ changed: true });
    await tree.put("/elsewhere/file.txt");
    expect(await read.next()).toMatchObject({ changed: true });
    await read.cancel();
  });

  test("end when the server stops", async () => {
    await using tree = await openTreeHouse();
    const read = await follow(tree, "/m");
    tree.house.house.vfs.watches.close();
    await read.next();
    expect(await read.next()).toBeUndefined();
  });
});

const numberOf = (news: FolderNews | undefined): number => Number(news?.version.split(".")[1]);

describe("whoever follows a folder", () => {
  test("needs what listing it needs", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a/one.txt", "/m/b/two.txt");
    const refusal = async (path: string, who?: Who) => {
      const response = await open(tree, path, who);
      const { error } = (await response.json()) as { error: string };
      return `${response.status} ${error}`;
    };
    const below = await tree.holder("/m/a");
    const uploader = await tree.holder("/", "mount_upload");
    expect(await refusal("/m/b", below)).toBe("403 path.forbidden");
    expect(await refusal("/m/a", uploader)).toBe("403 auth.forbidden");
    expect(await refusal("/m/a", {})).toBe("401 auth.required");
    expect(await refusal("/m/none")).toBe("404 path.missing");
    expect(await refusal("/nothing")).toBe("404 mount.none");
    expect(await refusal("/m/a/one.txt")).toBe("400 path.isFile");
    expect(await refusal("/m/../a")).toBe("400 path.invalid");
    const head = await tree.house.request(urlOf(fs.events, { path: "/m" }), { method: "HEAD", headers: tree.admin });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  test("above their base path, learns nothing of what happens beside it", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a/one.txt", "/m/b/two.txt");
    const who = await tree.holder("/m/a");
    const [above, own] = [await follow(tree, "/m", who), await follow(tree, "/m/a", who)];
    await tree.write("/m/b/new.txt", "1");
    await tree.write("/m/a/new.txt", "1");
    expect(await own.next()).toMatchObject({ changed: true });
    tree.house.house.vfs.watches.note(undefined);
    expect(await above.next()).toMatchObject({ changed: true });
    expect(numberOf(await own.next())).toBe(
      numberOf({ version: tree.house.house.vfs.watches.version(), changed: true }),
    );
    await Promise.all([above.cancel(), own.cancel()]);
  });

  test("is told nothing more once the right has ended", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a/one.txt");
    const { make, open: openLink, update, withGrant } = linkCalls(tree);
    const link = await make(["/m/a/"], { rights: ["view"] });
    const visitor = withGrant((await openLink(link.slug)).data);
    const { access } = tree.house.house;
    const [gone, moved] = [await makeKey(tree.house), await makeKey(tree.house, { basic_path: "/m/a" })];
    const reads = [
      await follow(tree, "/m/a", withKey(gone)),
      await follow(tree, "/m/a", withKey(moved)),
      await follow(tree, "/a", visitor),
    ];
    await tree.write("/m/a/seen.txt", "1");
    for (const read of reads) expect(await read.next()).toMatchObject({ changed: true });
    await access.keys.remove(gone.id);
    await ask(tree.house, keys.update, { params: { id: moved.id }, body: { basic_path: "/m/b" } });
    await update(link.id, { is_active: false });
    await tree.write("/m/a/unseen.txt", "1");
    for (const read of reads) expect(await read.next()).toBeUndefined();
  });

  test("by a link is told of its items alone", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/secret/a/one.txt", "/m/secret/other.txt");
    const { visit } = linkCalls(tree);
    const { who } = await visit(["/m/secret/a/"], { rights: ["view"] });
    const [root, inside] = [await follow(tree, "/", who), await follow(tree, "/a", who)];
    await tree.write("/m/secret/b.txt", "1");
    const { version } = (await tree.list("/", who)).data;
    await tree.write("/m/secret/a/new.txt", "2");
    for (const read of [root, inside])
      expect(numberOf(await read.next())).toBeGreaterThan(Number(version.split(".")[1]));
    expect((await open(tree, "/m/secret", who)).status).toBe(404);
    await Promise.all([root.cancel(), inside.cancel()]);
  });

  test("tell of a folder around it apart, as a tree beside a list needs it", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a/one.txt", "/m/b/two.txt");
    const begin = async (around_since?: string) => {
      const query = { path: "/m/a", around: "/m", ...(around_since !== undefined && { around_since }) };
      const response = await tree.house.request(urlOf(fs.events, query), { headers: tree.admin });
      return readEvents<FolderNews>(response, "folder");
    };
    const read = await begin();
    expect(await read.next()).toMatchObject({ changed: false, around: false });
    const { version } = (await tree.list("/m")).data;
    await tree.call(fs.mkdir, { body: { path: "/m/b/made" } });
    expect(await read.next()).toMatchObject({ changed: false, around: true });
    await tree.write("/m/a/new.txt", "1");
    expect(await read.next()).toMatchObject({ changed: true, around: true });
    const late = await begin(version);
    expect(await late.next()).toMatchObject({ changed: false, around: true });
    await Promise.all([read.cancel(), late.cancel()]);
  });

  test("tell nothing of a folder around that may not be seen", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a/one.txt", "/m/b/two.txt");
    const key = await makeKey(tree.house, { permissions: ["mount_view"], basic_path: "/m/a" });
    const query = { path: "/m/a", around: "/m/b" };
    const response = await tree.house.request(urlOf(fs.events, query), { headers: withKey(key) });
    expect(response.status).toBe(403);
  });

  test("has fifty streams at most, and one that is left makes room", async () => {
    await using tree = await openTreeHouse();
    await using server = listen(tree.house);
    const url = `${server.address}${urlOf(fs.events, { path: "/m" })}`;
    const begin = async () => {
      const controller = new AbortController();
      const response = await fetch(url, { headers: tree.admin, signal: controller.signal });
      if (response.status === 200) await readEvents<FolderNews>(response, "folder").next();
      return { response, leave: () => controller.abort() };
    };
    const begun = [];
    for (let one = 0; one < 50; one += 1) begun.push(await begin());
    expect(new Set(begun.map(({ response }) => response.status))).toEqual(new Set([200]));
    const refused = await begin();
    expect(refused.response.status).toBe(429);
    expect(await refused.response.json()).toMatchObject({ error: "events.tooMany" });
    const another = await open(tree, "/m", await tree.holder());
    expect(another.status).toBe(200);
    await another.body?.cancel();
    begun[0]?.leave();
    const late = await until(begin, ({ response }) => response.status === 200);
    for (const { leave } of [...begun, late]) leave();
  });

  test("has fifty for all visitors of a link at one address, however often they open it", async () => {
    await using tree = await openTreeHouse();
    const { make, open: enter, withGrant } = linkCalls(tree);
    const { slug } = await make(["/m/"], { rights: ["view"] });
    const url = urlOf(fs.events, { path: "/m" });
    const watch = async (peer: string) => {
      const { data } = await enter(slug, {}, peer);
      return await tree.house.request(url, { headers: withGrant(data) }, peer);
    };
    const begun: Response[] = [];
    for (let one = 0; one < 51; one += 1) begun.push(await watch("198.51.100.1"));
    expect(begun.map(({ status }) => status)).toEqual([...Array.from({ length: 50 }, () => 200), 429]);
    begun.push(await watch("198.51.100.2"));
    expect(begun.at(-1)?.status).toBe(200);
    await Promise.all(begun.map(({ body }) => body?.cancel()));
  });
});
