import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { type Actor, scenarios, send } from "../../../support/scenario.ts";
import { nothing, remains } from "../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../support/test-house.ts";

/** What is sent to the root of the site becomes a share, and its link the answer. */

const JSON_ASKED = { accept: "application/json" };
const FIELDS = { "content-type": "application/x-www-form-urlencoded" };
const put = (url: string, more: { as?: Actor; body?: string; headers?: Record<string, string> } = {}) =>
  ({ as: "admin" as Actor, method: "PUT", url, body: "hello", ...more }) as const;
const post = (body: string, type: string, more: { as?: Actor; url?: string } = {}) =>
  ({
    as: "admin" as Actor,
    method: "POST",
    url: "/",
    body,
    headers: { ...JSON_ASKED, "content-type": type },
    ...more,
  }) as const;

const boundary = "b";
const form = (...parts: (readonly [name: string, value: string, filename?: string])[]) =>
  [
    ...parts.flatMap(([name, value, filename]) => [
      `--${boundary}`,
      `content-disposition: form-data; name="${name}"${filename === undefined ? "" : `; filename="${filename}"`}`,
      "",
      value,
    ]),
    `--${boundary}--`,
    "",
  ].join("\r\n");
const MULTIPART = `multipart/form-data; boundary=${boundary}`;

describe("a drop", () => {
  scenarios([
    {
      ...put("/a.txt", { headers: JSON_ASKED }),
      status: 201,
      has: ['"name":"a.txt"', '"size":5', '"url":"http://satchel.test/file/'],
    },
    { ...put("/", { headers: JSON_ASKED }), status: 201, has: ['"name":"file"'] },
    { ...put("/%E6%96%87%20%23.md", { headers: JSON_ASKED }), status: 201, has: ['"name":"文 #.md"'] },
    { ...put("/favicon.ico", { headers: JSON_ASKED }), status: 201, has: ['"name":"favicon.ico"'] },
    { ...put("/a.txt?json"), status: 201, has: ['"raw":"http', '"delete":"http'] },
    { name: "an empty file", ...put("/a.txt?json", { body: "" }), status: 201, has: ['"size":0'] },
    {
      name: "a part of a file",
      ...put("/a.txt", { headers: { "content-range": "bytes 5-9/10" } }),
      ...{ status: 400, has: ["Content-Range"] },
    },
    { ...put("/..%2Fa"), status: 400, has: ["name"] },
    { ...put("/%ff"), status: 400 },
    { name: "a folder", ...put("/folder/a.txt"), status: 200, has: ["site"] },
    { name: "a page", ...put("/admin"), status: 200, has: ["site"] },
    { name: "a page", ...put("/Upload"), status: 200, has: ["site"] },
    { name: "a front", ...put("/metrics"), status: 404 },
    { ...put("/a.txt", { as: "anyone" }), status: 401 },
    { ...put("/a.txt", { as: "wrong key" }), status: 401 },
    { ...put("/a.txt", { as: { key: ["text"] } }), status: 403 },
    { ...put("/a.txt", { as: { key: ["file_share"] } }), status: 201 },
    { ...put("/a.txt", { as: "visitor" }), status: 201 },
    { ...put("/a.txt", { as: { link: ["view", "download", "upload"] } }), status: 403 },
    { ...post("text=a%20b%26c", FIELDS["content-type"]), status: 201, has: ["/paste/", '"size":5', '"name":null'] },
    {
      ...post("text=x&views=2&password=sesame", FIELDS["content-type"]),
      status: 201,
      has: ['"views":2'],
      hasNot: ["sesame"],
    },
    { ...post("text=x", FIELDS["content-type"], { as: { key: ["file_share"] } }), status: 403 },
    { ...post("text=x", FIELDS["content-type"], { as: { key: ["text"] } }), status: 201 },
    { ...post("text=x", FIELDS["content-type"], { as: { key: ["webdav_read"] } }), status: 403 },
    { ...post("text=x&text=y", FIELDS["content-type"]), status: 400, has: ["form.repeated"] },
    { ...post("text=", FIELDS["content-type"]), status: 400, has: ["content.empty"] },
    { ...post("other=x", FIELDS["content-type"]), status: 400, has: ["drop.empty"] },
    { ...post("url=file:///etc/passwd", FIELDS["content-type"]), status: 400, has: ["url."] },
    { ...post("url=http://127.0.0.1/", FIELDS["content-type"]), status: 400, has: ["url.forbidden"] },
    { ...post("# A title", "text/plain"), status: 201, has: ["/paste/", '"size":9'] },
    { ...post("\xff\xfe", "text/plain"), status: 201 },
    { ...post("{}", "application/json"), status: 201, has: ["/file/", '"name":"file"'] },
    {
      ...post(form(["file", "hello", "b.txt"]), MULTIPART),
      status: 201,
      has: ['"name":"b.txt"', '"size":5', "/file/"],
    },
    { ...post(form(["views", "2"], ["file", "hello", "b.txt"]), MULTIPART), status: 201, has: ['"views":2'] },
    {
      name: "options behind the file",
      ...post(form(["file", "hello", "b.txt"], ["slug", "late"], ["name", "c.txt"]), MULTIPART),
      ...{ status: 201, has: ['"name":"c.txt"', '"slug":"late"'] },
    },
    { ...post(form(["oneshot", "hello", "b.txt"]), MULTIPART), status: 201, has: ['"views":1'] },
    {
      ...post(form(["file", "hello", "b.txt"], ["expires", "24"], ["secret", ""]), MULTIPART),
      status: 201,
      has: ["2030-01-03T"],
    },
    { ...post(form(["text", "hello"]), MULTIPART), status: 201, has: ["/paste/", '"size":5'] },
    { ...post(form(["text", "hello"], ["plain", "1"]), MULTIPART), status: 201 },
    { ...post(form(["url", "http://127.0.0.1/"]), MULTIPART), status: 400, has: ["url.forbidden"] },
    { ...post(form(["views", "2"]), MULTIPART), status: 400, has: ["drop.empty"] },
    { ...post(form(["image", "hello", "b.png"]), MULTIPART), status: 400, has: ["drop.empty", "file, text or url"] },
    { ...post(form(["file", "a", "a"], ["file", "b", "b"]), MULTIPART), status: 400, has: ["form.malformed"] },
    { ...post(form(["file", "a", "a"], ["views", "x"]), MULTIPART), status: 400, has: ["option.invalid"] },
    { ...post(form(["file", "a", "a"]), MULTIPART, { as: { key: ["text"] } }), status: 403 },
    { ...post(form(["file", "a", "a"]), MULTIPART, { as: "anyone" }), status: 401 },
  ]);
});

