import type { Locator, Page } from "playwright-core";
import { detailsOf } from "../browser/explorer-page.ts";
import { gone, seen } from "../browser/journey.ts";
import { counted } from "../pages/dictionaries.ts";
import { explorerScreens, mountScreens } from "./explorer.ts";
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

const tasks = (page: Page) => page.getByRole("region", { name: "Tasks" });

const FOLDER = "/mount-explorer/drive/looks";

/** Uploads files of these names into the folder on view. */
async function upload(page: Page, { explorer }: Words, ...names: readonly string[]): Promise<void> {
  const press = page.getByRole("toolbar").getByRole("button", { name: explorer.command.upload, exact: true });
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), press.click()]);
  await chooser.setFiles(names.map((name) => ({ name, mimeType: "text/plain", buffer: Buffer.from(name) })));
}

/** Uploads a file of a long name, and opens the list of uploads. */
async function openUploads(page: Page, words: Words): Promise<void> {
  const long = `${"长文件名-long-name-".repeat(6)}${crypto.randomUUID()}.txt`;
  await upload(page, words, long, `${crypto.randomUUID()}.txt`);
  await seen(tasks(page).getByText(counted(words.explorer.upload.allDone, 2)));
  await tasks(page).getByRole("button", { name: words.tasks.open }).click();
}

const fill = (sentence: string, name: string) => sentence.replace("{{name}}", name);

const ofExplorer = new Set(
  "menu menu-folder new-folder rename-taken remove-many copy-to share details conflict search-found basket".split(" "),
);

/** What opens in the explorer and among the mounts, as it is looked at elsewhere in both languages. */
const known: readonly Opened[] = [...explorerScreens, ...mountScreens].flatMap(({ name, path, first, shows }) => {
  if (!first || !(ofExplorer.has(name.replace("explorer-", "")) || name === "mounts-form")) return [];
  return [
    { name, path, open: first, shows, surface: /menu/.test(name) ? menu : /details/.test(name) ? detailsOf : dialog },
  ];
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
      page.getByRole("button", { name: fill(admin.list.more, "All of it"), exact: true }).click(),
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
    name: "upload of names that are taken",
    path: FOLDER,
    open: (page, words) => upload(page, words, "notes 9.txt", "notes 10.txt"),
    shows: (page, { explorer }) => dialog(page).getByText(fill(explorer.conflict.file, "notes 9.txt")),
    surface: dialog,
  },
  {
    name: "uploads",
    path: `${FOLDER}/照片 Photos`,
    open: openUploads,
    shows: (page, { upload }) => tasks(page).getByRole("list", { name: upload.list.label }),
    surface: tasks,
  },
  {
    name: "ways of uploading",
    path: `${FOLDER}/照片 Photos`,
    async open(page, words) {
      await openUploads(page, words);
      await tasks(page).getByRole("button", { name: words.explorer.upload.presigned }).click();
    },
    shows: (page, { explorer }) => dialog(page).getByText(explorer.upload.multipartHint),
    surface: dialog,
  },
  {
    name: "tasks",
    path: FOLDER,
    async open(page, { explorer, basket }) {
      for (const name of ["notes 9.txt", "notes 10.txt"])
        await page.getByRole("checkbox", { name: fill(explorer.entry.choose, name), exact: true }).check();
      await page.keyboard.press("Control+b");
      await page.getByRole("button", { name: /File basket \(2\)/ }).click();
      await dialog(page).getByRole("button", { name: basket.pack }).click();
      await tasks(page).getByRole("button", { name: "Show the tasks" }).click();
      await gone(page.getByText(basket.started));
    },
    shows: (page) => tasks(page).getByText("Pack 2 files"),
    surface: tasks,
  },
];
