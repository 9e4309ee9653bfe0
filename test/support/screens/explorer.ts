import type { Page } from "playwright-core";
import type { Visit } from "../browser/chromium.ts";
import { detailsOf, explorerPage, isPhone } from "../browser/explorer-page.ts";
import { type Journey, seen } from "../browser/journey.ts";
import { counted } from "../pages/dictionaries.ts";
import { treeSeeds } from "../tree/seeds.ts";
import type { Screen, Words } from "./screen.ts";

const FOLDER = "/mount-explorer/drive/looks";
/** Nothing answers there. */
const NOWHERE = "http://127.0.0.1:1";

/** Fills the folder that the screens of the explorer show, and mounts a storage that is down. */
export async function seedFolder(journey: Journey): Promise<void> {
  const seeds = treeSeeds(journey);
  await seeds.folder("/drive/looks/照片 Photos");
  const long = `${"长文件名-long-name-🎉".repeat(6)}.xlsx`;
  for (const name of ["读我 readme.md", "notes 9.txt", "notes 10.txt", long, "Project documents/notes 9.txt"])
    await seeds.text(`/drive/looks/${name}`, `# ${name}\n\n中文也要好看。\n`);
  const drawings = [
    [400, 300],
    [300, 500],
    [500, 200],
  ] as const;
  for (const [index, [width, height]] of drawings.entries()) {
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><circle cx="50%" cy="50%" r="30%" fill="#c2410c"/></svg>`;
    await seeds.file(`/drive/looks/drawing ${index + 1}.svg`, new TextEncoder().encode(drawing), "image/svg+xml");
  }
  await seeds.folder("/drive/empty");
  await seeds.text("/drive/looks/old/minutes.txt", "x".repeat(4096));
  await seeds.text(`/drive/looks/old ${long}`, "old");
  const paths = ["/drive/looks/old/", `/drive/looks/old ${long}`];
  await journey.call("DELETE", "/api/fs/batch-remove", { paths });
  await mountDown(journey);
}

/** Mounts a storage at /away that does not answer. */
export async function mountDown({ call }: Journey): Promise<void> {
  const { data } = await call<{ data: { id: string } }>("POST", "/api/s3-configs", {
    ...{ name: "Away", provider_type: "MinIO", endpoint_url: NOWHERE, bucket_name: "files", path_style: true },
    ...{ access_key_id: "AKIAEXAMPLE", secret_access_key: "not-so-secret" },
  });
  const mount = { name: "Away", storage_type: "S3", storage_config_id: data.id, mount_path: "/away" };
  await call("POST", "/api/admin/mounts", mount);
}

/** Takes out what the browser wrote to its console of the storage that is down. */
export function forgetDown({ problems }: Visit): void {
  const others = problems.filter((problem) => !problem.includes("/api/fs/list?path=%2Faway"));
  problems.splice(0, problems.length, ...others);
}

const fill = (sentence: string, name: string) => sentence.replace("{{name}}", name);

/** Chooses entries by their boxes, which a phone has, too. */
async function choose(page: Page, { explorer }: Words, ...names: readonly string[]): Promise<void> {
  for (const name of names)
    await page.getByRole("checkbox", { name: fill(explorer.entry.choose, name), exact: true }).check();
}

/** Chooses an entry and presses a key, or picks an item of its menu where no key stands for it. */
const press =
  (name: string, key: string) =>
  async (page: Page, words: Words): Promise<void> => {
    await choose(page, words, name);
    await page.keyboard.press(key);
  };
const pick =
  (name: string, item: "copyTo" | "share" | "details") =>
  async (page: Page, { explorer }: Words): Promise<void> => {
    await page.getByRole("button", { name: fill(explorer.entry.more, name), exact: true }).click();
    await page.getByRole("menuitem", { name: explorer.command[item], exact: true }).click();
  };

const pickOfFolder = async (page: Page, { explorer }: Words, item: string): Promise<void> => {
  await page.getByRole("toolbar").getByRole("button", { name: explorer.bar.more, exact: true }).click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
};

const show =
  (view: "list" | "grid" | "gallery") =>
  (page: Page, { explorer }: Words): Promise<void> =>
    explorerPage(page).showAs(explorer.view[view], explorer.bar.more);

const inDialog = (page: Page) => page.getByRole("dialog");

async function search(page: Page, text: string): Promise<void> {
  await seen(explorerPage(page).surface);
  await page.keyboard.press("Control+k");
  await inDialog(page).getByRole("searchbox").fill(text);
  if (text !== "") await page.keyboard.press("Enter");
}

/** Opens the trash by the menu of the folder. */
async function openTrash(page: Page, { explorer }: Words): Promise<void> {
  await page.getByRole("button", { name: explorer.bar.more, exact: true }).click();
  await page.getByRole("menuitem", { name: explorer.command.trash, exact: true }).click();
}

const of = (name: string, screen: Pick<Screen, "first" | "shows"> & Partial<Screen>): Screen => ({
  name: `explorer-${name}`,
  path: FOLDER,
  signedIn: true,
  ...screen,
});

/** What there is to see of the explorer, one after the other in one browser. */
export const explorerScreens: readonly Screen[] = [
  of("list", { first: show("list"), shows: (page) => page.getByText("notes 10.txt") }),
  of("root", { path: "/mount-explorer", shows: (page) => explorerPage(page).row("drive") }),
  of("chosen", {
    first: (page, words) => choose(page, words, "notes 9.txt", "notes 10.txt"),
    shows: (page, { explorer }) => page.getByText(counted(explorer.bar.chosen, 2)),
  }),
  of("menu", {
    first: (page, { explorer }) => page.getByRole("button", { name: fill(explorer.entry.more, "notes 9.txt") }).click(),
    shows: (page) => page.getByRole("menu"),
  }),
  of("menu-folder", {
    first: (page, { explorer }) => page.getByRole("button", { name: explorer.bar.more, exact: true }).click(),
    shows: (page) => page.getByRole("menu"),
  }),
  of("trash", {
    first: openTrash,
    shows: (page, { trash }) => inDialog(page).getByText(trash.room),
  }),
  of("trash-forever", {
    async first(page, words) {
      await openTrash(page, words);
      await inDialog(page)
        .getByRole("button", { name: fill(words.trash.removeOne, "old"), exact: true })
        .click();
    },
    shows: (page, { trash }) => page.getByText(trash.removeText),
  }),
  of("new-folder", {
    first: (page, words) => {
      const name = words.explorer.command.newFolder;
      if (isPhone(page)) return pickOfFolder(page, words, name);
      return page.getByRole("toolbar").getByRole("button", { name, exact: true }).click();
    },
    shows: inDialog,
  }),
  of("rename", { first: press("notes 9.txt", "F2"), shows: inDialog }),
  of("rename-taken", {
    async first(page, words) {
      await press("notes 9.txt", "F2")(page, words);
      await inDialog(page).getByRole("textbox").fill("notes 10.txt");
      await page.keyboard.press("Enter");
    },
    shows: (page, { explorer }) => inDialog(page).getByText(fill(explorer.name.taken, "notes 10.txt")),
  }),
  of("rename-many", {
    async first(page, words) {
      await choose(page, words, "notes 9.txt", "notes 10.txt");
      await page.keyboard.press("F2");
      await inDialog(page).getByRole("textbox").first().fill("notes 9");
      await inDialog(page).getByRole("textbox").last().fill("notes 10");
    },
    shows: (page, { explorer }) => inDialog(page).getByText(explorer.renaming.wrong.taken),
  }),
  of("rename-pattern", {
    async first(page, words) {
      await choose(page, words, "notes 9.txt", "notes 10.txt");
      await page.keyboard.press("F2");
      await inDialog(page).getByRole("radio", { name: words.explorer.renaming.pattern }).check();
    },
    shows: (page, { explorer }) => inDialog(page).getByText(counted(explorer.renaming.changes, 2)),
  }),
  of("remove-one", { first: press("notes 9.txt", "Delete"), shows: inDialog }),
  of("remove-many", {
    async first(page, { explorer }) {
      await page.getByRole("checkbox", { name: explorer.list.selectAll }).check();
      await page.keyboard.press("Delete");
    },
    shows: inDialog,
  }),
  of("copy-to", {
    first: pick("notes 9.txt", "copyTo"),
    shows: (page) => inDialog(page).getByRole("treeitem", { name: "Project documents" }),
  }),
  of("share", { first: pick("notes 9.txt", "share"), shows: inDialog }),
  of("details", {
    first: pick("notes 9.txt", "details"),
    shows: (page) => detailsOf(page).getByText("text/plain"),
  }),
  of("details-folder", { first: pick("Project documents", "details"), shows: detailsOf }),
  of("conflict", {
    async first(page, words) {
      await press("notes 9.txt", "Control+c")(page, words);
      await explorerPage(page).row("Project documents").dblclick();
      await page.waitForURL("**/Project*documents");
      await explorerPage(page).shows(["notes 9.txt"]);
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Control+x");
      const link = page.getByRole("navigation").getByRole("link", { name: "looks", exact: true });
      await link.or(page.getByRole("button", { name: words.explorer.command.up, exact: true })).click();
      await seen(explorerPage(page).row("drawing 1.svg"));
      await page.keyboard.press("Control+v");
    },
    shows: (page, { explorer }) => inDialog(page).getByText(fill(explorer.conflict.file, "notes 9.txt")),
  }),
  of("search", {
    first: (page) => search(page, ""),
    shows: (page, words) => inDialog(page).getByText(words.search.idle),
  }),
  of("search-found", {
    first: (page) => search(page, "notes"),
    shows: (page) => inDialog(page).locator("mark").first(),
  }),
  of("search-none", {
    first: (page) => search(page, "nothing of that name"),
    shows: (page, words) => inDialog(page).getByText(words.search.noneTitle),
  }),
  of("basket-empty", {
    first: (page, words) =>
      isPhone(page)
        ? pickOfFolder(page, words, words.basket.title)
        : page.getByRole("button", { name: counted(words.basket.open, 0) }).click(),
    shows: (page, { basket }) => inDialog(page).getByText(basket.emptyTitle),
  }),
  of("basket", {
    async first(page, words) {
      await choose(page, words, "notes 9.txt", "notes 10.txt", "Project documents");
      await page.keyboard.press("Control+b");
      await page.getByRole("button", { name: counted(words.basket.open, 3) }).click();
    },
    shows: (page, { basket }) => inDialog(page).getByRole("button", { name: basket.pack }),
  }),
  of("grid", {
    first: show("grid"),
    shows: (page) => page.getByRole("gridcell").locator("img").nth(2),
  }),
  of("grid-chosen", {
    async first(page) {
      await seen(page.getByRole("gridcell").locator("img").nth(2));
      await page.keyboard.press("Control+a");
    },
    shows: (page, { explorer }) => page.getByText(counted(explorer.bar.chosen, 9)),
  }),
  of("gallery", {
    first: show("gallery"),
    shows: (page) => page.getByRole("option").locator("img").nth(2),
  }),
  of("gallery-none", {
    path: `${FOLDER}/Project documents`,
    shows: (page, { explorer }) => page.getByText(explorer.gallery.none),
  }),
  of("lightbox", {
    path: `${FOLDER}?preview=drawing+1.svg`,
    shows: (page) => inDialog(page).getByRole("img", { name: "drawing 1.svg" }),
  }),
  of("preview", {
    path: `${FOLDER}?preview=notes+9.txt`,
    shows: (page) => page.getByText("中文也要好看。"),
  }),
  of("preview-gone", {
    path: `${FOLDER}?preview=nothing.txt`,
    shows: (page, { explorer }) => page.getByText(explorer.preview.failed),
  }),
  of("empty", {
    path: "/mount-explorer/drive/empty",
    shows: (page, { explorer }) => page.getByText(explorer.state.empty, { exact: true }),
  }),
  of("gone", {
    path: "/mount-explorer/drive/nothing",
    shows: (page, { explorer }) => page.getByText(explorer.state.goneTitle),
  }),
  of("down", {
    path: "/mount-explorer/away",
    shows: (page, { explorer }) => page.getByText(explorer.state.failedTitle),
  }),
  of("stranger", {
    path: "/mount-explorer",
    signedIn: false,
    shows: (page, { explorer }) => page.getByText(explorer.state.signInTitle),
  }),
];

/** The mounts of the admin area, and what opens there. */
export const mountScreens: readonly Screen[] = [
  {
    name: "mounts",
    path: "/admin/mount-management",
    signedIn: true,
    shows: (page) => page.getByRole("region", { name: "Away" }),
  },
  {
    name: "mounts-form",
    path: "/admin/mount-management",
    signedIn: true,
    first: (page, { mount }) => page.getByRole("button", { name: mount.add }).first().click(),
    shows: inDialog,
  },
  {
    name: "mounts-remove",
    path: "/admin/mount-management",
    signedIn: true,
    first: (page, { admin }) =>
      page.getByRole("region", { name: "Away" }).getByRole("button", { name: admin.list.remove }).click(),
    shows: inDialog,
  },
];
