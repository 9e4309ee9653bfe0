import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { type Language, languageCodes } from "#contract/languages";
import { allowances } from "../../../../src/access/limiter.ts";
import { plainSql, sql } from "../../../../src/database/sql.ts";
import { pathsAt, readTarget } from "../../../../src/fronts/context.ts";
import type { Asset } from "../../../../src/fronts/site/assets.ts";
import { siteAt } from "../../../../src/fronts/site/base-path.ts";
import { silentHead } from "../../../../src/fronts/site/head.ts";
import { createSite } from "../../../../src/fronts/site/index.ts";
import { sharePagePath } from "../../../../src/fronts/site/share-page-files.ts";
import { createLog } from "../../../../src/lib/log.ts";
import { photo } from "../../../support/files/picture.ts";
import { initialSettings } from "../../../support/pages/initial-settings.ts";
import { type FileOptions, shareFile } from "../../../support/share-file.ts";
import { shareText } from "../../../support/share-text.ts";
import { days } from "../../../support/test-clock.ts";
import { openTestHouse, type TestHouse, type TestHouseOptions } from "../../../support/test-house.ts";

/** What the page of a share tells whoever has its link, and what it keeps to itself. */

const assetOf = (path: string, text: string): Asset => ({
  path,
  type: "text/html; charset=utf-8",
  etag: `"${path}"`,
  immutable: false,
  stored: () => new Blob([text]),
});

const pageOf = (kind: "paste" | "file", language: Language, body: string) =>
  `<!doctype html><html lang="en"><head>${silentHead(kind, language)}<script src="/config.js"></script></head><body>${body}</body></html>`;

/** The pages as build.ts makes them, with as little as their places need. */
const assets = new Map(
  [
    assetOf("/index.html", "<!doctype html>app"),
    ...languageCodes.flatMap((language) => [
      assetOf(sharePagePath("paste", language), pageOf("paste", language, "shapes")),
      assetOf(sharePagePath("file", language), pageOf("file", language, "shapes")),
      assetOf(
        sharePagePath("text", language),
        pageOf(
          "paste",
          language,
          "<h1>[[remark]]</h1>[[expires]][[#renders]] renders[[/renders]][[#plain]]<pre>[[body]]</pre>[[/plain]][[^plain]]{[[whole]]}<div>[[body]]</div>[[/plain]]",
        ),
      ),
      assetOf(
        sharePagePath("details", language),
        pageOf(
          "file",
          language,
          '<h1>[[name]]</h1>[[#remark]]<p>[[remark]]</p>[[/remark]]{[[size]] [[created]] [[expires]]}[[#picture]]<img src="/api/file-thumb/[[slug]]?w=1280" width="[[width]]" height="[[height]]">[[/picture]]',
        ),
      ),
    ]),
  ].map((asset) => [asset.path, asset]),
);

const open = (options: TestHouseOptions = {}): Promise<TestHouse> =>
  openTestHouse({ site: createSite(assets), publicUrl: "https://share.test", ...options });

let house: TestHouse;
beforeAll(async () => {
  house = await open();
});
afterAll(async () => await house[Symbol.asyncDispose]());

const get = (path: string, headers: Record<string, string> = {}, peer?: string) =>
  house.request(path, { headers }, peer);
const html = async (path: string, headers: Record<string, string> = {}) => await (await get(path, headers)).text();

/** The content of the tags of a page by their names, unescaped. */
async function tagsOf(page: string): Promise<Record<string, string>> {
  const tags: Record<string, string> = {};
  const rewriter = new HTMLRewriter().on("meta", {
    element(meta) {
      const name = meta.getAttribute("property") ?? meta.getAttribute("name") ?? "";
      tags[name] = unescaped(meta.getAttribute("content") ?? "");
    },
  });
  await new Response(rewriter.transform(new Response(page)).body).text();
  return { ...tags, title: unescaped(/<title>(.*?)<\/title>/.exec(page)?.[1] ?? "") };
}

