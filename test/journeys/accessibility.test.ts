import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { findings } from "../support/axe.ts";
import { PIXEL, seen, startJourney } from "../support/journey.ts";

const journey = await startJourney();
const content = `# Title\n\nProse with a [link](https://example.net), \`code\` and ==a mark==.\n\n- [ ] to do\n- [x] done\n
\`\`\`js\nconst a = "text"; // a comment\n\`\`\`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nA note[^1]\n\n[^1]: The note.\n`;
await journey.share({ content, slug: "readable", remark: "All of it" });
await journey.share({ content: "x", slug: "with-password", password: "sesame", maxViews: 2 });
await journey.shareFile(new File([PIXEL], "picture.png"), { slug: "picture", remark: "A dot" });
await journey.shareFile(new File(["x"], "archive.zip"), { slug: "archive" });

await journey.call("POST", "/api/admin/api-keys", { name: "Accessible key", permissions: 3 });

interface Screen {
  readonly path: string;
  readonly who: "visitor" | "admin";
  /** Something that is there once the screen is. */
  readonly shows: (page: Page) => Locator;
}

const screens: Readonly<Record<string, Screen>> = {
  Home: { path: "/", who: "admin", shows: (page) => page.getByRole("button", { name: "Create link" }) },
  "Home for a stranger": {
    path: "/",
    who: "visitor",
    shows: (page) => page.getByRole("link", { name: "Sign in to share" }),
  },
  "the paste view": { path: "/paste/readable", who: "visitor", shows: (page) => page.locator(".hljs-string").first() },
  "the password card": {
    path: "/paste/with-password",
    who: "visitor",
    shows: (page) => page.getByText("Password needed"),
  },
  "the upload page": {
    path: "/upload",
    who: "admin",
    shows: (page) => page.getByRole("link", { name: "Open" }).first(),
  },
  "the upload page, for files on the web": {
    path: "/upload?tab=url",
    who: "admin",
    shows: (page) => page.getByRole("textbox", { name: "Address of the file" }),
  },
  "a picture": { path: "/file/picture", who: "admin", shows: (page) => page.getByRole("img", { name: "picture.png" }) },
  "a file": {
    path: "/file/archive",
    who: "visitor",
    shows: (page) => page.getByRole("heading", { name: "archive.zip" }),
  },
  "the list of files": {
    path: "/admin/file-management",
    who: "admin",
    shows: (page) => page.getByRole("link", { name: "archive", exact: true }),
  },
  "the list of texts, narrowed": {
    path: "/admin/text-management?state=active&sort=views",
    who: "admin",
    shows: (page) => page.getByRole("link", { name: "readable", exact: true }),
  },
  "the list of keys": {
    path: "/admin/key-management",
    who: "admin",
    shows: (page) => page.getByText("Accessible key").first(),
  },
  "the sign-in": { path: "/admin", who: "visitor", shows: (page) => page.getByRole("button", { name: "Sign in" }) },
  "the list of texts": {
    path: "/admin/text-management",
    who: "admin",
    shows: (page) => page.getByRole("link", { name: "readable" }),
  },
  "the storages": {
    path: "/admin/storage-config",
    who: "admin",
    shows: (page) => page.getByRole("region", { name: "Built-in storage" }),
  },
  "the mounts": {
    path: "/admin/mount-management",
    who: "admin",
    shows: (page) => page.getByRole("region", { name: "Drive" }),
  },
  "the dashboard": { path: "/admin/dashboard", who: "admin", shows: (page) => page.getByText("Uptime") },
  "the global settings": {
    path: "/admin/settings/global",
    who: "admin",
    shows: (page) => page.getByLabel("Largest file"),
  },
  "the preview settings": {
    path: "/admin/settings/preview",
    who: "admin",
    shows: (page) => page.getByLabel("Documents"),
  },
  "the WebDAV settings": {
    path: "/admin/settings/webdav",
    who: "admin",
    shows: (page) => page.getByText("In parts"),
  },
  "the account": { path: "/admin/account", who: "admin", shows: (page) => page.getByLabel("Current password") },
};

