import { describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import type { KeyRecord } from "#contract/keys";
import { en } from "#contract/messages/en";
import { bitsOf, type Permission } from "#contract/permissions";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { gone, seen, startJourney } from "../../support/browser/journey.ts";
import { peopleOf } from "../../support/browser/people.ts";
import { forgetDown, mountDown } from "../../support/screens/explorer.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

/** What the person is told while others, the storage or the rights change under the page. */

const journey = await startJourney();
const seeds = treeSeeds(journey);
const people = peopleOf(journey);
await mountDown(journey);

type Explorer = ReturnType<typeof explorerPage>;

interface Act {
  readonly name: string;
  readonly right: Permission;
  /** Label of the command, as it stands in toolbar or menu. */
  readonly command: string;
  /** What is done with “a.txt” after the page has it, up to the last press. */
  readonly act: (page: Page, explorer: Explorer) => Promise<unknown>;
}

const answer = (explorer: Explorer, button: string): Locator => explorer.dialog.getByRole("button", { name: button });

async function into(explorer: Explorer, command: string, button: string): Promise<void> {
  await explorer.menu("a.txt", command);
  await explorer.dialog.getByRole("treeitem", { name: "target" }).click();
  await answer(explorer, button).click();
}

const changes: readonly Act[] = [
  {
    name: "renaming",
    right: "mount_rename",
    command: "Rename",
    async act(page, explorer) {
      await explorer.menu("a.txt", "Rename");
      await explorer.dialog.getByRole("textbox").fill("b.txt");
      await page.keyboard.press("Enter");
    },
  },
  {
    name: "copying",
    right: "mount_copy",
    command: "Copy to…",
    act: (_, explorer) => into(explorer, "Copy to…", "Copy here"),
  },
  {
    name: "moving",
    right: "mount_rename",
    command: "Move to…",
    act: (_, explorer) => into(explorer, "Move to…", "Move here"),
  },
];

const looks: readonly Act[] = [
  {
    name: "sharing",
    right: "mount_view",
    command: "Share",
    async act(_, explorer) {
      await explorer.menu("a.txt", "Share");
      await answer(explorer, "Create link").click();
    },
  },
  {
    name: "the direct link",
    right: "mount_view",
    command: "Copy direct link",
    act: (_, explorer) => explorer.menu("a.txt", "Copy direct link"),
  },
  {
    name: "the details",
    right: "mount_view",
    command: "Details",
    act: (_, explorer) => explorer.menu("a.txt", "Details"),
  },
  {
    name: "the preview",
    right: "mount_view",
    command: "Preview",
    act: (_, explorer) => explorer.menu("a.txt", "Preview"),
  },
  {
    name: "downloading",
    right: "mount_view",
    command: "Download",
    act: (_, explorer) => explorer.menu("a.txt", "Download"),
  },
];

/** A folder of its own with “a.txt” and “target”, on view. */
async function opened(name: string, page: Page): Promise<Explorer> {
  await seeds.folder(`/drive/${name}/target`);
  await seeds.text(`/drive/${name}/a.txt`, "text");
  const explorer = explorerPage(page);
  await explorer.open(`/drive/${name}`);
  await explorer.shows(["target", "a.txt"]);
  return explorer;
}

describe("a file that has vanished meanwhile is told by", () => {
  test.each([...changes, ...looks].map((one) => [one.name, one] as const))("%s", async (name, { act }) => {
    // Beside the list the details of what has vanished go with its row.
    await using visit = await journey.admin({ width: 1200 });
    const { page } = visit;
    const explorer = await opened(`vanished ${name}`, page);
    await journey.call("DELETE", "/api/fs/batch-remove", { paths: [`/drive/vanished ${name}/a.txt`] });
    await act(page, explorer);
    await seen(page.getByText("This file or folder does not exist.").first());
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await explorer.shows(["target"]);
  });
});

describe("a right that was taken away meanwhile", () => {
  const all = ["mount_view", "mount_upload", "mount_copy", "mount_rename", "mount_delete"] as const;
  const keyIn = async (basic_path: string): Promise<KeyRecord> => {
    const wish = { name: `key ${crypto.randomUUID()}`, permissions: bitsOf(all), basic_path, expires_at: null };
    return (await journey.call<{ data: KeyRecord }>("POST", "/api/admin/api-keys", wish)).data;
  };
  const making: Act = {
    name: "making a folder",
    right: "mount_upload",
    command: "New folder",
    async act(page, explorer) {
      await explorer.command("New folder").click();
      await explorer.dialog.getByRole("textbox").fill("new");
      await page.keyboard.press("Enter");
    },
  };
  const removing: Act = {
    name: "deleting",
    right: "mount_delete",
    command: "Delete",
    async act(page, explorer) {
      await explorer.menu("a.txt", "Delete");
      await page.keyboard.press("Enter");
    },
  };

  test.each([...changes, making, removing].map((one) => [one.name, one] as const))(
    "is told by %s, and is offered no more",
    async (name, { act, right, command }) => {
      const folder = `taken ${name}`;
      await seeds.folder(`/drive/${folder}/target`);
      await seeds.text(`/drive/${folder}/a.txt`, "text");
      const key = await keyIn(`/drive/${folder}`);
      await using visit = await people.holder(key);
      const { page } = visit;
      const explorer = explorerPage(page);
      await explorer.openByKey(`/drive/${folder}`);
      await explorer.shows(["target", "a.txt"]);
      const permissions = bitsOf(all.filter((one) => one !== right));
      await journey.call("PUT", `/api/admin/api-keys/${key.id}`, { permissions });
      await act(page, explorer);
      await seen(page.getByText(en["auth.forbidden"]).first());
      await page.keyboard.press("Escape");
      await explorer.row("a.txt").click();
      await gone(explorer.command(command));
      await explorer.row("a.txt").click({ button: "right" });
      await seen(page.getByRole("menu"));
      expect(await page.getByRole("menuitem", { name: command, exact: true }).count()).toBe(0);
      expect(await seeds.names(`/drive/${folder}`)).toEqual(["a.txt", "target"]);
    },
  );

  test("to look closes the folder and says so", async () => {
    await seeds.text("/drive/unseen/sub/a.txt");
    const key = await keyIn("/drive/unseen");
    await using visit = await people.holder(key);
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.openByKey("/drive/unseen");
    await journey.call("PUT", `/api/admin/api-keys/${key.id}`, { permissions: bitsOf(["mount_delete"]) });
    await explorer.row("sub").dblclick();
    await seen(page.getByText("You cannot see the files here"));
  });

  test("with the base path leads to the new one", async () => {
    await seeds.text("/drive/moved/from/sub/a.txt");
    await seeds.text("/drive/moved/to/b.txt");
    const key = await keyIn("/drive/moved/from");
    await using visit = await people.holder(key);
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.openByKey("/drive/moved/from");
    await journey.call("PUT", `/api/admin/api-keys/${key.id}`, { basic_path: "/drive/moved/to" });
    await explorer.row("sub").dblclick();
    await explorer.shows(["b.txt"]);
  });
});

describe("a storage that is down", () => {
  const DOWN = en["storage.unreachable"];

  test("says so in its folder and leaves the others alone", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open("");
    await explorer.shows(["away", "drive"]);
    await explorer.row("away").dblclick();
    await seen(page.getByText(DOWN));
    await page.getByRole("button", { name: "Try again" }).click();
    await seen(page.getByText(DOWN));
    await page.getByRole("link", { name: "Up one level" }).click();
    await explorer.shows(["away", "drive"]);
    forgetDown(visit);
  });

  test("is told by a copy into it with the file, and the file stays to be chosen again", async () => {
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = await opened("copied away", page);
    await explorer.menu("a.txt", "Copy to…");
    await explorer.dialog.getByRole("treeitem", { name: "away", exact: true }).click();
    await answer(explorer, "Copy here").click();
    await seen(page.getByRole("alert").filter({ hasText: "a.txt" }).first());
    await explorer.shows(["target", "a.txt"]);
    forgetDown(visit);
  });
});

describe("a server that cannot be reached", () => {
  test("is told, nothing is lost from the dialog, and the same press works afterwards", async () => {
    await using visit = await journey.admin();
    const { page, context } = visit;
    const explorer = await opened("cut off", page);
    await explorer.menu("a.txt", "Rename");
    await explorer.dialog.getByRole("textbox").fill("b.txt");
    await context.setOffline(true);
    await page.keyboard.press("Enter");
    await seen(explorer.dialog.getByRole("alert"));
    expect(await explorer.dialog.getByRole("textbox").inputValue()).toBe("b.txt");
    await context.setOffline(false);
    await page.keyboard.press("Enter");
    await explorer.shows(["target", "b.txt"]);
  });
});
