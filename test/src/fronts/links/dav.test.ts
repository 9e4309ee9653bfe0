import { describe, expect, test } from "bun:test";
import { fs } from "#contract/fs/fs";
import { allowances, type Limited } from "../../../../src/access/limiter.ts";
import { linkCalls } from "../../../support/callers/link-visit.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { hours } from "../../../support/test-clock.ts";
import { ADMIN } from "../../../support/test-house.ts";
import { openTreeHouse, type TreeCalls, type Who } from "../../../support/tree/tree-house.ts";

/** A link over WebDAV: its slug is the name, its password the password. */

const basic = (name: string, password = ""): Who => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`,
});

const dav = (tree: TreeCalls, method: string, path: string, who: Who, more: RequestInit = {}, peer?: string) =>
  tree.house.request(`/dav${path}`, { method, ...more, headers: { ...who, ...(more.headers as Who) } }, peer);

const hrefs = async (response: Response) =>
  [...(await response.text()).matchAll(/<D:href>([^<]*)<\/D:href>/g)].map(([, href]) => href);

/** Uses up an allowance but for some misses. */
function useUp({ house }: TreeCalls, limited: Limited, subject: string, but = 0): void {
  for (let n = but; n < allowances[limited].misses; n++) house.house.access.limiter.miss(limited, subject);
}

describe("a link over WebDAV", () => {
  test("is listed, read and written with its own paths, and nothing else is there", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/secret/f/a.txt", "/m/secret/b.txt", "/m/secret/c.txt");
    const { make } = linkCalls(tree);
    const { slug } = await make(["/m/secret/f/", "/m/secret/b.txt"], { rights: ["view", "download", "upload"] });
    const who = basic(slug, "whatever-works");
    const listed = await dav(tree, "PROPFIND", "/", who, { headers: { depth: "1" } });
    const text = await listed.clone().text();
    expect((await hrefs(listed)).sort()).toEqual(["/dav/", "/dav/b.txt", "/dav/f/"]);
    for (const told of ["secret", "/m/", "quota"]) expect(text).not.toContain(told);
    expect(await (await dav(tree, "GET", "/b.txt", who)).text()).toBe("/m/secret/b.txt");
    expect(await (await dav(tree, "GET", "/f/a.txt", who)).text()).toBe("/m/secret/f/a.txt");
    for (const path of ["/c.txt", "/m/secret/c.txt", "/f/../c.txt", "/b.txt/"])
      expect([403, 404]).toContain((await dav(tree, "GET", path, who)).status);
    expect(
      (await dav(tree, "PUT", "/f/new.txt", who, { body: "new", headers: { "content-length": "3" } })).status,
    ).toBe(201);
    expect((await dav(tree, "PUT", "/f/a.txt", who, { body: "evil" })).status).toBe(409);
    expect((await dav(tree, "PUT", "/b.txt", who, { body: "evil" })).status).toBe(405);
    expect((await dav(tree, "MKCOL", "/f/folder", who)).status).toBe(201);
    for (const method of ["DELETE", "MOVE", "COPY", "LOCK", "UNLOCK", "PROPPATCH"]) {
      const headers = { destination: "http://satchel.test/dav/f/moved.txt", "lock-token": "<opaquelocktoken:x>" };
      expect({ method, status: (await dav(tree, method, "/f/a.txt", who, { headers })).status }).toEqual({
        method,
        status: 403,
      });
    }
    expect(await tree.text("/m/secret/f/a.txt")).toBe("/m/secret/f/a.txt");
    expect(await tree.names("/m/secret/f")).toBe("folder/ a.txt new.txt");
    expect((await dav(tree, "OPTIONS", "/f/", who)).headers.get("allow")).toBe(
      "OPTIONS, PROPFIND, GET, HEAD, PUT, MKCOL",
    );
  });

  test("does what its rights say", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/f/a.txt");
    const { make } = linkCalls(tree);
    const status = async (rights: ("view" | "download" | "upload")[], method: string, path: string, body?: string) => {
      const { slug } = await make(["/m/f/"], { rights });
      return (await dav(tree, method, path, basic(slug), { ...(body && { body }), headers: { depth: "1" } })).status;
    };
    expect(await status(["view"], "PROPFIND", "/f/")).toBe(207);
    expect(await status(["view"], "GET", "/f/a.txt")).toBe(403);
    expect(await status(["view"], "PUT", "/f/b.txt", "x")).toBe(403);
    expect(await status(["view", "download"], "GET", "/f/a.txt")).toBe(200);
    expect(await status(["view", "download"], "MKCOL", "/f/b")).toBe(403);
    expect(await status(["upload"], "PROPFIND", "/f/")).toBe(403);
    expect(await status(["upload"], "GET", "/f/a.txt")).toBe(403);
  });

  test("spends one opening for each address and six hours, and counts what is downloaded", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt", "/m/b.txt");
    const { make, get, update } = linkCalls(tree);
    const { slug, id } = await make(["/m/a.txt", "/m/b.txt"], {
      password: "open sesame",
      max_opens: 2,
      max_downloads: 1,
    });
    const who = basic(slug, "open sesame");
    const status = async (by: Who, peer: string, path = "/") =>
      (await dav(tree, path === "/" ? "PROPFIND" : "GET", path, by, { headers: { depth: "0" } }, peer)).status;
    const many = await Promise.all(Array.from({ length: 20 }, () => status(who, "198.51.100.1")));
    expect(new Set(many)).toEqual(new Set([207]));
    expect((await get(id)).data.opens).toBe(1);
    expect(await status(basic(slug, "wrong"), "198.51.100.2")).toBe(401);
    expect(await status(who, "198.51.100.2")).toBe(207);
    expect(await status(who, "198.51.100.3")).toBe(401);
    expect((await get(id)).data.opens).toBe(2);
    expect(await status(who, "198.51.100.1", "/a.txt")).toBe(200);
    expect(await status(who, "198.51.100.1", "/a.txt")).toBe(200);
    expect(await status(who, "198.51.100.1", "/b.txt")).toBe(410);
    tree.house.clock.advance(hours(6));
    expect(await status(who, "198.51.100.1")).toBe(401);
    const admin = { authorization: `Bearer ${await tree.house.signIn()}` };
    await update(id, { max_opens: 0, password: null }, admin);
    expect(await status(basic(slug, "anything at all"), "198.51.100.1")).toBe(207);
    await update(id, { networks: ["203.0.113.0/24"] }, admin);
    expect(await status(basic(slug, "anything at all"), "198.51.100.1")).toBe(401);
    expect(await status(basic(slug, "anything at all"), "203.0.113.9")).toBe(207);
  });

  test("spends one opening of a link without a password, whatever is typed as one, and asks for one that comes later", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt");
    const { make, get, update } = linkCalls(tree);
    const { slug, id } = await make(["/m/a.txt"], { max_opens: 2 });
    const status = async (password: string, peer = "198.51.100.1") =>
      (await dav(tree, "GET", "/a.txt", basic(slug, password), {}, peer)).status;
    const typed = Array.from({ length: 20 }, (_, index) => (index === 0 ? "" : `typed ${index}`));
    expect(new Set(await Promise.all(typed.map((password) => status(password))))).toEqual(new Set([200]));
    for (const password of typed.slice(0, 3)) expect(await status(password)).toBe(200);
    expect((await get(id)).data.opens).toBe(1);
    expect(await status("", "198.51.100.2")).toBe(200);
    expect((await get(id)).data.opens).toBe(2);
    await update(id, { max_opens: 0, password: "open sesame" });
    for (const password of ["", "typed 1"]) expect(await status(password)).toBe(401);
    expect(await status("open sesame")).toBe(200);
    expect(await status("typed 1")).toBe(401);
    await update(id, { password: null });
    for (const password of ["", "typed 1", "open sesame"]) expect(await status(password)).toBe(200);
    expect((await get(id)).data.opens).toBe(4);
  });

  test("keeps out neither the administrator nor a key by its name, and tells of no lock or property of others", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/f/a.txt");
    const { make } = linkCalls(tree);
    const key = await makeKey(tree.house, { name: "backup" });
    const { slug } = await make(["/m/f/"], { slug: "backup" });
    const propfind = { headers: { depth: "1" } };
    expect(await hrefs(await dav(tree, "PROPFIND", "/", basic(slug, key.key), propfind))).toEqual(["/dav/", "/dav/m/"]);
    await tree.house.db.run(
      (await import("../../../../src/database/sql.ts")).sql`update links set slug = ${ADMIN.username}`,
    );
    await tree.house.house.cluster.publish("links");
    expect(await hrefs(await dav(tree, "PROPFIND", "/", basic(ADMIN.username, ADMIN.password), propfind))).toContain(
      "/dav/m/",
    );
    expect((await dav(tree, "PROPFIND", "/", basic(ADMIN.username, "x"), propfind)).status).toBe(401);
    const other = await make(["/m/f/"]);
    const body = `<propertyupdate xmlns="DAV:"><set><prop><x xmlns="urn:x">hush</x></prop></set></propertyupdate>`;
    expect((await dav(tree, "PROPPATCH", "/m/f/a.txt", tree.admin, { body })).status).toBe(207);
    const info = `<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype><owner>Bob</owner></lockinfo>`;
    expect((await dav(tree, "LOCK", "/m/f/a.txt", tree.admin, { body: info })).status).toBe(200);
    const text = await (await dav(tree, "PROPFIND", "/f/a.txt", basic(other.slug), propfind)).text();
    for (const told of ["hush", "Bob", "opaquelocktoken"]) expect(text).not.toContain(told);
    expect(await tree.outcome(fs.list, { query: { path: "/f" } }, basic(other.slug))).toBe("200");
  });
});

describe("guesses over WebDAV", () => {
  const look = async (tree: TreeCalls, who: Who, peer: string) =>
    (await dav(tree, "PROPFIND", "/", who, { headers: { depth: "0" } }, peer)).status;

  test("at names of links are as many as a minute allows at any other door, and the same name again is none", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt");
    const { slug } = await linkCalls(tree).make(["/m/a.txt"], { slug: "hit-7f3a" });
    const [guesser, other] = ["198.51.100.1", "198.51.100.2"] as const;
    const { misses } = allowances.missingShareByAddress;
    for (let n = 0; n <= misses; n++) await look(tree, basic("gone-91d2", "x".repeat(40)), other);
    expect(await look(tree, basic(slug), other)).toBe(207);
    const guess = (n: number) => look(tree, basic(`guess-${n}`, "x".repeat(40)), guesser);
    await Promise.all(Array.from({ length: misses + 40 }, (_, n) => guess(n)));
    expect(await look(tree, basic(slug), guesser)).toBe(429);
    expect((await tree.house.request(`/api/public/links/${slug}`, {}, guesser)).status).toBe(429);
    expect(await look(tree, basic(slug), "198.51.100.3")).toBe(207);
    tree.house.clock.advance(allowances.missingShareByAddress.window);
    expect(await look(tree, basic(slug), guesser)).toBe(207);
  });

  test("at keys are none where the password opens a link, and are where any would or a limit refuses to look", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt");
    const { make } = linkCalls(tree);
    const password = "lock-of-tapes-52";
    const [closed, open] = [await make(["/m/a.txt"], { password }), await make(["/m/a.txt"])];
    const keys = await Promise.all(
      ["chosen-51af", "chosen-62be", "chosen-73cd"].map((custom_key) => makeKey(tree.house, { custom_key })),
    );
    const [first, second, third] = keys.map(({ key }) => basic("any", key)) as [Who, Who, Who];
    useUp(tree, "keyByStrangers", "all", 3);
    for (const n of [1, 2, 3, 4]) expect(await look(tree, basic(closed.slug, password), `203.0.113.${n}`)).toBe(207);
    // Of a link without a password nobody has to type one.
    for (const n of [5, 6, 7, 8]) expect(await look(tree, basic(open.slug), `203.0.113.${n}`)).toBe(207);
    expect(await look(tree, first, "203.0.113.9")).toBe(207);
    expect(await look(tree, basic(open.slug, "guess-at-keys-1"), "203.0.113.10")).toBe(207);
    useUp(tree, "missingShareByAddress", "203.0.113.11");
    expect(await look(tree, basic("none-4c1e", "guess-at-keys-2"), "203.0.113.11")).toBe(429);
    expect(await look(tree, second, "203.0.113.12")).toBe(207);
    expect(await look(tree, basic(closed.slug, "guess-at-keys-3"), "203.0.113.13")).toBe(401);
    expect(await look(tree, third, "203.0.113.14")).toBe(429);
    // Who visits links is not kept out by what others guess at keys.
    expect(await look(tree, basic(closed.slug, password), "203.0.113.15")).toBe(207);
  });

  test("at keys by the passwords of one's own links are as many as an address has", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt");
    const { make } = linkCalls(tree);
    const key = await makeKey(tree.house, { custom_key: "chosen-84dc" });
    const password = "lock-of-tapes-53";
    const { slug } = await make(["/m/a.txt"], { password });
    useUp(tree, "keyByAddress", "203.0.113.1", 1);
    expect(await look(tree, basic(slug, password), "203.0.113.1")).toBe(207);
    expect((await tree.house.request("/api/test/api-key", { headers: withKey(key) }, "203.0.113.1")).status).toBe(429);
  });
});
