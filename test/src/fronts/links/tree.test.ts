import { describe, expect, test } from "bun:test";
import { fsBytes } from "#contract/fs/bytes";
import { fs } from "#contract/fs/fs";
import { links } from "#contract/links";
import { mounts } from "#contract/mounts";
import { linkCalls } from "../../../support/callers/link-visit.ts";
import { readZip } from "../../../support/files/read-zip.ts";
import { makeMount } from "../../../support/make-mount.ts";
import { ask } from "../../../support/share-file.ts";
import { openTreeHouse, urlOf } from "../../../support/tree/tree-house.ts";

/** What whoever has opened a link sees: the items, and nothing beside them. */

describe("the tree of a link", () => {
  test("has its items at its root, each under a name of its own, and tells nothing of where they lie", async () => {
    await using tree = await openTreeHouse();
    await tree.put(
      "/m/secret/a/report.pdf",
      "/m/secret/b/report.pdf",
      "/m/secret/photos/one.txt",
      "/m/secret/other.txt",
    );
    const { visit } = linkCalls(tree);
    const items = ["/m/secret/a/report.pdf", "/m/secret/photos/", "/m/secret/b/report.pdf"];
    const { who, link } = await visit(items);
    expect(link.items.map(({ name }) => name)).toEqual(["report.pdf", "photos", "report (2).pdf"]);
    expect(await tree.names("/", who)).toBe("photos/ report (2).pdf report.pdf");
    expect(await tree.names("/photos", who)).toBe("one.txt");
    expect(await tree.text("/report.pdf", who)).toBe("/m/secret/a/report.pdf");
    expect(await tree.text("/report (2).pdf", who)).toBe("/m/secret/b/report.pdf");
    expect(await tree.text("/photos/one.txt", who)).toBe("/m/secret/photos/one.txt");
    const answers = [
      await tree.list("/", who),
      await tree.list("/photos", who),
      await tree.call(fs.get, { query: { path: "/photos/one.txt" } }, who),
      await tree.call(fs.get, { query: { path: "/report.pdf" } }, who),
      await tree.call(fs.search, { query: { q: "one" } }, who),
      await tree.call(fs.search, { query: { q: "report" } }, who),
      await tree.call(fsBytes.fileLink, { query: { path: "/photos/one.txt" } }, who),
    ];
    const found = async (q: string, query = {}) =>
      (await tree.call(fs.search, { query: { q, ...query } }, who)).data.results.map(({ path }) => path);
    expect(await found("one")).toEqual(["/photos/one.txt"]);
    expect(await found("photos")).toEqual(["/photos/"]);
    expect((await found("report")).sort()).toEqual(["/report (2).pdf", "/report.pdf"]);
    expect(
      [...(await found("report", { limit: 1 })), ...(await found("report", { limit: 1, offset: 1 }))].sort(),
    ).toEqual(["/report (2).pdf", "/report.pdf"]);
    expect(await found("other")).toEqual([]);
    const { data: [mount] = [] } = { data: await tree.house.house.vfs.mounts.list() };
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      const text = JSON.stringify(answer);
      for (const told of ["secret", "/m/", mount?.id ?? "?", mount?.storage ?? "?"]) expect(text).not.toContain(told);
    }
  });

  test("ends where its items end, whatever a path looks like", async () => {
    await using tree = await openTreeHouse();
    await tree.put(
      "/m/d/photos/x.txt",
      "/m/d/photos2/y.txt",
      "/m/d/a.txt",
      "/m/d/a.txt.bak",
      "/m/d/Caf\u00e9.txt",
      "/m/d/z/w.txt",
    );
    const { visit } = linkCalls(tree);
    const { who } = await visit(["/m/d/photos/", "/m/d/a.txt", "/m/d/Caf\u00e9.txt"], {
      rights: ["view", "download", "upload"],
    });
    const nowhere = [
      ...["/photos2/y.txt", "/a.txt.bak", "/a.txt/", "/a.txt/x", "/A.txt", "/m", "/m/d/a.txt", "/d/a.txt", "/z/w.txt"],
      ...["/photos/../a.txt.bak", "/photos/../../photos2/y.txt", "/photos/%2e%2e/a.txt.bak", "/PHOTOS/x.txt"],
      ...["/photos/x.txt/", "/photos /x.txt", "/.satchel-staging-trash/x", "//m/d/a.txt", "/photos/\u0000"],
    ];
    const met = new Set<string>();
    for (const path of nowhere) {
      for (const query of [{ path }, { path, inline: true }]) {
        const response = await tree.house.request(urlOf(fsBytes.download, query), { headers: who });
        expect({ path, status: response.status }).not.toEqual({ path, status: 200 });
        met.add(((await response.json()) as { error: string }).error);
      }
      for (const endpoint of [fs.get, fs.list, fsBytes.thumb, fsBytes.zip, fsBytes.fileLink])
        met.add(await tree.outcome(endpoint, { query: { path } } as never, who).catch(() => "bytes"));
    }
    expect([...met].join(" ")).not.toContain("200");
    expect([...met]).not.toContain("bytes");
    // The same letters taken apart are the same name, as everywhere in the tree.
    expect(await tree.text("/Cafe\u0301.txt", who)).toBe("/m/d/Caf\u00e9.txt");
  });

  test("shows no folder that comes in the place of a file, and nothing that comes to the key of what was deleted", async () => {
    await using tree = await openTreeHouse({ trash: false });
    await tree.put("/m/d/a.txt", "/m/d/b.txt");
    const { visit, get } = linkCalls(tree);
    const { who, link } = await visit(["/m/d/a.txt", "/m/d/b.txt"]);
    await tree.call(fs.batchRemove, { body: { paths: ["/m/d/a.txt"] } });
    expect(await tree.names("/", who)).toBe("b.txt");
    await tree.put("/m/d/a.txt/inside.txt");
    for (const path of ["/a.txt", "/a.txt/", "/a.txt/inside.txt"])
      expect(await tree.text(path, who)).toBe("mount.none");
    expect(await tree.names("/", who)).toBe("b.txt");
    await tree.call(fs.batchRemove, { body: { paths: ["/m/d/a.txt/"] } });
    await tree.put("/m/d/a.txt");
    expect(await tree.text("/a.txt", who)).toBe("mount.none");
    const { data } = await get(link.id);
    expect(data.items.map(({ path }) => path)).toEqual([null, "/m/d/b.txt"]);
  });

  test("shows no folder that comes in place of a file behind our back", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/d/a.txt");
    const { visit } = linkCalls(tree);
    const { who } = await visit(["/m/d/a.txt"]);
    const { rmSync } = await import("node:fs");
    rmSync(tree.onDisk("d/a.txt"));
    tree.behindOurBack("d/a.txt/inside.txt");
    for (const path of ["/a.txt", "/a.txt/", "/a.txt/inside.txt"])
      expect(["path.missing", "mount.none"]).toContain(await tree.text(path, who));
    expect(await tree.outcome(fsBytes.zip, { query: { path: "/" } } as never, who)).toBe("404 zip.empty");
  });

  test("follows renames and moves, also of folders above, and a deleted item comes back from the trash", async () => {
    await using tree = await openTreeHouse({ trash: true });
    await tree.put("/m/d/a.txt", "/m/d/f/x.txt");
    const { visit, get } = linkCalls(tree);
    const { who, link } = await visit(["/m/d/a.txt", "/m/d/f/"]);
    await tree.call(fs.rename, { body: { oldPath: "/m/d/a.txt", newPath: "/m/d/final.txt" } });
    await tree.call(fs.rename, { body: { oldPath: "/m/d/", newPath: "/m/moved/" } });
    expect(await tree.names("/", who)).toBe("f/ final.txt");
    expect(await tree.text("/final.txt", who)).toBe("/m/d/a.txt");
    expect(await tree.text("/f/x.txt", who)).toBe("/m/d/f/x.txt");
    expect((await get(link.id)).data.items.map(({ path }) => path)).toEqual(["/m/moved/final.txt", "/m/moved/f/"]);
    await tree.call(fs.batchRemove, { body: { paths: ["/m/moved/final.txt"] } });
    expect(await tree.names("/", who)).toBe("f/");
    expect((await get(link.id)).data.items.map(({ name, path }) => [name, path])).toEqual([
      ["a.txt", null],
      ["f", "/m/moved/f/"],
    ]);
  });

  test("follows a folder that is moved to another mount, and a folder that files were moved out of stays", async () => {
    await using tree = await openTreeHouse();
    await tree.second({ mount_path: "/n" });
    await tree.put("/m/f/x.txt", "/m/f/g/y.txt", "/m/h/z.txt");
    const { visit, get } = linkCalls(tree);
    const { who, link } = await visit(["/m/f/", "/m/f/g/y.txt", "/m/h/"]);
    const move = (from: string, to: string) =>
      tree.house.request(`/dav${from}`, {
        method: "MOVE",
        headers: { ...tree.admin, destination: `http://satchel.test/dav${to}` },
      });
    expect((await move("/m/f/", "/n/f/")).status).toBe(201);
    expect((await get(link.id)).data.items.map(({ path }) => path)).toEqual(["/n/f/", "/n/f/g/y.txt", "/m/h/"]);
    expect(await tree.text("/f/x.txt", who)).toBe("/m/f/x.txt");
    expect(await tree.text("/y.txt", who)).toBe("/m/f/g/y.txt");
    expect((await move("/m/h/z.txt", "/n/z.txt")).status).toBe(201);
    expect(await tree.names("/h", who)).toBe("");
  });

  test("is packed whole, under the names of the link", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/s/a.txt", "/m/s/b/a.txt", "/m/s/f/x.txt");
    const { visit } = linkCalls(tree);
    const { who } = await visit(["/m/s/a.txt", "/m/s/b/a.txt", "/m/s/f/"]);
    const response = await tree.house.request(urlOf(fsBytes.zip, { path: "/" }), { headers: who });
    const names = (await readZip(await response.bytes())).map(({ name }) => name);
    expect(names.sort()).toEqual(["a (2).txt", "a.txt", "f/x.txt"]);
    const { data } = await tree.call(fsBytes.grant, { body: { paths: ["/f/", "/a.txt"] } }, who);
    const some = `${urlOf(fsBytes.zip, { grant: data.grant })}&path=/f/&path=/a.txt`;
    expect((await readZip(await (await tree.house.request(some)).bytes())).map(({ name }) => name).sort()).toEqual([
      "a.txt",
      "f/x.txt",
    ]);
    const other = `${urlOf(fsBytes.zip, { grant: data.grant })}&path=/f/`;
    expect((await tree.house.request(other)).status).toBe(403);
  });

  test("of which nothing is left is 404 in place of an empty archive, and no download", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/s/a.txt", "/m/s/e/x.txt");
    await tree.call(fs.mkdir, { body: { path: "/m/s/empty/" } });
    const { visit, get } = linkCalls(tree);
    const { link, who } = await visit(["/m/s/a.txt"], { max_downloads: 1 });
    const zip = (headers: Record<string, string>, method = "GET") =>
      tree.house.request(urlOf(fsBytes.zip, { path: "/" }), { method, headers });
    await tree.call(fs.batchRemove, { body: { paths: ["/m/s/a.txt"] } });
    const refused = await zip(who);
    expect(refused.status).toBe(404);
    expect(await refused.json()).toMatchObject({ error: "zip.empty", success: false });
    expect((await zip(who, "HEAD")).status).toBe(404);
    await tree.put("/m/s/b.txt");
    expect((await get(link.id)).data.downloads).toBe(0);
    const kept = await zip((await visit(["/m/s/empty/"])).who);
    expect((await readZip(await kept.bytes())).map(({ name }) => name)).toEqual(["empty/"]);
  });

  test("has mounts that stand in a folder, and what a hidden one hides stays hidden", async () => {
    await using tree = await openTreeHouse();
    await tree.second({ mount_path: "/m/f/inner" });
    await tree.put("/m/f/x.txt", "/m/f/inner/y.txt");
    tree.behindOurBack("f/inner/behind.txt");
    const { visit } = linkCalls(tree);
    const owner = await tree.holder("/m/f");
    const { who } = await visit(["/m/f/"], {}, owner);
    expect(await tree.names("/f", who)).toBe("inner/ x.txt");
    expect(await tree.names("/f/inner", who)).toBe("y.txt");
    const response = await tree.house.request(urlOf(fsBytes.zip, { path: "/f" }), { headers: who });
    expect((await readZip(await response.bytes())).map(({ name }) => name).sort()).toEqual([
      "f/inner/y.txt",
      "f/x.txt",
    ]);
    const { sql } = await import("../../../../src/database/sql.ts");
    await tree.house.configure(sql`update storage_configs set is_public = 0 where name = 'Second'`);
    expect(await tree.names("/f", who)).toBe("x.txt");
    expect(await tree.names("/f/inner", who)).toBe("mount.none");
    expect(await tree.text("/f/inner/behind.txt", who)).toBe("mount.none");
    const again = await tree.house.request(urlOf(fsBytes.zip, { path: "/f" }), { headers: who });
    expect((await readZip(await again.bytes())).map(({ name }) => name)).toEqual(["f/x.txt"]);
    expect(JSON.stringify(await tree.call(fs.search, { query: { q: "behind" } }, who))).not.toContain("behind.txt");
  });

  test("shows what stands in a folder where it was chosen, and never what stands in it elsewhere", async () => {
    await using tree = await openTreeHouse();
    const twice = await makeMount(tree.house, { name: "Twice", mount_path: "/twice" });
    await tree.put("/twice/d/f/priv/plain.txt");
    await tree.second({ mount_path: "/m/d/f/priv" });
    await tree.put("/m/d/f/priv/SECRET.txt");
    const { visit, get } = linkCalls(tree);
    const { who, link } = await visit(["/twice/d/f/"]);
    expect(link.items.map(({ path }) => path)).toEqual(["/twice/d/f/"]);
    expect(await tree.names("/f/priv", who)).toBe("plain.txt");
    expect(await tree.text("/f/priv/SECRET.txt", who)).toBe("path.missing");
    // Without the mount that it was chosen through nothing shows the folder and nothing else.
    await ask(tree.house, mounts.remove, { params: { id: twice.id } });
    expect((await get(link.id)).data.items.map(({ path }) => path)).toEqual([null]);
    expect(await tree.names("/", who)).toBe("");
    await makeMount(tree.house, { name: "Again", mount_path: "/again" });
    expect((await get(link.id)).data.items.map(({ path }) => path)).toEqual(["/again/d/f/"]);
    expect(await tree.names("/f/priv", who)).toBe("plain.txt");
  });

  test("refuses what lies in no mount, and what its maker does not reach", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/d/a.txt", "/m/e/b.txt");
    const who = await tree.holder("/m/d");
    const make = (items: string[], by = who) => tree.outcome(links.create, { body: { items } }, by);
    expect(await make(["/"], tree.admin)).toBe("400 link.item");
    expect(await make(["/m/e/b.txt"])).toBe("403 path.forbidden");
    expect(await make(["/m"])).toBe("403 path.forbidden");
    expect(await make(["/m/d/none.txt"])).toBe("404 path.missing");
    expect(await make(["/m/d/a.txt", "/m/e/b.txt"])).toBe("403 path.forbidden");
    expect(await make(["/m/d/a.txt"])).toBe("201");
    expect(await make(["/m"], tree.admin)).toBe("201");
  });
});
