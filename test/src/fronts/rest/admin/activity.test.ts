import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { type ActivityEntry, activity as api } from "#contract/activity";
import type { Endpoint } from "#contract/endpoint";
import { files } from "#contract/files";
import { fsBytes } from "#contract/fs/bytes";
import { pastes } from "#contract/pastes";
import { settings } from "#contract/settings";
import { linkCalls } from "../../../../support/callers/link-visit.ts";
import { davCalls } from "../../../../support/clients/dav.ts";
import { makeKey, withKey } from "../../../../support/make-key.ts";
import { listen } from "../../../../support/servers/listening.ts";
import { ask, shareFile } from "../../../../support/share-file.ts";
import { shareText } from "../../../../support/share-text.ts";
import { openTestHouse, type TestHouse } from "../../../../support/test-house.ts";
import { openTreeHouse, urlOf } from "../../../../support/tree/tree-house.ts";
import { until } from "../../../../support/until.ts";

/** What owners learn of who has used their texts, files and links. */

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";
const MB = 1024 ** 2;

const logOf = async (house: TestHouse, endpoint: Endpoint, id: string) =>
  (await ask(house, endpoint as typeof api.paste, { params: { id } })).data;

const entriesOf = async (house: TestHouse, endpoint: Endpoint, id: string): Promise<ActivityEntry[]> =>
  (await logOf(house, endpoint, id)).entries;

/** The entries of a subject as soon as there are so many. */
const soon = (house: TestHouse, endpoint: Endpoint, id: string, wanted: number) =>
  until(
    () => entriesOf(house, endpoint, id),
    (entries) => entries.length >= wanted,
  );

const said = ({ event, outcome, name, bytes }: ActivityEntry) => [event, outcome, name, bytes];

