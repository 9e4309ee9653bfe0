// Above 300 lines because the table of screens is one list.
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { languages } from "#contract/languages";
import { screenshot, type Visit } from "../support/chromium.ts";
import { dictionaries } from "../support/dictionaries.ts";
import { explorerScreens, seedFolder } from "../support/explorer-screens.ts";
import { overhang, PIXEL, seen, startJourney, until } from "../support/journey.ts";
import { peopleOf } from "../support/people.ts";
import { type Screen, words } from "../support/screen.ts";

const journey = await startJourney();

const { en, zh } = dictionaries;
type Locale = keyof typeof words;

const sizes = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;
const themes = ["light", "dark"] as const;

const long = "A-very-long-word-that-no-column-was-made-for".repeat(6);
const reading = `# A heading\n\nSome **prose** with \`code\` and ${long}\n\n## 第二个标题\n\n中文也要好看。\n\n\`\`\`\n${long}\n\`\`\`\n
| a | b | c |\n|---|---|---|\n| ${long} | 2 | 3 |\n`;
const open = await journey.share({ content: reading, slug: "looks", remark: "How it looks" });
const locked = await journey.share({ content: "x", slug: "locked", password: "sesame" });
const longName = `${"长文件名-long-name-🎉".repeat(8)}.bin`;
const picture = await journey.shareFile(new File([PIXEL], "picture.png"), { slug: "picture", remark: long });
const blob = await journey.shareFile(new File(["x"], longName), { slug: "blob", expires_in: "24" });
const closed = await journey.shareFile(new File(["x"], "x.bin"), {
  slug: "closed",
  password: "sesame",
  max_views: "3",
});
const limited = await journey.share({ content: "x", slug: "limited", maxViews: 3 });

await seedFolder(journey);

/** A key to which nothing is open that these pages are for. */
const people = peopleOf(journey);
const key = await people.makeKey(["mount_view"]);

const screens: readonly Screen[] = [
  {
    name: "home",
    path: "/",
    signedIn: true,
    shows: (page, { paste }) => page.getByRole("button", { name: paste.home.create }),
  },
  {
    name: "home-stranger",
    path: "/",
    signedIn: false,
    shows: (page, { paste }) => page.getByRole("link", { name: paste.home.signIn }),
  },
  {
    name: "home-key",
    path: "/",
    signedIn: "with a key",
    shows: (page, { paste }) => page.getByRole("button", { name: paste.home.otherSignIn }),
  },
  {
    name: "paste",
    path: `/paste/${open.slug}`,
    signedIn: false,
    shows: (page) => page.getByRole("heading", { name: "A heading" }),
  },
  {
    name: "password",
    path: `/paste/${locked.slug}`,
    signedIn: false,
    shows: (page, { share }) => page.getByText(share.gate.locked, { exact: true }),
  },
  {
    name: "limited",
    path: `/paste/${limited.slug}`,
    signedIn: false,
    shows: (page, { share }) => page.getByText(share.gate.limited, { exact: true }),
  },
  {
    name: "missing",
    path: "/paste/nothing",
    signedIn: false,
    shows: (page, { share }) => page.getByText(share.gate.missingTitle),
  },
  {
    name: "upload",
    path: "/upload",
    signedIn: true,
    shows: (page, { upload }) => page.getByText(upload.recent.title),
  },
  {
    name: "upload-url",
    path: "/upload?tab=url",
    signedIn: true,
    shows: (page, { upload }) => page.getByRole("textbox", { name: upload.fromUrl.address }),
  },
  {
    name: "upload-url-stranger",
    path: "/upload?tab=url",
    signedIn: false,
    shows: (page, { upload }) => page.getByRole("link", { name: upload.bar.signIn }),
  },
  {
    name: "upload-stranger",
    path: "/upload",
    signedIn: false,
    shows: (page, { upload }) => page.getByRole("link", { name: upload.bar.signIn }),
  },
  {
    name: "upload-key",
    path: "/upload",
    signedIn: "with a key",
    shows: (page, { upload }) => page.getByRole("heading", { name: upload.zone.keyTitle }),
  },
  {
    name: "picture",
    path: picture.url,
    signedIn: false,
    shows: (page) => page.getByRole("img", { name: "picture.png" }),
  },
  {
    name: "file",
    path: blob.url,
    signedIn: true,
    shows: (page, { file }) => page.getByRole("button", { name: file.view.remove }),
  },
  {
    name: "file-closed",
    path: closed.url,
    signedIn: false,
    shows: (page, { share }) => page.getByText(share.gate.locked, { exact: true }),
  },
  ...explorerScreens,
  {
    name: "login",
    path: "/admin",
    signedIn: false,
    shows: (page, { admin }) => page.getByRole("button", { name: admin.login.submit }),
  },
  {
    name: "texts",
    path: "/admin/text-management",
    signedIn: true,
    shows: (page) => page.getByRole("link", { name: "looks", exact: true }),
  },
  {
    name: "files",
    path: "/admin/file-management",
    signedIn: true,
    shows: (page) => page.getByRole("link", { name: "picture", exact: true }),
  },
  {
    name: "storages",
    path: "/admin/storage-config",
    signedIn: true,
    shows: (page) => page.getByRole("region", { name: "Built-in storage" }),
  },
  {
    name: "mounts",
    path: "/admin/mount-management",
    signedIn: true,
    shows: (page) => page.getByRole("region", { name: "Drive" }),
  },
  {
    name: "account",
    path: "/admin/account",
    signedIn: true,
    shows: (page, { admin }) => page.getByRole("button", { name: admin.account.save }),
  },
];

