import { describe, expect, test } from "bun:test";
import { languages } from "#contract/languages";
import { ALL_PERMISSIONS } from "#contract/permissions";
import { screenshot } from "../../support/browser/chromium.ts";
import { overhang, PIXEL, seen, startJourney, until } from "../../support/browser/journey.ts";
import { peopleOf } from "../../support/browser/people.ts";
import { dictionaries } from "../../support/pages/dictionaries.ts";
import { bothThemes, browserOf, look, type Screen, sizes } from "../../support/screens/screen.ts";

const journey = await startJourney();

const { en, zh } = dictionaries;

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

/** A key to which nothing is open that these pages are for. */
const people = peopleOf(journey);
const key = await people.makeKey(["mount_view"]);
await journey.call("POST", "/api/admin/api-keys", { name: "Backup script 备份脚本", permissions: ALL_PERMISSIONS });

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
    shows: (page) => page.getByText("/looks", { exact: true }),
  },
  {
    name: "files",
    path: "/admin/file-management",
    signedIn: true,
    shows: (page) => page.getByText("picture.png").first(),
  },
  {
    name: "storages",
    path: "/admin/storage-config",
    signedIn: true,
    shows: (page) => page.getByRole("region", { name: "Built-in storage" }),
  },
  {
    name: "storage-in-use",
    path: "/admin/storage-config",
    signedIn: true,
    first: (page, { admin }) => page.getByRole("button", { name: admin.list.remove }).first().click(),
    shows: (page, { storage }) => page.getByRole("dialog").getByText(storage.inUse.text),
  },
  {
    name: "mounts",
    path: "/admin/mount-management",
    signedIn: true,
    shows: (page) => page.getByRole("region", { name: "Drive" }),
  },
  {
    name: "dashboard",
    path: "/admin/dashboard",
    signedIn: true,
    shows: (page, { admin }) => page.getByText(admin.dashboard.system.uptime),
  },
  {
    name: "admin-drawer",
    path: "/admin/dashboard",
    signedIn: true,
    async first(page, { admin }) {
      const bar = page.locator("main button[aria-haspopup=dialog]").first();
      await page.getByText(admin.dashboard.system.uptime).waitFor();
      if (await bar.isVisible()) await bar.click();
    },
    shows: (page, { leaving }) => page.getByRole("button", { name: leaving.logOut }),
  },
  {
    name: "settings-global",
    path: "/admin/settings/global",
    signedIn: true,
    async first(page, { admin }) {
      await page.getByLabel(admin.settings.upload.maxSize).fill("much");
      await page.getByRole("button", { name: admin.settings.save }).click();
    },
    shows: (page, { admin }) => page.getByText(admin.settings.positive),
  },
  {
    name: "settings-preview",
    path: "/admin/settings/preview",
    signedIn: true,
    shows: (page, { admin }) => page.getByText(admin.settings.preview.types.document, { exact: true }),
  },
  {
    name: "settings-webdav",
    path: "/admin/settings/webdav",
    signedIn: true,
    shows: (page, { admin }) => page.getByText(admin.settings.webdav.directText),
  },
  {
    name: "settings-backup",
    path: "/admin/settings/backup",
    signedIn: true,
    shows: (page, { admin }) => page.getByText(admin.settings.backup.none),
  },
  {
    name: "settings-notifications",
    path: "/admin/settings/notifications",
    signedIn: true,
    shows: (page, { admin }) => page.getByText(admin.webhooks.emptyTitle),
  },
  {
    name: "texts-filter",
    path: "/admin/text-management?state=active&protected=true",
    signedIn: true,
    first: (page) => page.getByRole("button", { name: / · 2$/ }).click(),
    shows: (page, { admin }) => page.getByRole("dialog", { name: admin.list.filter }),
  },
  {
    name: "texts-none",
    path: "/admin/text-management?search=nowhere-to-be-found",
    signedIn: true,
    shows: (page, { admin }) => page.getByText(admin.list.noneTitle),
  },
  {
    name: "text-menu",
    path: "/admin/text-management",
    signedIn: true,
    first: (page, { admin }) =>
      page.getByRole("button", { name: admin.list.more.replace("{{name}}", "How it looks") }).click(),
    shows: (page, { admin }) => page.getByRole("menuitem", { name: admin.texts.copyRaw }),
  },
  {
    name: "text-preview",
    path: "/admin/text-management",
    signedIn: true,
    first: (page, { admin }) => page.getByTitle(admin.texts.look).last().click(),
    shows: (page, { admin }) => page.getByRole("button", { name: admin.texts.copyText }),
  },
  {
    name: "keys",
    path: "/admin/key-management",
    signedIn: true,
    shows: (page) => page.getByText("Backup script 备份脚本").first(),
  },
  {
    name: "key-new",
    path: "/admin/key-management",
    signedIn: true,
    first: (page, { admin }) => page.getByRole("button", { name: admin.keys.add }).click(),
    shows: (page, { admin }) => page.getByRole("checkbox", { name: admin.keys.form.guest }),
  },
  {
    name: "key-problems",
    path: "/admin/key-management",
    signedIn: true,
    async first(page, { admin, share }) {
      await page.getByRole("button", { name: admin.keys.add }).click();
      const sheet = page.getByRole("dialog", { name: admin.keys.form.addTitle });
      await sheet.getByLabel(admin.keys.form.own).check();
      await sheet.getByRole("button", { name: admin.keys.template.all }).click();
      await sheet.getByRole("button", { name: admin.keys.form.treeOpen }).click();
      await sheet.getByLabel(admin.keys.form.guest).check();
      await sheet.getByRole("button", { name: share.form.save }).click();
    },
    shows: (page, { admin }) => page.getByText(admin.keys.problem.name),
  },
  {
    name: "key-connect",
    path: "/admin/key-management",
    signedIn: true,
    async first(page, { admin }) {
      await page.getByRole("button", { name: admin.keys.connect.open }).first().click();
      await page.getByText("awscli", { exact: true }).click();
    },
    shows: (page, { connect }) => page.getByRole("region", { name: `${connect.does.list}, S3` }),
  },
  {
    name: "account",
    path: "/admin/account",
    signedIn: true,
    shows: (page, { admin }) => page.getByRole("button", { name: admin.account.save }),
  },
];

describe("every screen fits, in both languages, both themes, on desk and phone", () => {
  test.each(bothThemes)("$locale, $size", async (one) => {
    await using visitor = await journey.visitor(browserOf(one));
    await using admin = await journey.admin(browserOf(one));
    await using holder = await people.holder(key, browserOf(one));
    for (const screen of screens) {
      const visit = screen.signedIn === "with a key" ? holder : screen.signedIn ? admin : visitor;
      await look(visit, screen, one);
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
    await until(
      () => page.title(),
      (title) => title === zh.shell.titles.home.replace("{{site}}", "Satchel"),
    );
    await page.getByRole("combobox", { name: zh.shell.language }).selectOption(languages.en.name);
    await seen(page.getByRole("link", { name: en.paste.home.signIn }));
    await until(
      () => page.title(),
      (title) => title === en.shell.titles.home.replace("{{site}}", "Satchel"),
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
    await until(
      () => page.title(),
      (title) => title === `${en.admin.login.submit} · Satchel`,
    );
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