describe("a text", () => {
  test("tells its owner who has opened it, from which network and with what, and never the address", async () => {
    await using house = await openTestHouse();
    const { id, slug } = await shareText(house, { content: "hello" });
    await house.request(`/api/raw/${slug}`, { headers: { "user-agent": "curl/8.5.0" } }, "203.0.113.77");
    house.clock.advance(1000);
    await house.request(`/api/paste/${slug}`, { headers: { "user-agent": FIREFOX } }, "2001:db8:1:2:3:4:5:6");
    expect(await entriesOf(house, api.paste, id)).toEqual([
      {
        ...{ at: new Date(house.clock.now()).toISOString(), event: "opened", outcome: "whole" },
        ...{ name: null, network: "2001:db8:1::/48", program: "Firefox, Windows", bytes: 5, times: 1 },
      },
      {
        ...{ at: new Date(house.clock.now() - 1000).toISOString(), event: "opened", outcome: "whole" },
        ...{ name: null, network: "203.0.113.0/24", program: "curl", bytes: 5, times: 1 },
      },
    ]);
  });

  test("tells of wrong passwords and of who came too late, and of no look at what is public of it", async () => {
    await using house = await openTestHouse();
    const { id, slug } = await shareText(house, { password: "open sesame", maxViews: 1 });
    await house.request(`/api/raw/${slug}?password=wrong`);
    expect((await house.request(`/api/raw/${slug}?password=open+sesame`)).status).toBe(200);
    expect((await house.request(`/api/raw/${slug}?password=open+sesame`)).status).toBe(410);
    await house.house.shares.publicFacts("paste", slug, "192.0.2.1");
    const entries = await entriesOf(house, api.paste, id);
    expect(entries.map(said).sort()).toEqual([
      ["opened", "whole", null, 5],
      ["refused", "gone", null, null],
      ["refused", "password", null, null],
    ]);
  });

  test("counts what happens often as one entry, and all of it in the chart", async () => {
    await using house = await openTestHouse();
    const { id, slug } = await shareText(house, {});
    const openings = Array.from({ length: 300 }, () => house.request(`/api/raw/${slug}`));
    await Promise.all(openings);
    const { entries, chart } = await logOf(house, api.paste, id);
    expect(entries.length).toBeLessThan(300);
    expect(entries.reduce((sum, { times }) => sum + times, 0)).toBe(300);
    expect(entries.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)).toBe(1500);
    expect(chart).toHaveLength(30);
    expect(chart?.at(-1)).toEqual({
      ...{ day: new Date(house.clock.now()).toISOString().slice(0, 10), opened: 300 },
      ...{ downloaded: 0, uploaded: 0, refused: 0 },
    });
  });

  test("is not drowned by who guesses its password from everywhere", async () => {
    await using house = await openTestHouse();
    const { id, slug } = await shareText(house, { maxViews: 1 });
    await house.request(`/api/raw/${slug}`);
    for (let net = 0; net < 200; net++) await house.request(`/api/raw/${slug}`, {}, `198.51.${net}.1`);
    const path = `/pastes/${id}/log?limit=100` as never;
    const { data } = await ask(house, { ...api.paste, path }, { params: { id } });
    const refused = data.entries.filter(({ event }) => event === "refused");
    expect(refused.reduce((sum, { times }) => sum + times, 0)).toBe(200);
    expect(refused.filter(({ network }) => network !== null)).toHaveLength(30);
  });

  test("has its log in pages, each entry once", async () => {
    await using house = await openTestHouse();
    const { id, slug } = await shareText(house, {});
    for (let net = 0; net < 7; net++) await house.request(`/api/raw/${slug}`, {}, `198.51.${net}.1`);
    const networks: (string | null)[] = [];
    let before: string | null = "";
    for (let pages = 0; before !== null; pages++) {
      const query = `limit=3${before && `&before=${before}`}`;
      const path = `/pastes/${id}/log?${query}` as never;
      const { data } = await ask(house, { ...api.paste, path }, { params: { id } });
      networks.push(...data.entries.map(({ network }) => network));
      expect(data.chart === undefined).toBe(pages > 0);
      before = data.next;
    }
    expect(networks.sort()).toEqual(Array.from({ length: 7 }, (_, net) => `198.51.${net}.0/24`));
  });

  test("shows its log to nobody else, and loses it with itself", async () => {
    await using house = await openTestHouse();
    const owner = await makeKey(house, { permissions: ["text"] });
    const other = withKey(await makeKey(house, { permissions: ["text"] }));
    const create = { method: "POST", body: JSON.stringify({ content: "mine" }), headers: withKey(owner) };
    const { id, slug } = (await (await house.request("/api/paste", create)).json()) as { id: string; slug: string };
    await house.request(`/api/raw/${slug}`);
    const read = (headers: Record<string, string>) => house.request(`/api/pastes/${id}/log`, { headers });
    expect((await read(withKey(owner))).status).toBe(200);
    expect((await read(other)).status).toBe(404);
    expect((await read({})).status).toBe(401);
    expect((await read(withKey(await makeKey(house, { permissions: ["mount_view"] })))).status).toBe(403);
    await house.request(`/api/raw/${slug}`);
    const remove = { method: pastes.remove.method, body: JSON.stringify({ ids: [id] }), headers: withKey(owner) };
    expect((await house.request(`/api${pastes.remove.path}`, remove)).status).toBe(200);
    await house.house.activity.close();
    expect(await house.house.activity.page({ kind: "paste", id }, 10)).toEqual([]);
  });
});

describe("a shared file", () => {
  test("tells how many bytes of a download were sent, and which was broken off", async () => {
    await using house = await openTestHouse();
    await using server = listen(house, { tellsConnections: true });
    const { id, slug } = await shareFile(house, { content: "hello" });
    const answer = await fetch(`${server.address}/api/file-download/${slug}`, {
      headers: { "user-agent": "Wget/1.21" },
    });
    expect(await answer.text()).toBe("hello");
    const [download, opening] = (await soon(house, api.file, id, 2)).sort((one, two) =>
      one.event < two.event ? -1 : 1,
    );
    expect(download).toMatchObject({ event: "downloaded", outcome: "whole", bytes: 5, program: "Wget" });
    expect(opening).toMatchObject({ event: "opened", bytes: null, network: "127.0.0.0/24" });

    const large = await shareFile(house, { filename: "large.bin", content: "x".repeat(40 * MB) });
    const socket = connect(server.port, "127.0.0.1");
    socket.write(`GET /api/file-download/${large.slug} HTTP/1.1\r\nhost: ${server.host}\r\n\r\n`);
    // It has begun, and nobody reads on: the most of it stays where it is.
    await new Promise((resolve) => socket.once("readable", resolve));
    socket.resetAndDestroy();
    const entries = await soon(house, api.file, large.id, 2);
    expect(entries.find(({ event }) => event === "downloaded")).toMatchObject({ outcome: "broken", bytes: null });
  });

  test("loses its log with itself", async () => {
    await using house = await openTestHouse();
    const { id, slug } = await shareFile(house);
    await house.request(`/api/file-view/${slug}`);
    expect(await entriesOf(house, api.file, id)).toHaveLength(1);
    await ask(house, files.remove, { body: { ids: [id] } });
    expect(await house.house.activity.page({ kind: "file", id }, 10)).toEqual([]);
  });
});

