import type { Journey } from "./journey.ts";
import type { Screen } from "./screen.ts";
import { treeSeeds } from "./tree-seeds.ts";

/** Fills the folder that the screens of the explorer show. */
export async function seedFolder(journey: Journey): Promise<void> {
  const seeds = treeSeeds(journey);
  await seeds.folder("/drive/looks/照片 Photos");
  await seeds.folder("/drive/looks/Project documents");
  for (const name of ["读我 readme.md", "notes 9.txt", "notes 10.txt", `${"长文件名-long-name-🎉".repeat(6)}.xlsx`])
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
}

/** What there is to see of the explorer. */
export const explorerScreens: readonly Screen[] = [
  {
    name: "explorer",
    path: "/mount-explorer/drive/looks",
    signedIn: true,
    first: (page, { explorer }) => page.getByRole("button", { name: explorer.view.list }).click(),
    shows: (page) => page.getByText("notes 10.txt"),
  },
  {
    name: "explorer-chosen",
    path: "/mount-explorer/drive/looks",
    signedIn: true,
    async first(page, { explorer }) {
      await page.getByRole("checkbox", { name: explorer.entry.choose.replace("{{name}}", "notes 9.txt") }).check();
      await page.getByRole("checkbox", { name: explorer.entry.choose.replace("{{name}}", "notes 10.txt") }).check();
    },
    shows: (page, { explorer }) => page.getByText(explorer.bar.chosen.replace("{{count}}", "2")),
  },
  {
    name: "explorer-menu",
    path: "/mount-explorer/drive/looks",
    signedIn: true,
    first: (page, { explorer }) =>
      page.getByRole("button", { name: explorer.entry.more.replace("{{name}}", "notes 9.txt") }).click(),
    shows: (page) => page.getByRole("menu"),
  },
  {
    name: "explorer-remove",
    path: "/mount-explorer/drive/looks",
    signedIn: true,
    async first(page, { explorer }) {
      await page.getByRole("checkbox", { name: explorer.list.selectAll }).check();
      await page.getByRole("toolbar").getByRole("button", { name: explorer.command.remove }).click();
    },
    shows: (page) => page.getByRole("dialog"),
  },
  {
    name: "explorer-grid",
    path: "/mount-explorer/drive/looks",
    signedIn: true,
    first: (page, { explorer }) => page.getByRole("button", { name: explorer.view.grid }).click(),
    shows: (page) => page.getByRole("gridcell").locator("img").nth(2),
  },
  {
    name: "explorer-gallery",
    path: "/mount-explorer/drive/looks",
    signedIn: true,
    first: (page, { explorer }) => page.getByRole("button", { name: explorer.view.gallery }).click(),
    shows: (page) => page.getByRole("option").locator("img").nth(2),
  },
  {
    name: "explorer-lightbox",
    path: "/mount-explorer/drive/looks?preview=drawing+1.svg",
    signedIn: true,
    shows: (page) => page.getByRole("dialog").getByRole("img", { name: "drawing 1.svg" }),
  },
  {
    name: "explorer-preview",
    path: "/mount-explorer/drive/looks?preview=notes+9.txt",
    signedIn: true,
    shows: (page) => page.getByText("中文也要好看。"),
  },
  {
    name: "explorer-empty",
    path: "/mount-explorer/drive/empty",
    signedIn: true,
    shows: (page, { explorer }) => page.getByText(explorer.state.empty, { exact: true }),
  },
  {
    name: "explorer-stranger",
    path: "/mount-explorer",
    signedIn: false,
    shows: (page, { explorer }) => page.getByText(explorer.state.signInTitle),
  },
];
