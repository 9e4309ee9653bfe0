import { describe, expect, test } from "bun:test";
import { fs } from "#contract/fs/fs";
import { mounts } from "#contract/mounts";
import { linkCalls } from "../../../support/callers/link-visit.ts";
import { mountBucket } from "../../../support/make-mount.ts";
import { listen } from "../../../support/servers/listening.ts";
import { ask as askRest } from "../../../support/share-file.ts";
import { shareText } from "../../../support/share-text.ts";
import { openPretendS3 } from "../../../support/stores/pretend-s3.ts";
import { hours } from "../../../support/test-clock.ts";
import { openTestHouse } from "../../../support/test-house.ts";
import { openTreeHouse, type TreeCalls, treeCalls, type Who } from "../../../support/tree/tree-house.ts";

/** A link at its own address, as curl and its like ask for it. */

const CURL = { "user-agent": "curl/8.5.0" };

const basic = (password: string, name = ""): Who => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`,
});

const ask = ({ house }: TreeCalls, path: string, headers: Who = {}, peer?: string, method = "GET") =>
  house.request(path, { method, headers: { ...CURL, ...headers } }, peer);

const lines = async (response: Response) => {
  const text = await response.text();
  expect(text === "" || text.endsWith("\n")).toBe(true);
  return text.split("\n").slice(0, -1);
};

const XML = { "content-type": "application/xml" };
/** A bucket with a folder. */
const LISTED = `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><IsTruncated>false</IsTruncated><KeyCount>1</KeyCount><Contents><Key>x/b.txt</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>&quot;0&quot;</ETag><Size>1</Size></Contents></ListBucketResult>`;

/** The answer of the site, which no front of programs gives. */
const PAGE = "the page";

async function openWithSite() {
  const site = () => new Response(PAGE, { headers: { "content-type": "text/html" } });
  return await openTreeHouse({}, { site });
}

describe("a link at a terminal", () => {
  test("is a list of names and addresses, each of which leads there, and nowhere else", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/secret/f/in/deep.txt", "/m/secret/f/a b.txt", "/m/secret/ü.txt", "/m/secret/c.txt");
    const { make } = linkCalls(tree);
    const { slug } = await make(["/m/secret/f/", "/m/secret/ü.txt"]);
    const listed = await ask(tree, `/s/${slug}`);
    expect(listed.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(listed.headers.get("cache-control")).toBe("no-store");
    const root = `http://satchel.test/s/${slug}`;
    const found = await lines(listed);
    expect(found.sort()).toEqual([`f/\t${root}/f/`, `ü.txt\t${root}/%C3%BC.txt`]);
    const inFolder = await lines(await ask(tree, `/s/${slug}/f/`));
    expect(inFolder.sort()).toEqual([`a b.txt\t${root}/f/a%20b.txt`, `in/\t${root}/f/in/`]);
    expect(await lines(await ask(tree, `/s/${slug}/f/in`))).toEqual([`deep.txt\t${root}/f/in/deep.txt`]);
    expect(await (await ask(tree, `${root}/f/a%20b.txt`)).text()).toBe("/m/secret/f/a b.txt");
    expect(await (await ask(tree, `${root}/%C3%BC.txt`)).text()).toBe("/m/secret/ü.txt");
    await tree.put("/m/secret/f/in/new.txt");
    expect(await lines(await ask(tree, `/s/${slug}/f/in/`))).toHaveLength(2);
    for (const path of ["/c.txt", "/secret/c.txt", "/f/..%2Fc.txt", "/%2e%2e/c.txt", "/ü.txt/", "/%ff", "/f//..%2f"]) {
      const { status, headers } = await ask(tree, `/s/${slug}${path}`);
      expect({ path, refused: [400, 404].includes(status), type: headers.get("content-type") }).toEqual({
        ...{ path, refused: true },
        type: "text/plain; charset=utf-8",
      });
    }
    expect((await ask(tree, "/s/missing")).status).toBe(404);
    expect((await ask(tree, `/s/${slug}`, {}, undefined, "HEAD")).status).toBe(200);
    await using server = listen(tree.house);
    const head = await fetch(`${server.address}/s/${slug}`, { method: "HEAD", headers: CURL });
    expect([head.status, head.headers.get("content-length") !== "0", await head.text()]).toEqual([200, true, ""]);
  });

  test("is a page for browsers and previews of links, unless the address says otherwise", async () => {
    await using tree = await openWithSite();
    await tree.put("/m/a.txt", "/m/b.txt");
    const { slug } = await linkCalls(tree).make(["/m/a.txt", "/m/b.txt"]);
    const isPage = async (agent: string, query = "") =>
      (await (await ask(tree, `/s/${slug}${query}`, { "user-agent": agent })).text()) === PAGE;
    const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    const powershell = "Mozilla/5.0 (Windows NT 10.0; Microsoft Windows 10.0; en-US) PowerShell/7.5.0";
    for (const agent of ["curl/8.5.0", "Wget/1.21.4", "aria2/1.37.0", "HTTPie/3.2.4", "xh/0.22.2", powershell])
      expect({ agent, isPage: await isPage(agent) }).toEqual({ agent, isPage: false });
    expect(await isPage("python-requests/2.32.0")).toBe(false);
    for (const agent of [firefox, "", "Python/3.12 aiohttp/3.10", "WhatsApp/2.23", "curl/8.5.0 (compatible; Slackbot)"])
      expect({ agent, isPage: await isPage(agent) }).toEqual({ agent, isPage: true });
    expect(await isPage(firefox, "?raw")).toBe(false);
    // An address with ?raw is pasted into chats as well, whose previews must not spend an opening.
    for (const bot of ["WhatsApp/2.23", "Slackbot-LinkExpanding 1.0", "curl/8.5.0 (compatible; Slackbot)"])
      expect({ bot, isPage: await isPage(bot, "?raw") }).toEqual({ bot, isPage: true });
    expect(await isPage("curl/8.5.0", "?page")).toBe(true);
    expect(await isPage("curl/8.5.0", "?raw&page")).toBe(true);
    const put = await tree.house.request(`/s/${slug}`, { method: "PUT", headers: CURL, body: "x" });
    expect(await put.text()).toBe(PAGE);
  });

  test("hands out its only file for ?raw, under ranges and conditions, and counts it once", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt", "/m/b.txt", "/m/d/c.txt");
    const { make, get, update } = linkCalls(tree);
    const { slug, id } = await make(["/m/a.txt"], { max_downloads: 1 });
    const raw = `/s/${slug}?raw`;
    const whole = await ask(tree, raw);
    expect(await whole.text()).toBe("/m/a.txt");
    expect(whole.headers.get("content-disposition")).toContain('attachment; filename="a.txt"');
    const etag = whole.headers.get("etag") ?? "";
    const part = await ask(tree, raw, { range: "bytes=3-", "if-range": etag });
    expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([206, "bytes 3-7/8", "a.txt"]);
    expect((await ask(tree, raw, { "if-none-match": etag })).status).toBe(304);
    expect((await ask(tree, raw, { range: "bytes=99-" })).status).toBe(416);
    const head = await ask(tree, raw, {}, undefined, "HEAD");
    expect([head.headers.get("content-length"), await head.text()]).toEqual(["8", ""]);
    expect((await get(id)).data).toMatchObject({ downloads: 1, opens: 1 });
    await tree.write("/m/a.txt", "changed");
    expect((await ask(tree, raw)).status).toBe(410);
    await update(id, { items: ["/m/a.txt", "/m/b.txt"], max_downloads: 0 });
    expect(await lines(await ask(tree, raw))).toHaveLength(2);
    await update(id, { items: ["/m/d/"] });
    expect(await lines(await ask(tree, raw))).toEqual([`d/\thttp://satchel.test/s/${slug}/d/`]);
    await update(id, { items: ["/m/b.txt"] });
    await tree.call(fs.rename, { body: { oldPath: "/m/b.txt", newPath: "/m/b2.txt" } });
    expect(await (await ask(tree, raw)).text()).toBe("/m/b.txt");
  });

  test("does what its rights say at this moment", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/f/a.txt");
    const { make, update } = linkCalls(tree);
    const status = async (slug: string, path: string) => (await ask(tree, `/s/${slug}${path}`)).status;
    const looking = await make(["/m/f/"], { rights: ["view"] });
    expect(await status(looking.slug, "/f/")).toBe(200);
    expect(await status(looking.slug, "/f/a.txt")).toBe(403);
    const taking = await make(["/m/f/"], { rights: ["upload"] });
    for (const path of ["", "?raw", "/f/", "/f/a.txt"]) expect(await status(taking.slug, path)).toBe(403);
    const { slug, id } = await make(["/m/f/"], { networks: ["203.0.113.0/24"] });
    expect(await status(slug, "")).toBe(403);
    await update(id, { networks: [] });
    expect(await status(slug, "")).toBe(200);
    await update(id, { is_active: false });
    expect(await status(slug, "")).toBe(410);
  });

  test("says to each shell and in each language how its password is sent, wherever it is asked for", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/it's;here.txt");
    const { make } = linkCalls(tree);
    const { slug } = await make(["/m/it's;here.txt"], { password: "open sesame" });
    const text = await shareText(tree.house, { content: "secret", password: "open sesame" });
    const lastLine = async (path: string, headers: Who = {}, init: RequestInit = {}) => {
      const answer = await tree.house.request(path, { ...init, headers: { ...CURL, ...headers } });
      return [answer.status, (await answer.text()).trimEnd().split("\n").at(-1)?.trim()];
    };
    const root = "http://satchel.test";
    expect(await lastLine(`/paste/${text.slug}`)).toEqual([401, `curl -u :PASSWORD ${root}/paste/${text.slug}`]);
    expect(await lastLine(`/s/${slug}?raw&x=1`)).toEqual([401, `curl -u :PASSWORD '${root}/s/${slug}?raw'`]);
    // Nobody pastes into a shell what an address has made a command of.
    expect(await lastLine(`/s/${slug}/it's;here.txt`)).toEqual([
      401,
      `curl -u :PASSWORD '${root}/s/${slug}/it'\\''s;here.txt'`,
    ]);
    const powershell = { "user-agent": "Mozilla/5.0 (Windows NT 10.0; en-US) PowerShell/7.5.0" };
    expect(await lastLine(`/s/${slug}`, powershell)).toEqual([401, `curl.exe -u :PASSWORD ${root}/s/${slug}`]);
    const chinese = await ask(tree, `/s/${slug}`, { "accept-language": "zh-CN" });
    expect(await chinese.text()).toContain("请这样发送：\n");
    const inbox = await make(["/m/"], { rights: ["upload"], password: "open sesame" });
    const sent = await lastLine(`/in/${inbox.slug}/a.txt`, {}, { method: "PUT", body: "a" });
    expect(sent).toEqual([401, `curl -u :PASSWORD -T FILE ${root}/in/${inbox.slug}/a.txt`]);
    // What programs read stays as it was.
    const json = await tree.house.request(`/in/${inbox.slug}/a.txt`, {
      ...{ method: "PUT", body: "a" },
      headers: { ...CURL, accept: "application/json" },
    });
    expect(await json.json()).toMatchObject({
      error: "password.missing",
      message: "This share needs a password (401).",
    });
  });

  test("asks for its password by HTTP Basic, never in the address, and is opened once for six hours", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt", "/m/b.txt");
    const { make, get } = linkCalls(tree);
    const { slug, id } = await make(["/m/a.txt", "/m/b.txt"], { password: "open sesame", max_opens: 2 });
    const missing = await ask(tree, `/s/${slug}`);
    expect(missing.status).toBe(401);
    expect(missing.headers.get("www-authenticate")).toBe('Basic realm="Satchel", charset="UTF-8"');
    const line = `    curl -u :PASSWORD http://satchel.test/s/${slug}\n`;
    expect(await missing.text()).toBe(`This share needs a password (401).\nSend it with:\n\n${line}`);
    const shown = await ask(tree, `/s/${slug}?password=open%20sesame`);
    expect([shown.status, await shown.text()]).toEqual([400, expect.stringContaining("curl -u")]);
    const wrong = await ask(tree, `/s/${slug}`, basic("sesame"));
    expect([wrong.status, wrong.headers.has("www-authenticate")]).toEqual([401, true]);
    // Somebody typed ?raw into a browser; a page that asks for it must not bring up the browser's own box.
    const inBrowser = async (mode: string) =>
      (await ask(tree, `/s/${slug}?raw`, { "user-agent": "Mozilla/5.0 Firefox/142.0", "sec-fetch-mode": mode }))
        .headers;
    expect((await inBrowser("navigate")).has("www-authenticate")).toBe(true);
    expect((await inBrowser("cors")).has("www-authenticate")).toBe(false);
    expect((await get(id)).data.opens).toBe(0);
    const [first] = await lines(await ask(tree, `/s/${slug}`, basic("open sesame")));
    const [, address = ""] = first?.split("\t") ?? [];
    expect(await (await ask(tree, address, basic("open sesame", "anybody"))).text()).toBe("/m/a.txt");
    const overDav = await tree.house.request("/dav/b.txt", { headers: basic("open sesame", slug) });
    expect(await overDav.text()).toBe("/m/b.txt");
    expect((await get(id)).data.opens).toBe(1);
    expect((await ask(tree, address)).status).toBe(401);
    tree.house.clock.advance(hours(6));
    expect((await ask(tree, address, basic("open sesame"))).status).toBe(200);
    expect((await get(id)).data.opens).toBe(2);
    expect((await ask(tree, address, basic("open sesame"), "198.51.100.7")).status).toBe(410);
  });

  test("spends one opening of a link without a password on a list and what is fetched from it", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt", "/m/b.txt");
    const { make, get } = linkCalls(tree);
    const { slug, id } = await make(["/m/a.txt", "/m/b.txt"], { max_opens: 1 });
    for (const line of await lines(await ask(tree, `/s/${slug}`)))
      expect((await ask(tree, line.split("\t")[1] ?? "", line.startsWith("a") ? basic("typed") : {})).status).toBe(200);
    expect((await get(id)).data).toMatchObject({ opens: 1, downloads: 2 });
    expect((await ask(tree, `/s/${slug}`, {}, "198.51.100.7")).status).toBe(410);
  });

  test("is the link that has its name at this moment, also for whoever came in before by that name", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/old/a.txt", "/m/new/b.txt");
    const { make, update } = linkCalls(tree);
    const { id } = await make(["/m/old/"], { rights: ["view", "upload"], slug: "tapes" });
    expect((await lines(await ask(tree, "/s/tapes"))).join()).toStartWith("old/");
    await update(id, { slug: "older" });
    expect((await ask(tree, "/s/tapes")).status).toBe(404);
    await make(["/m/new/"], { rights: ["view", "upload"], slug: "tapes" });
    expect((await lines(await ask(tree, "/s/tapes"))).join()).toStartWith("new/");
    const sent = await tree.house.request("/in/tapes/letter.txt", { method: "PUT", body: "for the new one" });
    expect(sent.status).toBe(201);
    expect(await tree.names("/m/old")).toBe("a.txt");
    expect(await tree.names("/m/new")).toBe("b.txt letter.txt");
  });

  test("keeps a line for each name, whatever is in it, and its address exact", async () => {
    await using tree = await openTreeHouse();
    const hostile = [
      "line\nbreak",
      "tab\there",
      "\u001b[31mred",
      "c1\u009b31m",
      "sep\u2028x",
      "gpj.\u202eexe",
      "a%2Fb#?&'",
    ];
    for (const name of hostile) tree.behindOurBack(`f/${name}`, name);
    tree.behindOurBack("f/👩‍🚒.txt", "joined");
    const { slug } = await linkCalls(tree).make(["/m/f/"]);
    const found = await lines(await ask(tree, `/s/${slug}/f/`));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for.
    for (const line of found) expect(line).toMatch(/^[^\u0000-\u001f\u007f-\u009f\u2028\u202e]+\t[!-~]+$/u);
    const texts = new Set<string>();
    for (const line of found) texts.add(await (await ask(tree, line.split("\t")[1] ?? "")).text());
    expect(texts).toContain("joined");
    expect(found.some((line) => line.startsWith("👩‍🚒.txt\t"))).toBe(true);
    for (const name of ["c1\u009b31m", "sep\u2028x", "gpj.\u202eexe", "a%2Fb#?&'"]) expect(texts).toContain(name);
  });

  test("lists a folder of many pages whole", async () => {
    await using tree = await openTreeHouse();
    for (let index = 0; index < 2100; index++) tree.behindOurBack(`many/${index}.txt`, "");
    const { slug } = await linkCalls(tree).make(["/m/many/"]);
    const names = (await lines(await ask(tree, `/s/${slug}/many/`))).map((line) => line.split("\t")[0]);
    expect(new Set(names).size).toBe(2100);
  });
});

