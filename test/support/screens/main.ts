import type { Locator, Page } from "playwright-core";
import { type Journey, PIXEL } from "../browser/journey.ts";

/** What the main screens show. */
const content = `# Title\n\nProse with a [link](https://example.net), \`code\` and ==a mark==.\n\n- [ ] to do\n- [x] done\n
\`\`\`js\nconst a = "text"; // a comment\n\`\`\`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nA note[^1]\n\n[^1]: The note.\n`;

/** Fills a server with what the main screens show. */
export async function seedMainScreens(journey: Journey): Promise<void> {
  await journey.share({ content, slug: "readable", remark: "All of it" });
  await journey.share({ content: "x", slug: "with-password", password: "sesame", maxViews: 2 });
  await journey.shareFile(new File([PIXEL], "picture.png"), { slug: "picture", remark: "A dot" });
  await journey.shareFile(new File(["x"], "archive.zip"), { slug: "archive" });
  await journey.call("POST", "/api/fs/mkdir", { path: "/drive/folder" });
  for (const name of ["notes.txt", "a name that is rather long for a small screen.md"])
    await journey.call("POST", "/api/fs/update", { path: `/drive/${name}`, content });
  await journey.call("POST", "/api/admin/api-keys", { name: "Accessible key", permissions: 3 });
}

export interface MainScreen {
  readonly path: string;
  readonly who: "visitor" | "admin";
  /** Something that is there once the screen is. */
  readonly shows: (page: Page) => Locator;
}

/** The main screens, by what they are called. */
export const mainScreens: Readonly<Record<string, MainScreen>> = {
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
  "the explorer": {
    path: "/mount-explorer/drive",
    who: "admin",
    shows: (page) => page.getByText("notes.txt"),
  },
  "a file in the explorer": {
    path: "/mount-explorer/drive?preview=notes.txt",
    who: "admin",
    shows: (page) => page.getByText("Prose with a", { exact: false }).first(),
  },
  "the list of files": {
    path: "/admin/file-management",
    who: "admin",
    shows: (page) => page.getByText("archive.zip").first(),
  },
  "the list of texts, narrowed": {
    path: "/admin/text-management?state=active&sort=views",
    who: "admin",
    shows: (page) => page.getByText("/readable", { exact: true }),
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
    shows: (page) => page.getByText("/readable", { exact: true }),
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
    shows: (page) => page.getByText("Documents", { exact: true }),
  },
  "the WebDAV settings": {
    path: "/admin/settings/webdav",
    who: "admin",
    shows: (page) => page.getByText("In parts"),
  },
  "the backup settings": {
    path: "/admin/settings/backup",
    who: "admin",
    shows: (page) => page.getByLabel("Where backups go"),
  },
  "the notifications": {
    path: "/admin/settings/notifications",
    who: "admin",
    shows: (page) => page.getByText("No notifications yet"),
  },
  "the import": {
    path: "/admin/import",
    who: "admin",
    shows: (page) => page.getByText("Texts that were not public"),
  },
  "the account": { path: "/admin/account", who: "admin", shows: (page) => page.getByLabel("Current password") },
};