const KEY_WAYS: readonly (readonly [string, (key: string) => Record<string, string>])[] = [
  ["Basic", (key) => ({ authorization: `Basic ${Buffer.from(`anything:${key}`).toString("base64")}` })],
  ["Bearer", (key) => ({ authorization: `Bearer ${key}` })],
  ["ApiKey", (key) => ({ authorization: `ApiKey ${key}` })],
  ["X-API-KEY", (key) => ({ "x-api-key": key })],
];

test.each(KEY_WAYS)("a key may come as %s, also without a right to WebDAV", async (_, headersOf) => {
  await using house = await openTestHouse();
  const { key } = await makeKey(house, { permissions: ["file_share"] });
  const response = await house.request("/a.txt", { method: "PUT", body: "hello", headers: headersOf(key) });
  expect([response.status, await response.text()]).toEqual([201, `${response.headers.get("location")}\n`]);
});

test("no other front takes a key as a session", async () => {
  await using house = await openTestHouse();
  const { key } = await makeKey(house, {});
  const response = await house.request("/api/paste", {
    method: "POST",
    body: JSON.stringify({ content: "x" }),
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
  });
  expect(response.status).toBe(401);
});

async function dropped(house: TestHouse, path = "/a.txt", body: BodyInit = "hello") {
  const headers = { authorization: `Bearer ${await house.signIn()}` };
  return await house.request(path, { method: "PUT", body, headers });
}

