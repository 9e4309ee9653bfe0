import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { findings } from "../../support/browser/axe.ts";
import { screenshot, UNLOADED } from "../../support/browser/chromium.ts";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { seen, startJourney, throttle, until } from "../../support/browser/journey.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

const journey = await startJourney();
const seeds = treeSeeds(journey);
const MiB = 1024 * 1024;

const upload = async (
  page: Page,
  files: Parameters<import("playwright-core").FileChooser["setFiles"]>[0],
  menu = false,
) => {
  const press = async () => {
    if (!menu) return explorerPage(page).command("Upload").click();
    await page.getByRole("button", { name: "More actions" }).first().click();
    await page.getByRole("menuitem", { name: "Upload folder" }).click();
  };
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), press()]);
  await chooser.setFiles(files);
};
const text = (name: string, content: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(content) });
const { contentOf } = seeds;

/** Drops files onto the page, as from the desktop. */
const drop = (page: Page, name: string, content: string) =>
  page.evaluate(
    ([name = "", content = ""]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], name, { type: "text/plain" }));
      for (const type of ["dragover", "drop"])
        document
          .querySelector("[data-explorer]")
          ?.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    },
    [name, content],
  );

describe("uploading into a folder", () => {
  test("chosen, dropped and pasted files appear in it", async () => {
    await seeds.folder("/drive/ways");
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await page.goto("/mount-explorer/drive/ways");
    await seen(page.getByText("This folder is empty"));
    await upload(page, [text("chosen 1.txt", "one"), text("名字 #2?.txt", "two"), text("empty.txt", "")]);
    await seen(page.getByText("All 3 files uploaded"));
    await explorer.shows(["chosen 1.txt", "empty.txt", "名字 #2?.txt"]);
    await drop(page, "dropped.txt", "three");
    await explorer.shows(["chosen 1.txt", "dropped.txt", "empty.txt", "名字 #2?.txt"]);
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(["x"], "image.png", { type: "image/png" }));
      document.body.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
      );
    });
    await until(explorer.names, (names) => names.length === 5 && names.some((name) => /^Pasted .*\.png$/.test(name)));
    expect((await contentOf("/drive/ways/名字 #2?.txt")).toString()).toBe("two");
  });

  test("pasted text becomes a file whose name is asked for, where files may go", async () => {
    await seeds.text("/drive/notes/there.md", "old");
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open("/drive/notes");
    const paste = (text: string, selector = "body") =>
      page.evaluate(
        ([pasted = "", at = ""]) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text/plain", pasted);
          const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
          document.querySelector(at)?.dispatchEvent(event);
        },
        [text, selector],
      );
    await paste("# 标题\r\nline <b>two</b>\n");
    const field = explorer.dialog.getByLabel("File name");
    await seen(explorer.dialog.getByText("line <b>two</b>"));
    expect(await findings(page)).toEqual([]);
    await screenshot(page, "explorer-pasted-text");
    // All but the ending is marked, so that a name can be typed at once.
    await page.keyboard.type("there");
    expect(await field.inputValue()).toBe("there.txt");
    await field.fill("there.md");
    await page.keyboard.press("Enter");
    await seen(explorer.dialog.getByText("“there.md” already exists here."));
    await field.fill("笔记.md");
    await page.keyboard.press("Enter");
    await explorer.shows(["there.md", "笔记.md"]);
    expect((await contentOf("/drive/notes/笔记.md")).toString()).toBe("# 标题\nline <b>two</b>\n");
    expect((await contentOf("/drive/notes/there.md")).toString()).toBe("old");

    await paste("as it is suggested");
    await seen(field);
    await page.keyboard.press("Enter");
    await until(explorer.names, (names) => names.some((name) => /^Pasted text .*\.txt$/.test(name)));
    await paste("for nobody");
    await seen(field);
    await page.keyboard.press("Escape");
    expect(await explorer.names()).toHaveLength(3);
    await explorer.open("");
    await paste("nowhere");
    await seen(page.getByText("Open a folder first."));
  });

  test("a folder comes with what is in it", async () => {
    using folder = temporaryFolder();
    await Bun.write(join(folder.path, "album/2026/a.txt"), "a");
    await Bun.write(join(folder.path, "album/b.txt"), "b");
    await seeds.folder("/drive/trees");
    await using visit = await journey.admin();
    const { page } = visit;
    await page.goto("/mount-explorer/drive/trees");
    await seen(page.getByText("This folder is empty"));
    await upload(page, join(folder.path, "album"), true);
    await explorerPage(page).shows(["album"]);
    expect(await seeds.names("/drive/trees/album")).toEqual(["2026", "b.txt"]);
    expect((await contentOf("/drive/trees/album/2026/a.txt")).toString()).toBe("a");
  });

  test("taken names are asked about: replace, keep both, skip, for all", async () => {
    for (const name of ["a.txt", "b.txt", "c.txt", "d.txt"]) await seeds.text(`/drive/clashes/${name}`, "old");
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open("/drive/clashes");
    await upload(
      page,
      ["a.txt", "b.txt", "c.txt", "d.txt"].map((name) => text(name, "new")),
    );
    await explorer.dialog.getByRole("button", { name: "Replace" }).click();
    await seen(explorer.dialog.getByText("“b.txt” already exists"));
    await explorer.dialog.getByRole("button", { name: "Skip" }).click();
    await seen(explorer.dialog.getByText("“c.txt” already exists"));
    await explorer.dialog.getByRole("checkbox").check();
    await explorer.dialog.getByRole("button", { name: "Keep both" }).click();
    await explorer.shows(["a.txt", "b.txt", "c (1).txt", "c.txt", "d (1).txt", "d.txt"]);
    const found = ["a.txt", "b.txt", "c.txt", "c (1).txt"].map(async (name) =>
      (await contentOf(`/drive/clashes/${name}`)).toString(),
    );
    expect(await Promise.all(found)).toEqual(["new", "old", "old", "new"]);
  });

  test("calling the question off sends nothing", async () => {
    await seeds.text("/drive/off/a.txt", "old");
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open("/drive/off");
    await upload(page, [text("a.txt", "new"), text("b.txt", "new")]);
    await seen(explorer.dialog);
    await page.keyboard.press("Escape");
    await explorer.shows(["a.txt"]);
    expect(await page.getByRole("region", { name: "Tasks" }).count()).toBe(0);
  });

  test.each(["Presigned (recommended)", "Through the server", "In parts"])(
    "%s: 12 MB are paused, go on while another folder is on view, and arrive whole",
    async (mode) => {
      using folder = temporaryFolder();
      const bytes = crypto.getRandomValues(Buffer.alloc(65_536));
      const whole = Buffer.concat(Array.from({ length: 192 }, () => bytes));
      const name = `${mode}.bin`;
      await Bun.write(join(folder.path, name), whole);
      const place = `/drive/modes ${crypto.randomUUID()}`;
      await seeds.text(`${place}/first.txt`);
      await using visit = await journey.admin();
      const { page } = visit;
      const explorer = explorerPage(page);
      const parts: string[] = [];
      page.on("request", (request) => {
        if (request.method() === "PUT") parts.push(new URL(request.url()).searchParams.get("partNumber") ?? "whole");
      });
      await explorer.open(place);
      await upload(page, text("small.txt", "small"));
      await seen(page.getByText("1 file uploaded").first());
      await page.getByRole("button", { name: "Show the tasks" }).click();
      await page
        .getByRole("region", { name: "Tasks" })
        .getByRole("button", { name: "Presigned (recommended)" })
        .click();
      await page.getByRole("radio", { name: new RegExp(`^${mode.slice(0, 8)}`) }).check();
      await page.keyboard.press("Escape");
      await throttle(visit, 8 * MiB);
      parts.length = 0;
      await upload(page, join(folder.path, name));
      await page.getByRole("button", { name: `Pause: ${name}` }).click();
      await seen(page.locator("li[data-state=paused]"));
      await page.getByRole("button", { name: `Resume: ${name}` }).click();
      await page.getByRole("link", { name: "drive", exact: true }).click();
      await throttle(visit, -1);
      await seen(page.getByText("All 2 files uploaded").first());
      expect((await contentOf(`${place}/${name}`)).equals(whole)).toBe(true);
      if (mode === "In parts") expect(new Set(parts).size).toBe(3);
      else expect(new Set(parts)).toEqual(new Set(["whole"]));
    },
  );

  test("what is lost on the way is told, and trying again brings it", async () => {
    await seeds.text("/drive/lost/there.txt");
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open("/drive/lost");
    await page.route("**/api/fs/presign/commit", (route) =>
      route.fulfill({ status: 507, json: { code: 507, error: "storage.full", message: "full" } }),
    );
    await upload(page, text("a.txt", "a"));
    await seen(page.getByText("0 uploaded, 1 failed").first());
    await page.getByRole("button", { name: "Show the tasks" }).click();
    await seen(page.locator("li[data-state=failed]"));
    await page.unroute("**/api/fs/presign/commit");
    await page.getByRole("button", { name: "Try again: a.txt" }).click();
    await explorer.shows(["a.txt", "there.txt"]);
    visit.forgive(UNLOADED);
  });

  test("what is dropped on a folder goes into it, in the list and in the grid", async () => {
    await seeds.folder("/drive/drops/inner");
    await seeds.text("/drive/drops/there.txt");
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open("/drive/drops");
    const dropOn = (name: string, content: string, types: readonly string[]) =>
      explorer.row("inner").evaluate(
        (element, [name = "", content = "", ...types]) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([content], name, { type: "text/plain" }));
          for (const type of types)
            element.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
        },
        [name, content, ...types],
      );
    await dropOn("a.txt", "list", ["dragover"]);
    await seen(page.getByText("Drop to upload to “inner”"));
    await dropOn("a.txt", "list", ["drop"]);
    await until(
      () => seeds.names("/drive/drops/inner"),
      (names) => names.includes("a.txt"),
    );
    await page.getByRole("button", { name: "Grid" }).click();
    await dropOn("b.txt", "grid", ["dragover", "drop"]);
    await until(
      () => seeds.names("/drive/drops/inner"),
      (names) => names.includes("b.txt"),
    );
    expect(await seeds.names("/drive/drops")).toEqual(["inner", "there.txt"]);
    await page.getByRole("button", { name: "List" }).click();
  });

  test("a small file that is cancelled on the way is given up at once", async () => {
    await seeds.text("/drive/given/there.txt");
    await using visit = await journey.admin();
    const { page } = visit;
    await explorerPage(page).open("/drive/given");
    const given = page.waitForRequest((request) => request.url().endsWith("/api/fs/presign/abort"));
    await page.route("**/store-*/**", (route) => (route.request().method() === "PUT" ? undefined : route.fallback()));
    await upload(page, text("slow.txt", "slow"));
    await page.getByRole("button", { name: "Show the tasks" }).click();
    await page.getByRole("button", { name: "Cancel upload: slow.txt" }).click();
    expect((await (await given).response())?.status()).toBe(200);
    await page.unroute("**/store-*/**");
    expect(await seeds.names("/drive/given")).toEqual(["there.txt"]);
  });
});
