import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { accentShades, contrast, isAccent, LEAST_CONTRAST, ourAccent } from "#contract/accent";
import { settings } from "#contract/settings";
import type { Asset } from "../../../../src/fronts/site/assets.ts";
import { createSite } from "../../../../src/fronts/site/index.ts";
import { png } from "../../../support/files/picture.ts";
import { ask } from "../../../support/share-file.ts";
import { root } from "../../../support/sources.ts";
import { openTestHouse, type TestHouse } from "../../../support/test-house.ts";

const assetOf = (path: string, type: string, text: string): [string, Asset] => [
  path,
  { path, type, etag: `"${path}"`, immutable: false, stored: () => new Blob([text]) },
];
const page = `<head><title>Satchel</title><meta name="apple-mobile-web-app-title" content="Satchel" /><link rel="icon" type="image/svg+xml" href="/f.svg" /></head>
<body><span><svg viewBox="0 0 32 32" class="size-7"><path d="M1"/></svg>Satchel</span></body>`;
const assets = new Map([
  assetOf("/index.html", "text/html; charset=utf-8", page),
  assetOf(
    "/manifest.webmanifest",
    "application/manifest+json",
    '{"name":"Satchel","icons":[{"src":"/icons/192.png"}]}',
  ),
]);

const open = () => openTestHouse({ site: createSite(assets) });
const set = (house: TestHouse, body: Record<string, string>) =>
  ask(house, settings.update, { params: { group: "5" }, body });
const get = async (house: TestHouse, path: string) => await (await house.request(path)).text();

async function sendLogo(house: TestHouse, body: Uint8Array<ArrayBuffer>) {
  const headers = { authorization: `Bearer ${await house.signIn()}`, "content-length": String(body.length) };
  const response = await house.request("/api/admin/site/logo", { method: "PUT", headers, body });
  return `${response.status} ${((await response.json()) as { error?: string }).error ?? ""}`.trim();
}

describe("the site's own face", () => {
  test("is in its pages, its manifest and its configuration, and escaped there", async () => {
    await using house = await open();
    const before = await get(house, "/");
    expect(before).toContain("<title>Satchel</title>");
    await set(house, { site_name: `Tom's "$&" <b>`, site_accent: "#1D4ED8" });
    const named = await get(house, "/");
    expect(named).toContain("<title>Tom&#x27;s &quot;$&amp;&quot; &lt;b&gt;</title>");
    expect(named).toContain("</svg>Tom&#x27;s");
    expect(named).not.toContain("Satchel");
    expect(named).toContain(':root:root[data-theme="dark"]{--accent:#');
    expect(JSON.parse(await get(house, "/manifest.webmanifest"))).toMatchObject({ name: `Tom's "$&" <b>` });
    expect(await get(house, "/config.js")).toContain(JSON.stringify(`Tom's "$&" <b>`));
    await set(house, { site_name: "", site_accent: "" });
    expect(await get(house, "/")).toBe(before);
  });

  test("refuses names that show nothing and colours that are none", async () => {
    await using house = await open();
    const wrong = [
      ["site_name", "\u200b"],
      ["site_name", "x".repeat(41)],
      ["site_accent", "red"],
      ["site_logo", "x"],
    ] as const;
    for (const [name, value] of wrong) expect((await set(house, { [name]: value })).status).toBe(202);
  });
});

describe("the logo", () => {
  test("is decoded, kept as a small WebP and served with safe headers", async () => {
    await using house = await open();
    expect((await house.request("/site-logo.webp")).status).toBe(404);
    expect(await sendLogo(house, png({ width: 600, height: 300 }))).toBe("200");
    const [, address = ""] = /<img src="([^"]+)"/.exec(await get(house, "/")) ?? [];
    expect(address).toStartWith("/site-logo.webp?v=");
    const response = await house.request(address);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/webp",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
    });
    expect(await new Bun.Image(await response.bytes()).metadata()).toMatchObject({
      format: "webp",
      width: 256,
      height: 128,
    });
    expect((await house.request("/api/admin/site/logo", { method: "DELETE" })).status).toBe(401);
  });

  test("is a picture by its content, and not too large", async () => {
    await using house = await open();
    const text = (content: string) => new TextEncoder().encode(content);
    expect(await sendLogo(house, text('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBe("415 logo.unreadable");
    expect(await sendLogo(house, text(""))).toBe("415 logo.unreadable");
    expect(await sendLogo(house, new Uint8Array(2 * 1024 ** 2 + 1))).toBe("413 logo.tooLarge");
    expect((await house.request("/site-logo.webp")).status).toBe(404);
  });
});

test.each(["#c2410c", "#ffff00", "#000000", "#ffffff", "#1d4ed8", "#00ff88", "#808080"])(
  "the accent %s can be read in both themes",
  (chosen) => {
    expect(isAccent(chosen)).toBe(true);
    for (const theme of ["light", "dark"] as const) {
      const { accent, text, soft } = accentShades(chosen, theme);
      const surfaces = theme === "light" ? ["#faf9f7", "#ffffff", "#f3f1ee"] : ["#171513", "#201d1a", "#110f0e"];
      for (const other of [...surfaces, soft, text])
        expect(contrast(accent, other)).toBeGreaterThanOrEqual(LEAST_CONTRAST);
    }
  },
);

test("our own accent is that of the style sheet, in each theme", async () => {
  const css = await Bun.file(join(root, "web/styles.css")).text();
  const names = { accent: "accent", hover: "accent-hover", text: "accent-text", soft: "accent-soft" } as const;
  for (const [name, variable] of Object.entries(names)) {
    const said = [...css.matchAll(new RegExp(`--${variable}: (#[0-9a-f]{6});`, "g"))].map(([, colour]) => colour);
    expect(said).toEqual([ourAccent.light[name as keyof typeof names], ourAccent.dark[name as keyof typeof names]]);
  }
});