test("an item whose storage does not answer is in the list, and its address says why", async () => {
  let isDown = false;
  await using bucket = openPretendS3(({ method }) => {
    if (isDown) return new Response("<Error><Code>AccessDenied</Code></Error>", { status: 403 });
    return method === "HEAD" ? new Response(null, { status: 404 }) : new Response(LISTED, { headers: XML });
  });
  await using tree = await openTreeHouse();
  await mountBucket(tree.house, bucket.port);
  await tree.put("/m/a.txt");
  const { make } = linkCalls(tree);
  const both = await make(["/far/x/", "/m/a.txt"]);
  const only = await make(["/far/x/"]);
  isDown = true;
  const listed = await ask(tree, `/s/${both.slug}`);
  const found = await lines(listed);
  const root = `http://satchel.test/s/${both.slug}`;
  expect(found.sort()).toEqual([`a.txt\t${root}/a.txt`, `x/\t${root}/x/`]);
  expect((await ask(tree, `${root}/a.txt`)).status).toBe(200);
  expect((await ask(tree, `${root}/x/`)).status).toBeGreaterThanOrEqual(500);
  expect((await ask(tree, `/s/${only.slug}?raw`)).status).toBeGreaterThanOrEqual(500);
});

test("a link below a base path has addresses below it", async () => {
  const base = "/shared/satchel";
  await using house = await openTestHouse({ basePath: base });
  const request: typeof house.request = (path, ...more) => house.request(base + path, ...more);
  const below = { ...house, request };
  const { data: [drive] = [] } = await askRest(below, mounts.list, {});
  await askRest(below, mounts.update, { params: { id: drive?.id ?? "" }, body: { mount_path: "/m" } });
  const tree = await treeCalls(below);
  await tree.put("/m/f/a.txt");
  const { slug } = await linkCalls(tree).make(["/m/f/"]);
  const address = `http://satchel.test${base}/s/${slug}/f/`;
  expect(await lines(await ask(tree, `/s/${slug}`))).toEqual([`f/\t${address}`]);
  expect(await lines(await house.request(address, { headers: CURL }))).toEqual([`a.txt\t${address}a.txt`]);
  expect(await (await house.request(`${address}a.txt`, { headers: CURL })).text()).toBe("/m/f/a.txt");
});