const signs: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
  "&amp;": "&",
};
const unescaped = (text: string): string => text.replace(/&(?:lt|gt|quot|#x27|amp);/g, (sign) => signs[sign] ?? sign);

const picture = async (fields: FileOptions) =>
  await shareFile(house, { mimetype: "image/jpeg", content: await photo(64, 48), ...fields });

/** Everything that is counted of a share. */
async function countsOf(kind: "pastes" | "files", slug: string) {
  await house.house.shares.pastes.close();
  await house.house.shares.files.close();
  return await house.db.first(
    sql`select views, spent_at, version, updated_at from ${plainSql(kind)} where slug = ${slug}`,
  );
}

describe("what is told", () => {
  test("of a text: its heading, how it goes on, and its address", async () => {
    await shareText(house, {
      slug: "story",
      content: "# A *title*\n\nIt [begins](https://a.test) here.\n\n- and goes on",
    });
    const tags = await tagsOf(await html("/paste/story"));
    expect(tags).toMatchObject({
      title: "A title",
      "og:title": "A title",
      "og:description": "It begins here. and goes on",
      description: "It begins here. and goes on",
      "og:type": "article",
      "og:site_name": "Satchel",
      "og:locale": "en_US",
      "og:url": "https://share.test/paste/story",
      "twitter:card": "summary",
    });
    expect(tags["og:image"]).toBeUndefined();
  });

  test.each([
    [{ remark: "A note", content: "# Heading" }, "A note", "Heading"],
    [{ content: "first line\nsecond" }, "first line", "second"],
    [{ content: "# not a heading\nx", plain: true }, "# not a heading", "x"],
    [{ content: "\u200b \u202e" }, "A shared text", undefined],
    [{ content: `${"word ".repeat(100)}end` }, `${"word ".repeat(22)}word…`, `${"word ".repeat(30)}word…`],
  ])("of %j it is %p, %p", async (fields, title, description) => {
    const { slug } = await shareText(house, fields);
    const tags = await tagsOf(await html(`/paste/${slug}`));
    expect([tags["og:title"], tags["og:description"]]).toEqual([title, description] as never);
  });

  test("of a picture: its name, what it is, and a thumbnail that needs no credential", async () => {
    const { slug } = await picture({ filename: "cat.jpg", slug: "cat" });
    const tags = await tagsOf(await html(`/file/${slug}`));
    expect(tags).toMatchObject({
      "og:title": "cat.jpg",
      "og:description": expect.stringMatching(/^[\d.]+ K?B · image\/jpeg$/),
      "og:image": "https://share.test/api/file-thumb/cat?w=1280",
      "og:image:type": "image/webp",
      "og:image:alt": "cat.jpg",
      "twitter:card": "summary_large_image",
      "og:url": "https://share.test/file/cat",
    });
    const answer = await get(new URL(tags["og:image"] ?? "").pathname + new URL(tags["og:image"] ?? "").search);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/webp"]);
  });

  test.each([
    ["wide", 1999, 777, "1280", "498"],
    ["high", 777, 2999, "663", "2560"],
    ["small", 64, 48, "64", "48"],
  ])(
    "of a picture that is %s: the dimensions of its thumbnail, once somebody has seen one",
    async (slug, width, height, w, h) => {
      await shareFile(house, { filename: "a.jpg", slug, mimetype: "image/jpeg", content: await photo(width, height) });
      const before = await tagsOf(await html(`/file/${slug}`));
      expect([before["og:image:width"], before["og:image:height"]]).toEqual([undefined, undefined] as never);
      const answer = await get(`/api/file-thumb/${slug}?w=1280`);
      const made = await new Bun.Image(await answer.arrayBuffer()).metadata();
      expect([`${made.width}`, `${made.height}`]).toEqual([w, h]);
      const after = await tagsOf(await html(`/file/${slug}`));
      expect([after["og:image:width"], after["og:image:height"]]).toEqual([w, h]);
    },
  );

  test("of a file that is no picture: no picture", async () => {
    const { slug } = await shareFile(house, { filename: "notes.txt", mimetype: "text/plain" });
    const tags = await tagsOf(await html(`/file/${slug}`));
    expect(tags["og:title"]).toBe("notes.txt");
    expect(tags["og:image"]).toBeUndefined();
    expect(tags["twitter:card"]).toBe("summary");
  });

  test("of a file that can be shown, in the page itself: its name, its note, and what is known of it", async () => {
    await shareFile(house, { slug: "shown", filename: "a & b.pdf", mimetype: "application/pdf", remark: "<b>new</b>" });
    const time = new Date(house.clock.now()).toISOString().slice(0, 16).replace("T", " ");
    const page = await html("/file/shown");
    expect(page).toContain("<h1>a &amp; b.pdf</h1><p>&lt;b&gt;new&lt;/b&gt;</p>");
    expect(page).toMatch(new RegExp(`\\{[\\d.]+ K?B ${time} UTC never expires\\}`));
    expect(page).not.toContain("<img");
    expect(await html("/file/shown", { "accept-language": "zh" })).toContain("永不过期");
  });

  test("of a picture, in the page itself: its thumbnail, once there is one, and room for it", async () => {
    await picture({ slug: "seen-cat", filename: "cat.jpg" });
    expect(await html("/file/seen-cat")).not.toContain("<img");
    await get("/api/file-thumb/seen-cat?w=1280");
    expect(await html("/file/seen-cat")).toContain(
      '<img src="/api/file-thumb/seen-cat?w=1280" width="64" height="48">',
    );
  });

  test.each([
    ["of which nothing can be shown", { filename: "setup.exe", mimetype: "application/octet-stream" }],
    ["that is a picture by its name alone", { filename: "a.tiff", mimetype: "application/octet-stream" }],
  ])("of a file %s: no picture in the page", async (_, fields) => {
    const { slug } = await shareFile(house, fields);
    expect(await html(`/file/${slug}`)).not.toContain("<img");
    expect((await tagsOf(await html(`/file/${slug}`))).title).toBe(fields.filename);
  });

  test("in the language that is asked for", async () => {
    const { slug } = await shareText(house, { content: "x" });
    const page = await html(`/paste/${slug}`, { "accept-language": "zh-CN,zh;q=0.9" });
    expect((await tagsOf(page))["og:locale"]).toBe("zh_CN");
    expect(page).toContain("永不过期");
    expect((await tagsOf(await html("/paste/none", { "accept-language": "zh" }))).title).toBe("分享的文本");
  });
});

describe("what is not told", () => {
  const password = "open sesame";
  /** Shares of which nothing may be told, each made as its slug says. */
  const make: Readonly<Record<string, (slug: string) => Promise<unknown>>> = {
    password: (slug) => shareText(house, { slug, content: "# Secret", password }),
    limit: (slug) => shareText(house, { slug, content: "# Secret", maxViews: 5 }),
    expired: async (slug) => {
      const expiresAt = new Date(house.clock.now() + days(1)).toISOString();
      await shareText(house, { slug, content: "# Secret", expiresAt });
      house.clock.advance(days(1));
    },
    spent: async (slug) => {
      await shareText(house, { slug, content: "# Secret", maxViews: 1 });
      expect((await get(`/api/raw/${slug}`)).status).toBe(200);
    },
    removed: async (slug) => {
      const { id } = await shareText(house, { slug, content: "# Secret" });
      expect(await html(`/paste/${slug}`)).toContain("Secret");
      await house.house.shares.pastes.remove({ kind: "admin", sessionId: "" }, [id]);
    },
    "file-password": (slug) => picture({ slug, filename: "Secret.jpg", password }),
    "file-limit": (slug) => picture({ slug, filename: "Secret.jpg", max_views: 3 }),
    "file-gone": async (slug) => {
      const { id } = await picture({ slug, filename: "Secret.jpg" });
      await house.db.run(sql`update files set file_gone_at = ${house.clock.now()} where id = ${id}`);
    },
  };

  /** The whole answer but for what the entry point says of each. */
  const answerOf = async (path: string, headers: Record<string, string> = {}) => {
    const response = await get(path, headers);
    const { date: _, ...told } = Object.fromEntries(response.headers);
    return {
      status: response.status,
      headers: told,
      body: Buffer.from(await response.arrayBuffer()).toString("latin1"),
    };
  };

  test.each(Object.keys(make))("of a share with %s: the answer is that of an address without one", async (slug) => {
    await make[slug]?.(slug);
    const kind = slug.startsWith("file-") ? "file" : "paste";
    const asked: Record<string, string>[] = [{}, { "accept-language": "zh" }, { "accept-encoding": "gzip, br" }];
    for (const headers of asked) {
      const answer = await answerOf(`/${kind}/${slug}`, headers);
      expect(answer).toEqual(await answerOf(`/${kind}/no-such-share`, headers));
      expect(answer.body).not.toContain("Secret");
    }
    expect((await tagsOf(await html(`/${kind}/${slug}`))).title).toBe(`A shared ${kind === "file" ? "file" : "text"}`);
  });

  test.each(["/paste/", "/paste/%00", "/paste/%ff", `/paste/${"a".repeat(300)}`, "/paste/a/b", "/paste/%2e%2e%2fetc"])(
    "%s is answered with the same page",
    async (path) => {
      expect((await answerOf(path)).body).toBe((await answerOf("/paste/no-such-share")).body);
    },
  );

  test("to an address that has guessed too often, of any share; and its guesses count with those at the API", async () => {
    const { slug } = await shareText(house, { content: "# Public" });
    const peer = "198.51.100.7";
    const ask = async (path: string) => await (await get(path, {}, peer)).text();
    expect(await ask(`/paste/${slug}`)).toContain("Public");
    for (let guess = 0; guess < allowances.missingShareByAddress.misses; guess++) await ask(`/paste/missing-${guess}`);
    const refused = await get(`/paste/${slug}`, {}, peer);
    expect(refused.status).toBe(200);
    expect(await refused.text()).toBe(await html("/paste/no-such-share"));
    expect((await get("/api/paste/guess", {}, peer)).status).toBe(429);
    expect(await html(`/paste/${slug}`)).toContain("Public");
  });

  test("while the database answers nothing: the page is there, and says nothing", async () => {
    const publicFacts = () => Promise.reject(new Error("The database is away."));
    const lines: string[] = [];
    const log = createLog("info", (text) => void lines.push(text));
    const asked = { ...readTarget("http://satchel.test/paste/story"), ...pathsAt(""), pageHosts: () => [] };
    const context = { ...asked, base: () => "http://satchel.test", address: "192.0.2.1" };
    const answer = await createSite(assets)(new Request("http://satchel.test/paste/story"), context, {
      shares: { publicFacts, sealedAt: async () => false },
      settings: initialSettings,
      log,
    });
    expect([answer.status, await answer.text()]).toEqual([200, await html("/paste/no-such-share")]);
    log.flush();
    expect(lines.join("")).toContain("page of a share without its facts");
  });
});

describe("who draws previews of links spends and counts nothing", () => {
  const agents = [
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "Facebot",
    "Twitterbot/1.0",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Slack-ImgProxy (+https://api.slack.com/robots)",
    "Discordbot/2.0; +https://discordapp.com",
    "TelegramBot (like TwitterBot)",
    "WhatsApp/2.23.20.0",
    "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
    "SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com",
    "Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)",
    "Pinterest/0.2 (+https://www.pinterest.com/bot.html)",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)",
    "Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)",
    "Applebot/0.1 (+http://www.apple.com/go/applebot)",
    "Mastodon/4.3.0 (http.rb/5.2.0; +https://mastodon.social/)",
    "Synapse (bot; +https://github.com/matrix-org/synapse)",
    "Signal-Android/7.0.0",
    "vkShare; (+http://vk.com/dev/Share)",
    "Iframely/1.3.1 (+https://iframely.com/docs/about)",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 16_0 like Mac OS X) MicroMessenger/8.0.40",
  ];

  const shares = [
    ["pastes", "seen", () => shareText(house, { slug: "seen", content: "# Seen" })],
    ["pastes", "seen-limit", () => shareText(house, { slug: "seen-limit", content: "x", maxViews: 1 })],
    ["pastes", "seen-password", () => shareText(house, { slug: "seen-password", content: "x", password: "p" })],
    ["files", "seen-file", () => picture({ slug: "seen-file", filename: "a.jpg" })],
    ["files", "seen-file-limit", () => picture({ slug: "seen-file-limit", filename: "a.jpg", max_views: 1 })],
  ] as const;

  test.each(shares)("%s: %s", async (kind, slug, make) => {
    await make();
    const before = await countsOf(kind, slug);
    const path = `/${kind === "pastes" ? "paste" : "file"}/${slug}`;
    for (const agent of agents) {
      const headers = { "user-agent": agent };
      const page = await html(path, headers);
      expect((await house.request(path, { method: "HEAD", headers })).status).toBe(200);
      const { "og:image": image } = await tagsOf(page);
      if (image) expect((await get(image.replace("https://share.test", ""), headers)).status).toBe(200);
    }
    expect(await countsOf(kind, slug)).toEqual(before);
    const opened = await get(kind === "pastes" ? `/api/paste/${slug}?peek=1` : `/api/public/files/${slug}?peek=1`);
    expect(opened.status).toBe(200);
  });
});

describe("hostile names", () => {
  const names = [
    `"><script>alert(1).txt`,
    `' onload='alert(1)' x='.txt`,
    "<title><img src=x onerror=alert(1)>.txt",
    "[[body]] [[#plain]] $& $1 $`.txt",
    "photo\u202egpj.exe",
    `${"名".repeat(84)}.t`,
    "a&amp;b &lt;.txt",
  ];

  test.each(names)("%j is told as text, on one line", async (filename) => {
    const { slug } = await shareFile(house, { filename });
    const page = await html(`/file/${slug}`);
    const { title = "", "og:title": told } = await tagsOf(page);
    expect(told).toBe(title);
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toContain("<img");
    expect(title).not.toMatch(/[\u202a-\u202e]/);
    expect([...title].length).toBeLessThanOrEqual(120);
    expect(title.replace(/…$/, "")).toBe(filename.replace("\u202e", " ").slice(0, title.replace(/…$/, "").length));
  });

  test.each([
    "<script>alert(1)</script>",
    "[x](javascript:alert(1)) [y](JaVaScRiPt&colon;alert(1)) [z](data:text/html,x) [v](vbscript:x)",
    '[a](https://a.test "x" onmouseover="alert(1)")',
    "<a href=x onclick=alert(1)>b</a>\n\n<iframe src=x></iframe>",
    "![x](javascript:alert(1)) ![y](https://a.test/b.png) ![z](/api/raw/other)",
    '```js" onload="x\n</code></pre><script>1</script>\n```',
    "[[body]] [[#plain]]$&[[/plain]] <!-- --> <![CDATA[ ]]>",
    "\ud800 lone",
    "# </title><script>x</script>",
  ])("%j in a text runs nothing and loads nothing", async (content) => {
    const { slug } = await shareText(house, { content });
    const page = await html(`/paste/${slug}`);
    const found: string[] = [];
    const note = (element: HTMLRewriterTypes.Element) => {
      found.push(element.tagName);
      for (const [name, value] of element.attributes) {
        if (name.startsWith("on") || name === "src") found.push(`${element.tagName} ${name}`);
        if (name === "href" && !/^(https?:|mailto:|tel:|#|\/)/.test(value)) found.push(`${element.tagName} ${value}`);
      }
    };
    await new Response(new HTMLRewriter().on("body *", { element: note }).transform(new Response(page)).body).text();
    const allowed = /^(h1|div|p|a|span|small|br|em|strong|code|pre|figure|figcaption|button|s)$/;
    expect(found.filter((name) => !allowed.test(name))).toEqual([]);
    expect(page.match(/<script/g)).toHaveLength(1);
  });

  test("what a text opens ends with it, also where the parser leaves it open", async () => {
    const { slug } = await shareText(house, { content: "_a@b.c__ and\n\n- **x [a <https://b.test>](https://c.test)" });
    const page = await html(`/paste/${slug}`);
    const open: string[] = [];
    for (const [, end, name = ""] of page
      .slice(page.indexOf("<div>"), page.indexOf("</body>"))
      .matchAll(/<(\/?)(\w+)[^>]*>/g)) {
      if (/^(?:br|hr|input)$/.test(name)) continue;
      if (end) expect([name, page]).toEqual([open.pop() ?? "", page]);
      else open.push(name);
    }
    expect(open).toEqual([]);
    expect(page).not.toMatch(/<a [^>]*>(?:(?!<\/a>).)*<a /);
  });

  test("links tell nothing of the page, and give nothing of its name to whoever they lead to", async () => {
    const { slug } = await shareText(house, { content: "[a](https://a.test) https://b.test [c](#h-0)" });
    const page = await html(`/paste/${slug}`);
    expect(page.match(/rel="noopener noreferrer nofollow"/g)).toHaveLength(2);
    expect(page).toContain('<a href="#h-0">');
  });
});

describe("a text in its page", () => {
  test("as Markdown, with what its reader sees first", async () => {
    const content = "# A\n\none\ntwo\n\n- [x] done\n\n| a |\n|--:|\n| 1 |\n\n```js\nlet a;\nlet b;\n```";
    const { slug } = await shareText(house, { content, remark: "Note <b>" });
    const page = await html(`/paste/${slug}`);
    expect(page).toContain("<h1>Note &lt;b&gt;</h1>never expires renders{}<div>");
    for (const part of [
      '<h1 id="h-0">A</h1>',
      "<p>one<br>two</p>",
      '<li class="md-task"><input type="checkbox" disabled checked> done</li>',
      '<div class="md-table" tabindex="0" role="region" aria-label="Table"><table>',
      '<td align="right">1</td>',
      '<code data-language="js"><span>let a;</span>\n<span>let b;</span>\n</code>',
    ])
      expect(page).toContain(part);
  });

  test("says whether that is all of it, and of which version in which language", async () => {
    const { slug, id } = await shareText(house, { content: "# A\n\nplain" });
    expect(await html(`/paste/${slug}`)).toContain(`never expires{${id} 1 en}<div>`);
    expect(await html(`/paste/${slug}`, { "accept-language": "de" })).toContain(`läuft nie ab{${id} 1 de}<div>`);
    const { slug: other } = await shareText(house, { content: "# A\n\nof $x$ and $y$" });
    expect(await html(`/paste/${other}`)).toContain(" renders{}<div>");
  });

  test("as it was written, where that is how it is shown", async () => {
    const { slug } = await shareText(house, { content: "\n<b>&\n  x", plain: true });
    expect(await html(`/paste/${slug}`)).toContain("<pre>\n\n&lt;b&gt;&amp;\n  x</pre>");
  });

  test.each([
    ["is larger than what a page brings", "word ".repeat(7000)],
    ["makes too much of a page", "> ".repeat(15_000)],
    ["is nested too deeply", `${"> ".repeat(150)}x`],
    ["has a table of two million cells", `${"|a".repeat(120)}\n${"|-".repeat(120)}\n${"|\r".repeat(15_000)}`],
    ["has runs of backticks that are looked for to the end, each anew", "\\```a ".repeat(101)],
    ["has addresses that are", "_WWW.".repeat(101)],
  ])("is left to the script where it %s; its head is there", async (_, content) => {
    const { slug } = await shareText(house, { content, remark: "Large" });
    const page = await html(`/paste/${slug}`);
    expect(page).toContain("<body>shapes</body>");
    expect((await tagsOf(page)).title).toBe("Large");
  });

  test("is compressed with gzip for who takes it", async () => {
    await shareText(house, { slug: "packed", content: `# 包装\n\n${"word ".repeat(1000)}` });
    const answer = await get("/paste/packed", { "accept-encoding": "br, gzip" });
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    const bytes = await answer.arrayBuffer();
    const page = await html("/paste/packed");
    expect(gunzipSync(bytes).toString()).toBe(page);
    expect(bytes.byteLength).toBeLessThan(page.length / 4);
    // As browsers do it.
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    expect(await new Response(stream).text()).toBe(page);
    expect((await get("/paste/packed", { "accept-encoding": "gzip;q=0" })).headers.get("content-encoding")).toBeNull();
  });

  test("is compressed once for all names of the server: only what stands before the text differs", async () => {
    await using open = await openTestHouse({ site: createSite(assets) });
    await shareText(open, { slug: "many", content: `# Many\n\n${"word ".repeat(4000)}` });
    const ask = async (host: string) => {
      const answer = await open.request("/paste/many", { headers: { host, "accept-encoding": "gzip" } });
      return { etag: answer.headers.get("etag"), bytes: Buffer.from(await answer.arrayBuffer()) };
    };
    const [one, other] = [await ask("a.test"), await ask(`${"b".repeat(60)}.test`)];
    expect(gunzipSync(one.bytes).toString()).toContain("http://a.test/paste/many");
    expect(gunzipSync(other.bytes).toString()).not.toContain("a.test");
    expect(other.etag).not.toBe(one.etag);
    // The checksum and the length of all stand in the last eight bytes.
    const text = (bytes: Buffer) => bytes.subarray(-108, -8).toString("hex");
    expect(text(other.bytes)).toBe(text(one.bytes));
  });
});

test("a callout has its name in the language of the reader, and a text cannot write one by tags", async () => {
  await using open = await openTestHouse({ site: createSite(assets) });
  await shareText(open, { slug: "callout", content: '> [!TIP]\n> rest\n\n<blockquote class="note">\n<p>[!NOTE]\n' });
  const answer = await open.request("/paste/callout", { headers: { "accept-language": "de" } });
  const page = await answer.text();
  expect(page).toContain(
    '<blockquote class="md-alert md-alert-tip"><p class="md-alert-title">Tipp</p><p>rest</p></blockquote>',
  );
  expect(page).not.toContain("md-alert-note");
});

test("a text of a table that is too large for its page is not parsed for its head either", async () => {
  const parse = spyOn(Bun.markdown, "render");
  try {
    const { slug } = await shareText(house, {
      content: `|a${"|b".repeat(99)}\n${"|-".repeat(100)}\n${"|\n".repeat(9000)}`,
    });
    expect((await tagsOf(await html(`/paste/${slug}`))).title).toStartWith("|a|b|b");
    expect(parse).not.toHaveBeenCalled();
  } finally {
    parse.mockRestore();
  }
});

describe("a page that was kept", () => {
  test("is asked for anew, and is good until its share changes", async () => {
    const { id, slug } = await shareText(house, { content: "# One" });
    const ask = async (etag?: string) => await get(`/paste/${slug}`, etag ? { "if-none-match": etag } : {});
    const first = await ask();
    expect(first.headers.get("cache-control")).toBe("private, no-cache");
    expect(first.headers.get("vary")).toBe("accept-encoding, accept-language");
    const etag = first.headers.get("etag") ?? "";
    expect((await ask(etag)).status).toBe(304);
    const admin = { kind: "admin", sessionId: "" } as const;
    await house.house.shares.pastes.update(admin, id, { content: "# Two" });
    const second = await ask(etag);
    expect([second.status, (await second.text()).includes("Two")]).toEqual([200, true]);
    await house.house.shares.pastes.update(admin, id, { password: "p" });
    const third = await ask(second.headers.get("etag") ?? "");
    expect([third.status, await third.text()]).toEqual([200, await html("/paste/no-such-share")]);
  });

  test("is made once, however many ask at the same time and by however many names of the server", async () => {
    await using open = await openTestHouse({ site: createSite(assets) });
    await shareText(open, { slug: "wanted", content: "# Wanted" });
    await using stack = new AsyncDisposableStack();
    const spies = [spyOn(Bun.markdown, "html"), spyOn(Bun.markdown, "render")];
    stack.defer(() => {
      for (const spy of spies) spy.mockRestore();
    });
    const ask = async (_: unknown, index: number) =>
      await (await open.request("/paste/wanted", { headers: { host: `host-${index % 4}.test` } })).text();
    const pages = await Promise.all(Array.from({ length: 40 }, ask));
    expect(pages.filter((page) => page.includes('<h1 id="h-0">Wanted</h1>'))).toHaveLength(40);
    expect(spies.map((spy) => spy.mock.calls.length)).toEqual([1, 1]);
  });

  test("is no page of another language or server", async () => {
    await using open = await openTestHouse({ site: createSite(assets) });
    await shareText(open, { slug: "here", content: "# Here" });
    const ask = async (host: string, language: string) => {
      const answer = await open.request("/paste/here", { headers: { host, "accept-language": language } });
      const { "og:url": url, "og:locale": locale } = await tagsOf(await answer.text());
      return [url, locale];
    };
    expect(await ask("a.test", "en")).toEqual(["http://a.test/paste/here", "en_US"]);
    expect(await ask("b.test:81", "zh")).toEqual(["http://b.test:81/paste/here", "zh_CN"]);
    expect(await ask("a.test", "en")).toEqual(["http://a.test/paste/here", "en_US"]);
  });
});

test("below a path of the host, and behind a proxy, addresses are those that people use", async () => {
  const base = "/shared";
  const trustedProxies = ["192.0.2.1"];
  await using below = await openTestHouse({
    site: createSite(await siteAt(assets, base), { basePath: base }),
    basePath: base,
    trustedProxies,
  });
  const headers = { "x-forwarded-host": "files.test", "x-forwarded-proto": "https" };
  await shareText(below, { slug: "below", content: "# Below" });
  const page = await (await below.request(`${base}/paste/below`, { headers })).text();
  expect((await tagsOf(page))["og:url"]).toBe("https://files.test/shared/paste/below");
  expect(page).toContain('src="/shared/config.js"');
  expect(page).toContain('data-base-path="/shared"');
  const silent = await (await below.request(`${base}/paste/no-such-share`, { headers })).text();
  const told = await tagsOf(silent);
  expect(told.title).toBe("A shared text");
  expect(told.description).toBe("Read a text that was shared by a short link.");
});

test("the files of which pages are made have no address", async () => {
  for (const kind of ["paste", "file", "text"] as const)
    expect(await html(sharePagePath(kind, "en"))).toBe("<!doctype html>app");
});