test("the answer of a file tells its digest", async () => {
  await using house = await openTestHouse();
  const digest = createHash("sha256").update("hello").digest();
  const { headers } = await dropped(house);
  expect(headers.get("repr-digest")).toBe(`sha-256=:${digest.toString("base64")}:`);
  expect(headers.get("etag")).toBe(`"${digest.toString("hex")}"`);
  const told = (await (await dropped(house, "/b.txt?json")).json()) as object;
  expect(told).toMatchObject({ sha256: digest.toString("hex"), name: "b.txt", expires: null, views: null });
});

test("a QR code of letters comes when it is asked for", async () => {
  await using house = await openTestHouse();
  const text = await (await dropped(house, "/a.txt?qr")).text();
  expect(text).toMatch(/^http\S+\n\n[█▀▄ \n]+\n$/);
});

test("a failure is a line, or JSON for who asks for it", async () => {
  await using house = await openTestHouse();
  const line = await house.request("/a.txt", { method: "PUT", body: "x" });
  expect([line.status, line.headers.get("www-authenticate") !== null]).toEqual([401, true]);
  expect(await line.text()).toStartWith("This needs an API key");
  const json = await house.request("/a.txt", { method: "PUT", body: "x", headers: JSON_ASKED });
  expect(await json.json()).toMatchObject({ error: "key.required" });
});

test("nothing remains of a file whose options turn out wrong at its end", async () => {
  await using house = await openTestHouse();
  const response = await send(house, post(form(["file", "hello", "b.txt"], ["expire", "soon"]), MULTIPART));
  expect(response.status).toBe(400);
  expect(await remains(house)).toEqual(nothing);
});

