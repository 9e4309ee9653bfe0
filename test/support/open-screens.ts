import type { Locator, Page } from "playwright-core";
import { explorerScreens, mountScreens } from "./explorer-screens.ts";
import { gone } from "./journey.ts";
import type { Screen, Words } from "./screen.ts";

/** What opens over a page: dialogs, sheets, menus and the list of tasks. */

type Opened = Pick<Screen, "name" | "path"> & {
  readonly open: (page: Page, words: Words) => Promise<unknown>;
  /** Something in it that is there once all of it is. */
  readonly shows: (page: Page, words: Words) => Locator;
  /** What has opened. */
  readonly surface: (page: Page) => Locator;
};

const dialog = (page: Page) => page.getByRole("dialog").last();
const menu = (page: Page) => page.getByRole("menu").last();

const fill = (sentence: string, name: string) => sentence.replace("{{name}}", name);

const ofExplorer = new Set(
  "menu menu-folder new-folder rename-taken remove-many copy-to share details conflict search-found basket".split(" "),
);

/** What opens in the explorer and among the mounts, as it is looked at elsewhere in both languages. */
const known: readonly Opened[] = [...explorerScreens, ...mountScreens].flatMap(({ name, path, first, shows }) => {
  if (!first || !(ofExplorer.has(name.replace("explorer-", "")) || name === "mounts-form")) return [];
  return [{ name, path, open: first, shows, surface: /menu/.test(name) ? menu : dialog }];
});

export const openScreens: readonly Opened[] = [
  ...known,
  {
    name: "share options",
    path: "/",
    open: (page) => page.getByRole("button", { name: "random link" }).click(),
    shows: (page) => dialog(page).getByRole("textbox").first(),
    surface: dialog,
  },
  {
    name: "QR code",
    path: "/paste/readable",
    open: (page, { share }) => page.getByRole("button", { name: share.qr }).click(),
    shows: (page) => dialog(page).getByRole("img"),
    surface: dialog,
  },
  {
    name: "key form",
    path: "/admin/key-management",
    async open(page, { admin }) {
      await page.getByRole("button", { name: admin.keys.add }).click();
      await dialog(page).getByLabel(admin.keys.form.own).check();
      await dialog(page).getByRole("button", { name: admin.keys.template.all }).click();
      await dialog(page).getByRole("button", { name: admin.keys.form.treeOpen }).click();
    },
    shows: (page, { admin }) => dialog(page).getByRole("checkbox", { name: admin.keys.form.guest }),
    surface: dialog,
  },
  {
    name: "connecting a key",
    path: "/admin/key-management",
    open: (page, { admin }) => page.getByRole("button", { name: admin.keys.connect.open }).first().click(),
    shows: (page) => dialog(page).getByRole("region").first(),
    surface: dialog,
  },
  {
    name: "storage form",
    path: "/admin/storage-config",
    open: (page, { storage }) => page.getByRole("button", { name: storage.add }).first().click(),
    shows: (page) => dialog(page).getByRole("textbox").first(),
    surface: dialog,
  },
  {
    name: "menu of a text",
    path: "/admin/text-management",
    open: (page, { admin }) =>
      page.getByRole("button", { name: fill(admin.list.more, "readable"), exact: true }).click(),
    shows: (page, { admin }) => menu(page).getByRole("menuitem", { name: admin.texts.copyRaw }),
    surface: menu,
  },
  {
    name: "preview of a text",
    path: "/admin/text-management",
    open: (page, { admin }) => page.getByTitle(admin.texts.look).last().click(),
    shows: (page, { admin }) => page.getByRole("button", { name: admin.texts.copyText }),
    surface: dialog,
  },
  {
    name: "tasks",
    path: "/mount-explorer/drive/looks",
    async open(page, { explorer, basket }) {
      for (const name of ["notes 9.txt", "notes 10.txt"])
        await page.getByRole("checkbox", { name: fill(explorer.entry.choose, name), exact: true }).check();
      await page.keyboard.press("Control+b");
      await page.getByRole("button", { name: /File basket \(2\)/ }).click();
      await dialog(page).getByRole("button", { name: basket.pack }).click();
      await page.getByRole("region", { name: "Tasks" }).getByRole("button", { name: "Show the tasks" }).click();
      await gone(page.getByText(basket.started));
    },
    shows: (page) => page.getByRole("region", { name: "Tasks" }).getByText("Pack 2 files"),
    surface: (page) => page.getByRole("region", { name: "Tasks" }),
  },
];