describe("a link", () => {
  test("tells of openings, refusals, downloads and uploads by their names", async () => {
    await using tree = await openTreeHouse();
    const { house } = tree;
    await tree.put("/m/team/a.txt", "/m/team/b.txt");
    const { make, open, withGrant } = linkCalls(tree);
    const link = await make(["/m/team/"], {
      ...{ rights: ["view", "download", "upload"], password: "open sesame", networks: ["192.0.2.0/24"] },
    });
    await open(link.slug, { password: "wrong" });
    await open(link.slug, { password: "open sesame" }, "198.51.100.1");
    const { data } = await open(link.slug, { password: "open sesame" });
    const who = withGrant(data);
    const send = (path: string, init: RequestInit = {}) => house.request(path, { headers: who, ...init });
    await (await send(urlOf(fsBytes.download, { path: "/team/a.txt" }))).text();
    // Looking is no download.
    await (await send(urlOf(fsBytes.download, { path: "/team/b.txt", inline: "1" }))).text();
    await (await send(urlOf(fsBytes.zip, { path: "/team/" }))).arrayBuffer();
    const form = new FormData();
    form.append("path", "/team/");
    form.append("filename", "c.txt");
    form.append("file", new Blob(["new"]), "c.txt");
    expect((await send("/api/fs/upload", { method: "POST", body: form })).status).toBe(200);
    const basic = { authorization: `Basic ${btoa(`${link.slug}:open sesame`)}`, "user-agent": "rclone/v1.60" };
    const put = { method: "PUT", body: "by dav", headers: { ...basic, "content-length": "6" } };
    expect((await house.request("/dav/team/d.txt", put)).status).toBe(201);
    await (await house.request("/dav/team/a.txt", { headers: basic })).text();
    const entries = await soon(house, api.link, link.id, 9);
    const zip = entries.find(({ name }) => name?.endsWith(".zip"));
    expect(zip).toMatchObject({ event: "downloaded", outcome: "whole", name: "team.zip" });
    expect(zip?.bytes).toBeGreaterThan(20);
    expect(
      entries
        .filter((one) => one !== zip)
        .map(said)
        .sort(),
    ).toEqual([
      ["downloaded", "whole", "a.txt", 13],
      ["downloaded", "whole", "a.txt", 13],
      ["opened", "whole", null, null],
      ["opened", "whole", null, null],
      ["refused", "network", null, null],
      ["refused", "password", null, null],
      ["uploaded", "whole", "c.txt", 3],
      ["uploaded", "whole", "d.txt", 6],
    ]);
    expect(entries.filter(({ program }) => program === "rclone")).toHaveLength(3);
  });

  test("has a log for its owner alone, which goes with it", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt");
    const { make, open, remove } = linkCalls(tree);
    const owner = await tree.holder("/");
    const link = await make(["/m/a.txt"], {}, owner);
    await open(link.slug);
    const read = (headers: Readonly<Record<string, string>>) =>
      tree.house.request(`/api/links/${link.id}/log`, { headers });
    expect((await read(owner)).status).toBe(200);
    expect((await read(await tree.holder("/"))).status).toBe(404);
    await remove(link.id, owner);
    expect((await read(owner)).status).toBe(404);
    expect(await tree.house.house.activity.page({ kind: "link", id: link.id }, 10)).toEqual([]);
  });
});