/** Clipped words show when a button or link is narrower than what it holds; only lists may end theirs with an ellipsis. */
const clipped = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("main button, header a, header button, nav a")]
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
      .map((element) => element.textContent || (element.ariaLabel ?? "")),
  );

async function look(visit: Visit, screen: Screen, locale: Locale, theme: string, size: string): Promise<void> {
  const { page } = visit;
  await page.goto(screen.path);
  await screen.first?.(page, words[locale]);
  await seen(screen.shows(page, words[locale]));
  const root = page.locator("html");
  expect(await root.getAttribute("data-theme")).toBe(theme);
  expect(await root.getAttribute("lang")).toBe(words[locale].tag);
  await screenshot(page, `${screen.name}-${size}-${theme}-${words[locale].tag}`);
  expect(await overhang(page)).toBe(0);
  expect(await clipped(page)).toEqual([]);
}

describe("every screen fits, in both languages, both themes, on desk and phone", () => {
  const rows = (Object.keys(words) as Locale[]).flatMap((locale) =>
    themes.flatMap((theme) => (["desk", "phone"] as const).map((size) => [locale, theme, size] as const)),
  );
  test.each(rows)("%s, %s, %s", async (locale, theme, size) => {
    await using visitor = await journey.visitor({ locale, theme, ...sizes[size] });
    await using admin = await journey.admin({ locale, theme, ...sizes[size] });
    await using holder = await people.holder(key, { locale, theme, ...sizes[size] });
    for (const screen of screens) {
      const visit = screen.signedIn === "with a key" ? holder : screen.signedIn ? admin : visitor;
      await look(visit, screen, locale, theme, size);
    }
  });
});

describe("language and theme", () => {
  test("follow the browser, change at a press, and stay over a reload", async () => {
    await using visitor = await journey.visitor({ locale: "zh-CN", theme: "light" });
    const { page } = visitor;
    const root = page.locator("html");
    await page.goto("/");
    await seen(page.getByRole("link", { name: zh.paste.home.signIn }));
    expect(await page.title()).toBe(zh.shell.titles.home);
    await page.getByRole("button", { name: languages.en.button.label }).click();
    await seen(page.getByRole("link", { name: en.paste.home.signIn }));
    await until(
      () => page.title(),
      (title) => title === en.shell.titles.home,
    );
    expect(await root.getAttribute("data-theme")).toBe("light");
    await page.getByRole("button", { name: en.shell.theme.auto }).click();
    await page.getByRole("button", { name: en.shell.theme.light }).click();
    await seen(page.getByRole("button", { name: en.shell.theme.dark }));
    expect(await root.getAttribute("data-theme")).toBe("dark");
    await page.reload();
    await seen(page.getByRole("link", { name: en.paste.home.signIn }));
    expect(await root.getAttribute("data-theme")).toBe("dark");
  });

  test("the chosen theme is there before the first paint, and auto follows the system at once", async () => {
    await using visitor = await journey.visitor({ theme: "dark" });
    const { page } = visitor;
    await page.goto("/", { waitUntil: "commit" });
    await page.waitForFunction(() => document.body !== null);
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    await seen(page.getByRole("link", { name: en.paste.home.signIn }));
    await page.emulateMedia({ colorScheme: "light" });
    await seen(page.locator("html[data-theme=light]"));
  });
});

describe("finding one's way", () => {
  test("an unknown path leads home", async () => {
    await using visitor = await journey.visitor();
    await visitor.page.goto("/no/such/place");
    await visitor.page.waitForURL("**/");
    await seen(visitor.page.getByRole("textbox", { name: en.paste.home.editorLabel }));
  });

  test("on a phone the places are behind the menu button", async () => {
    await using visitor = await journey.visitor(sizes.phone);
    const { page } = visitor;
    await page.goto("/");
    await page.getByRole("button", { name: en.shell.nav.open }).tap();
    await page.getByRole("navigation", { name: en.shell.nav.label }).getByRole("link", { name: "Admin" }).tap();
    await seen(page.getByRole("button", { name: en.admin.login.submit }));
    await seen(page.getByRole("button", { name: en.shell.nav.open }));
    expect(await page.title()).toBe(`${en.admin.login.submit} · ${en.shell.brand}`);
  });

  test("a phone shares as a desk does", async () => {
    await using author = await journey.admin(sizes.phone);
    const { page } = author;
    await page.goto("/");
    await page.getByRole("textbox", { name: en.paste.home.editorLabel }).fill("from the phone");
    await page.getByRole("button", { name: /^Views:/ }).tap();
    await seen(page.getByRole("dialog", { name: "Views" }));
    expect(await overhang(page)).toBe(0);
    await screenshot(page, "home-phone-chip");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: en.paste.home.create }).tap();
    await seen(page.getByRole("region", { name: en.paste.result.label }));
    expect(await overhang(page)).toBe(0);
    await screenshot(page, "home-phone-result");
  });
});