const rows = Object.entries(screens).flatMap(([name, screen]) =>
  (["light", "dark"] as const).map((theme) => [name, theme, screen] as const),
);

test.each(rows)("axe has nothing serious to say about %s, %s", async (_name, theme, { path, who, shows }) => {
  await using visit = await journey[who]({ theme, bypassPolicy: true });
  await visit.page.goto(path);
  await seen(shows(visit.page));
  expect(await findings(visit.page)).toEqual([]);
});

test("nor about what opens over a page", async () => {
  await using visit = await journey.admin({ bypassPolicy: true });
  const { page } = visit;
  await page.goto("/");
  await page.getByRole("textbox", { name: "Text to share" }).fill("to share");
  await page.getByRole("button", { name: /^Expiry:/ }).click();
  await seen(page.getByRole("dialog", { name: "Expiry" }));
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Create link" }).click();
  await seen(page.getByRole("region", { name: "Your link" }));
  expect(await findings(page)).toEqual([]);
  await page.goto("/file/picture");
  await page.getByRole("button", { name: "Edit" }).click();
  await seen(page.getByLabel("Link suffix"));
  expect(await findings(page)).toEqual([]);
  await page.goto("/upload");
  const input = page.locator('input[type="file"]');
  await input.setInputFiles({ name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("x") });
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await seen(page.getByRole("region", { name: "Your link" }));
  expect(await findings(page)).toEqual([]);
  await page.goto("/admin/text-management");
  await page.getByRole("row").filter({ hasText: "readable" }).getByRole("button", { name: "Edit" }).click();
  await seen(page.getByLabel("Link suffix"));
  expect(await findings(page)).toEqual([]);
  await page.goto("/admin/storage-config");
  await page.getByRole("button", { name: "Add storage" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await seen(page.getByText("Please give it a name."));
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Test" }).click();
  await seen(page.getByText("Everything works."));
  expect(await findings(page)).toEqual([]);
  await page.goto("/admin/mount-management");
  await page.getByRole("button", { name: "Add mount" }).click();
  await page.getByLabel("Give files public addresses").check();
  await page.getByRole("button", { name: "Save" }).click();
  await seen(page.getByText("Please give it a name."));
  expect(await findings(page)).toEqual([]);
});

test("everything on the way to a link is reachable by keyboard", async () => {
  await using visit = await journey.admin();
  const { page } = visit;
  await page.goto("/");
  await seen(page.getByRole("button", { name: "Create link" }));
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await seen(skip);
  await page.keyboard.press("Enter");
  const editor = page.getByRole("textbox", { name: "Text to share" });
  await seen(editor.and(page.locator("[contenteditable=true]")));
  await tabTo(page, "textbox Text to share");
  await page.keyboard.type("typed without a mouse");
  await seen(editor.filter({ hasText: /^typed without a mouse$/ }));
  // Tab belongs to the text; after Escape it leaves it.
  await page.keyboard.press("Escape");
  await tabTo(page, "button Password: no password");
  await page.keyboard.press("Enter");
  await page.keyboard.type("sesame");
  await page.keyboard.press("Enter");
  await tabTo(page, "button Create link");
  await page.keyboard.press("Enter");
  await seen(page.getByRole("region", { name: "Your link" }));
});

/** Presses Tab until the element with that role and name has the focus, at most thirty times. */
async function tabTo(page: Page, wanted: string): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      const role = element?.role ?? element?.tagName.toLowerCase() ?? "";
      return `${role} ${element?.ariaLabel ?? element?.textContent ?? ""}`.trim();
    });
    if (focused === wanted) return;
    passed.push(focused);
  }
  throw new Error(`The keyboard does not reach ${wanted}; it came past ${passed.join(", ")}.`);
}
