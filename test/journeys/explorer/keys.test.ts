import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { KeyRecord } from "#contract/keys";
import { bitsOf, type Permission } from "#contract/permissions";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { seen, startJourney, until } from "../../support/browser/journey.ts";
import { peopleOf, refusals } from "../../support/browser/people.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

const journey = await startJourney();
const seeds = treeSeeds(journey);
const people = peopleOf(journey);

for (const path of ["/drive/team/a.txt", "/drive/team/sub/deep.txt", "/drive/teamwork/x.txt", "/drive/other.txt"])
  await seeds.text(path, "text");

const keyIn = async (basePath: string, ...rights: Permission[]): Promise<KeyRecord> => {
  const wish = {
    name: `key ${crypto.randomUUID()}`,
    permissions: bitsOf(rights),
    basic_path: basePath,
    expires_at: null,
  };
  return (await journey.call<{ data: KeyRecord }>("POST", "/api/admin/api-keys", wish)).data;
};

const all = ["mount_view", "mount_upload", "mount_copy", "mount_rename", "mount_delete"] as const;

/** What the menus offer: of one entry, and of the folder. */
async function offered(page: Page): Promise<string[]> {
  const items = await page.getByRole("menuitem").allInnerTexts();
  await page.keyboard.press("Escape");
  return items.map((text) => text.split("\n")[0] ?? "");
}

describe("a key with a base path", () => {
  test.each(["", "/", "/drive", "/drive/teamwork", "/drive/other.txt", "/drive/team/../other", "/%ff"])(
    "who types /mount-explorer%s comes to the base path",
    async (typed) => {
      await using visit = await people.holder(await keyIn("/drive/team", ...all));
      const { page } = visit;
      await page.goto(`/mount-explorer${typed}`);
      await explorerPage(page).shows(["sub", "a.txt"]);
      expect(new URL(page.url()).pathname).toBe("/mount-explorer/drive/team");
    },
  );

  test("the path begins there, and nothing leads above it", async () => {
    await using visit = await people.holder(await keyIn("/drive/team", ...all));
    const { page } = visit;
    const refused = refusals(page);
    const explorer = explorerPage(page);
    await explorer.open("/drive/team/sub");
    await explorer.shows(["deep.txt"]);
    const links = page.getByRole("navigation", { name: "Path" }).getByRole("link");
    expect(await links.allInnerTexts()).toEqual(["team", "sub"]);
    await page.keyboard.press("Backspace");
    await explorer.shows(["sub", "a.txt"]);
    await page.keyboard.press("Backspace");
    expect(new URL(page.url()).pathname).toBe("/mount-explorer/drive/team");
    await explorer.menu("a.txt", "Copy to…");
    expect(await explorer.dialog.getByRole("treeitem").first().textContent()).toBe("team");
    expect(refused).toEqual([]);
  });
});

describe("a key with one right beside looking", () => {
  const look = ["Add to basket", "Details", "Download", "Copy direct link", "Preview", "Share"];
  const always = ["Keyboard shortcuts", "Refresh", "Select all", "Select several"];
  test.each<[Permission[], string[], string[]]>([
    [["mount_view"], look, always],
    [
      ["mount_view", "mount_upload"],
      look,
      [...always, "Collect files", "New folder", "New text file", "Upload", "Upload folder"],
    ],
    [["mount_view", "mount_copy"], [...look, "Copy", "Copy to…"], always],
    [["mount_view", "mount_rename"], [...look, "Cut", "Move to…", "Rename"], always],
    [
      ["mount_view", "mount_delete"],
      [...look, "Delete"],
      [...always, "Trash"],
    ],
  ])("%j is offered just that", async (rights, ofFile, inFolder) => {
    await using visit = await people.holder(await keyIn("/drive/team", ...rights));
    const { page } = visit;
    const refused = refusals(page);
    const explorer = explorerPage(page);
    await explorer.open("/drive/team");
    await explorer.row("a.txt").click({ button: "right" });
    expect((await offered(page)).toSorted()).toEqual(ofFile.toSorted());
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "More actions" }).click();
    expect((await offered(page)).toSorted()).toEqual(inFolder.toSorted());
    expect(refused).toEqual([]);
  });
});

describe("a key that may not look", () => {
  test.each<[Permission]>([["mount_copy"], ["mount_rename"], ["mount_delete"]])(
    "%s says so and asks nothing",
    async (right) => {
      await using visit = await people.holder(await keyIn("/drive/team", right));
      const { page } = visit;
      const refused = refusals(page);
      await page.goto("/mount-explorer");
      await seen(page.getByText("You cannot see the files here"));
      expect(refused).toEqual([]);
    },
  );

  test("with the right to upload it uploads all the same", async () => {
    await using visit = await people.holder(await keyIn("/drive/team", "mount_upload"));
    const { page } = visit;
    const refused = refusals(page);
    await page.goto("/mount-explorer");
    await seen(page.getByText("it cannot see what a folder holds"));
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: "Upload", exact: true }).click(),
    ]);
    await chooser.setFiles({ name: "blind.txt", mimeType: "text/plain", buffer: Buffer.from("blind") });
    await seen(page.getByText("1 file uploaded"));
    expect(await seeds.names("/drive/team")).toContain("blind.txt");
    expect(refused).toEqual([]);
    await journey.call("DELETE", "/api/fs/batch-remove", { paths: ["/drive/team/blind.txt"] });
  });
});

describe("rights that change meanwhile", () => {
  test("a right that was taken away is told with the file", async () => {
    const key = await keyIn("/drive/team", ...all);
    await using visit = await people.holder(key);
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.openByKey("/drive/team");
    await explorer.choose("a.txt");
    await page.keyboard.press("Delete");
    await journey.call("PUT", `/api/admin/api-keys/${key.id}`, { permissions: bitsOf(["mount_view"]) });
    await page.keyboard.press("Enter");
    await seen(page.getByRole("alert").getByText("a.txt:"));
    expect(await seeds.names("/drive/team")).toContain("a.txt");
  });

  test("a key that is gone leads to the sign-in", async () => {
    const key = await keyIn("/drive/team", ...all);
    await using visit = await people.holder(key);
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.openByKey("/drive/team");
    await people.removeKey(key);
    await explorer.row("sub").dblclick();
    await seen(page.getByText("Sign in to browse files"));
    const link = page.getByRole("main").getByRole("link", { name: "Sign in" });
    await link.click();
    await until(
      async () => new URL(page.url()).pathname,
      (path) => path === "/admin",
    );
  });

  test("a visitor is asked to sign in, and offered nothing else", async () => {
    for (const width of [390, 1280]) {
      await using visit = await journey.visitor({ width });
      const { page } = visit;
      await page.goto("/mount-explorer");
      await seen(page.getByText("Sign in to browse files"));
      expect(await page.getByRole("main").getByRole("toolbar").count()).toBe(0);
      await page.keyboard.press("Shift+?");
      expect(await page.getByRole("dialog").count()).toBe(0);
    }
  });

  test("a visitor whom the visitors' key lets look sees the files", async () => {
    await using _open = await people.visitorsMay("mount_view");
    await using visit = await journey.visitor();
    const explorer = explorerPage(visit.page);
    await explorer.open("/drive/team");
    await explorer.shows(["sub", "a.txt"]);
  });
});