describe("the log", () => {
  test("leaves as CSV that no program runs", async () => {
    await using tree = await openTreeHouse();
    const names = ["=1+1.txt", "＝1＋1.txt", "+a.txt", "-a.txt", "@a.txt", 'a,"b".txt', "a;=1+1; -2;b.txt"];
    await tree.put(...names.map((name) => `/m/team/${name}`));
    const { link, who } = await linkCalls(tree).visit(["/m/team/"]);
    for (const name of names)
      await (await tree.house.request(urlOf(fsBytes.download, { path: `/team/${name}` }), { headers: who })).text();
    await soon(tree.house, api.link, link.id, names.length + 1);
    const answer = await tree.house.request(`/api/links/${link.id}/log?format=csv`, { headers: tree.admin });
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toContain(`${link.slug}-log.csv`);
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await answer.arrayBuffer());
    const [head, ...lines] = text.trimEnd().split("\r\n");
    expect(head).toBe("\uFEFFtime,event,outcome,name,network,program,bytes,times");
    const cells = lines.map((line) => /^[^,]+,[^,]+,[^,]+,("(?:[^"]|"")*"|[^,]*),/.exec(line)?.[1] ?? "").sort();
    const plain = ["'+a.txt", "'-a.txt", "'=1+1.txt", "'＝1＋1.txt", "'@a.txt", "a;'=1+1; '-2;b.txt"];
    expect(cells).toEqual(["", '"a,""b"".txt"', ...plain].sort());
  });

  test("leaves whole, however long it is", async () => {
    await using house = await openTestHouse();
    const { id } = await shareText(house, {});
    for (let net = 0; net < 1200; net++) {
      if (net % 500 === 0) house.clock.advance(60_000);
      const client = { address: `10.${net >> 8}.${net & 255}.1` };
      house.house.activity.note({ kind: "paste", id }, client, { event: "opened", outcome: "whole", bytes: 1 });
    }
    const headers = { authorization: `Bearer ${await house.signIn()}` };
    const text = await (await house.request(`/api/pastes/${id}/log?format=csv`, { headers })).text();
    const networks = text
      .trimEnd()
      .split("\r\n")
      .slice(1)
      .map((line) => line.split(",")[4]);
    expect(new Set(networks).size).toBe(1200);
  });

  test("is off where the administrator wants none, and empties when they say so", async () => {
    await using house = await openTestHouse();
    const { id, slug } = await shareText(house, {});
    await house.request(`/api/raw/${slug}`);
    await ask(house, settings.update, { params: { group: "1" }, body: { activity_log: "false" } });
    await house.request(`/api/raw/${slug}`);
    expect(await logOf(house, api.paste, id)).toMatchObject({ is_on: false, days: 90, entries: [{ times: 1 }] });
    const key = withKey(await makeKey(house));
    expect((await house.request("/api/admin/activity", { method: "DELETE", headers: key })).status).toBe(403);
    expect((await ask(house, api.clear, {})).data).toEqual({ deleted: 1 });
    expect(await logOf(house, api.paste, id)).toMatchObject({ is_on: false, entries: [] });
  });

  test("forgets what is older than its days", async () => {
    await using house = await openTestHouse();
    const { id, slug } = await shareText(house, {});
    const days = (count: number) => count * 86_400_000;
    await house.request(`/api/raw/${slug}`);
    await house.house.activity.close();
    house.clock.advance(days(60));
    await house.request(`/api/raw/${slug}`);
    expect(await entriesOf(house, api.paste, id)).toHaveLength(2);
    house.clock.advance(days(31));
    expect(await house.house.activity.sweep()).toBe(1);
    expect(await entriesOf(house, api.paste, id)).toHaveLength(1);
  });

  test("refuses a mark that is none", async () => {
    await using house = await openTestHouse();
    const { id } = await shareText(house, {});
    const headers = { authorization: `Bearer ${await house.signIn()}` };
    for (const before of ["1", "x.y", `1.${"'".repeat(36)}`, `${"9".repeat(400)}.a`])
      expect((await house.request(`/api/pastes/${id}/log?before=${before}`, { headers })).status).toBe(400);
  });
});

test("a WebDAV client that is not a link's is logged nowhere", async () => {
  await using tree = await openTreeHouse();
  await tree.put("/m/a.txt");
  await davCalls(tree.house).send("GET", "/m/a.txt");
  expect((await ask(tree.house, api.clear, {})).data).toEqual({ deleted: 0 });
});

test("the administrator sees what happened last to everything, by its title, and nobody else does", async () => {
  await using house = await openTestHouse();
  const { slug } = await shareText(house, { content: "first line\nsecond", remark: "Notes" });
  const gone = await shareText(house, { content: "soon gone" });
  for (const one of [gone.slug, slug]) await house.request(`/api/raw/${one}`);
  await house.house.shares.pastes.remove({ kind: "admin", sessionId: "" }, [gone.id]);
  const { data } = await ask(house, api.recent, {});
  expect(data.entries).toMatchObject([{ kind: "paste", slug, title: "Notes", event: "opened", outcome: "whole" }]);
  const key = await makeKey(house);
  expect((await house.request("/api/admin/activity", { headers: withKey(key) })).status).toBe(403);
});