describe("the address of removal", () => {
  async function shared(house: TestHouse, path = "/a.txt?json") {
    const { delete: removal, url } = (await (await dropped(house, path)).json()) as { delete: string; url: string };
    return { removal: new URL(removal).pathname, page: new URL(url).pathname };
  }
  const CURL = { "user-agent": "curl/8.5.0" };
  const HTML = { accept: "text/html,*/*" };

  test("deletes nothing when it is looked at, and asks people by a page with a button", async () => {
    await using house = await openTestHouse();
    const { removal, page } = await shared(house);
    for (const method of ["GET", "HEAD"]) expect((await house.request(removal, { method })).status).toBe(200);
    const asked = await house.request(removal, { headers: { ...HTML, "accept-language": "zh" } });
    expect(asked.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(await asked.text()).toContain('<form method="post"><button>删除</button>');
    expect(await (await house.request(page, { headers: CURL })).text()).toBe("hello");
  });

  test.each(["DELETE", "POST"])("deletes by %s, once, with the file", async (method) => {
    await using house = await openTestHouse();
    const { removal, page } = await shared(house);
    const gone = await house.request(removal, { method });
    expect([gone.status, await gone.text()]).toEqual([200, "Deleted\n"]);
    expect((await house.request(page, { headers: CURL })).status).toBe(404);
    expect((await house.request(removal, { method })).status).toBe(404);
    expect(await remains(house)).toEqual(nothing);
  });

  test("of a text deletes that", async () => {
    await using house = await openTestHouse();
    const headers = { ...FIELDS, authorization: `Bearer ${await house.signIn()}` };
    const response = await house.request("/", { method: "POST", body: "text=bye", headers });
    const removal = response.headers.get("x-url-delete") ?? "";
    const page = response.headers.get("location") ?? "";
    expect(await (await house.request(page, { headers: CURL })).text()).toBe("bye");
    expect((await house.request(removal, { method: "DELETE" })).status).toBe(200);
    expect((await house.request(page, { headers: CURL })).status).toBe(404);
  });

  test("of another share, of another kind, and a made-up one delete nothing", async () => {
    await using house = await openTestHouse();
    const [one, other] = [await shared(house), await shared(house, "/b.txt?json")];
    const token = one.removal.split("/").at(-1) ?? "";
    const wrong = [
      other.removal.replace(/[^/]+$/, token),
      one.removal.replace("/file/", "/paste/"),
      one.removal.replace(/[^/]+$/, "A".repeat(43)),
    ];
    for (const path of wrong) expect((await house.request(path, { method: "DELETE" })).status).toBe(404);
    for (const { page } of [one, other]) expect((await house.request(page, { headers: CURL })).status).toBe(200);
  });

  test("still works when its share has been changed", async () => {
    await using house = await openTestHouse();
    const key = withKey(await makeKey(house, { permissions: ["file_share"] }));
    const response = await house.request("/a.txt?json", { method: "PUT", body: "x", headers: key });
    const told = (await response.json()) as { delete: string; slug: string };
    const [, , , id = ""] = new URL(told.delete).pathname.split("/");
    const change = await house.request(`/api/files/${id}`, {
      method: "PUT",
      body: JSON.stringify({ slug: "other" }),
      headers: { ...key, "content-type": "application/json" },
    });
    expect(change.status).toBe(200);
    expect((await house.request(told.delete, { method: "DELETE" })).status).toBe(200);
    expect((await house.request("/file/other", { headers: CURL })).status).toBe(404);
  });
});

/** As they name themselves when they draw previews of links in chats, or look for pages. */
const BOTS = [
  "TelegramBot (like TwitterBot)",
  "WhatsApp/2.23.20.0",
  "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
  "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
  "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  "Twitterbot/1.0",
  "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
  "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5",
  "Mattermost-Bot/1.1",
  "Rocket.Chat/6.0 (oembed preview)",
  "Synapse (bot; +https://github.com/matrix-org/synapse)",
  "Signal-Android/7.0 (preview)",
  "Viber Bot/1.0",
  "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)",
  "Iframely/1.3.1 (+https://iframely.com/docs/about) embed",
  "Mastodon/4.2.0 (http.rb/5.1.1; +https://mastodon.example/) Bot",
  "Embedly/0.2 (+http://support.embed.ly/)",
  "Go-http-client/2.0",
  "okhttp/4.12.0",
  "python-httpx/0.27",
  "",
];

describe("who reads at the address of a share", () => {
  test.each(BOTS)("%p has the page and spends nothing", async (agent) => {
    await using house = await openTestHouse();
    const [file, text] = [await dropped(house, "/a.txt?views=1"), await limitedText(house)];
    for (const address of [file.headers.get("location") ?? "", text]) {
      for (const query of ["", "?x"])
        expect(await (await house.request(address + query, { headers: { "user-agent": agent } })).text()).toBe("site");
      const opened = await house.request(address, { headers: { "user-agent": "curl/8.5.0" } });
      expect(opened.status).toBe(200);
    }
  });

  async function limitedText(house: TestHouse): Promise<string> {
    const headers = { ...FIELDS, authorization: `Bearer ${await house.signIn()}` };
    const response = await house.request("/", { method: "POST", body: "text=bye&views=1", headers });
    return response.headers.get("location") ?? "";
  }

  test.each(["curl/8.5.0", "Wget/1.21", "HTTPie/3.2", "xh/0.22", "aria2/1.37", "python-requests/2.31"])(
    "%p has the bytes, once",
    async (agent) => {
      await using house = await openTestHouse();
      const address = await limitedText(house);
      const headers = { "user-agent": agent };
      expect((await house.request(address, { method: "HEAD", headers })).headers.get("content-length")).toBe("3");
      expect(await (await house.request(`${address}?page`, { headers })).text()).toBe("site");
      expect(await (await house.request(address, { headers })).text()).toBe("bye");
      const spent = await house.request(address, { headers });
      expect([spent.status, (await spent.text()).endsWith("(410).\n")]).toEqual([410, true]);
    },
  );

  test("a program that nobody knows has the bytes when it says ?raw", async () => {
    await using house = await openTestHouse();
    const address = (await dropped(house)).headers.get("location") ?? "";
    const ask = async (path: string, agent: string) =>
      await (await house.request(path, { headers: { "user-agent": agent } })).text();
    expect(await ask(address, "home-made/1")).toBe("site");
    expect(await ask(`${address}?raw`, "home-made/1")).toBe("hello");
    expect(await ask(`${address}?raw`, "TelegramBot")).toBe("site");
  });
});
