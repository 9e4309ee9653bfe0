import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { gone, PIXEL, seen, startJourney, until } from "../../support/browser/journey.ts";

const journey = await startJourney();
const { address } = journey.server;

const heading = (page: Page, name: string) => page.getByRole("heading", { name });
const downloadLink = (page: Page) => page.getByRole("link", { name: "Download" });

/** Presses Download and answers what arrives, with its name. */
async function download(page: Page): Promise<{ name: string; bytes: Buffer }> {
  const started = page.waitForEvent("download");
  await downloadLink(page).click();
  const file = await started;
  const bytes = Buffer.from(await Bun.file(await file.path()).arrayBuffer());
  return { name: file.suggestedFilename(), bytes };
}

describe("a shared file", () => {
  test("opens for anybody, with its facts and one Download", async () => {
    const bytes = crypto.getRandomValues(Buffer.alloc(50_000));
    const { url } = await journey.shareFile(new File([bytes], "data.bin"), { remark: "For you" });
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto(url);
    await seen(heading(page, "data.bin"));
    await seen(page.getByText("For you"));
    await until(
      () => page.title(),
      (title) => title.includes("data.bin"),
    );
    const arrived = await download(page);
    expect(arrived.name).toBe("data.bin");
    expect(arrived.bytes.equals(bytes)).toBe(true);
  });

  test("with one view is previewed, downloaded and fetched in ranges on that view", async () => {
    const { slug, url } = await journey.shareFile(new File([PIXEL], "pixel.png"), {
      max_views: "1",
      password: "sesame",
    });
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto(url);
    await page.getByRole("textbox", { name: "Password" }).fill("wrong");
    await page.getByRole("button", { name: "Open · opens once" }).click();
    await seen(page.getByText("Wrong password, please try again."));
    await page.getByRole("textbox", { name: "Password" }).fill("sesame");
    await page.getByRole("button", { name: "Open · opens once" }).click();
    await seen(heading(page, "pixel.png"));
    const image = page.getByRole("img", { name: "pixel.png" });
    await until(
      () => image.evaluate((element) => (element as HTMLImageElement).naturalWidth),
      (width) => width === 1,
    );
    const arrived = await download(page);
    expect(arrived.bytes.equals(PIXEL)).toBe(true);

    const granted = (await downloadLink(page).getAttribute("href")) ?? "";
    const range = await fetch(new URL(granted, address), { headers: { range: "bytes=1-3" } });
    expect({ status: range.status, text: await range.text() }).toEqual({ status: 206, text: "PNG" });

    await using other = await journey.visitor();
    await other.page.goto(url);
    await seen(heading(other.page, "This share is gone"));
    expect((await fetch(`${address}/api/file-download/${slug}?password=sesame`)).status).toBe(410);
  });

  test("looking at the card spends nothing, and neither does a reload", async () => {
    const { url } = await journey.shareFile(new File(["once"], "once.txt"), { max_views: "1" });
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto(url);
    await page.reload();
    await seen(page.getByRole("button", { name: "Open · opens once" }));
    expect(await page.getByText("once.txt").count()).toBe(0);
    await page.getByRole("button", { name: "Open · opens once" }).click();
    await seen(page.getByText("once", { exact: true }));
    await seen(page.getByText("This was the last view"));
  });

  const names = ["截图 2026年 (最终版).txt", "🎉 party — d'été #1 100%.txt", `${"长".repeat(83)}ab.txt`];
  test.each(names)("keeps its name: %s", async (name) => {
    const { url, storage_path } = await journey.shareFile(new File([name], name));
    expect(Buffer.byteLength(storage_path.slice(storage_path.lastIndexOf("/") + 1))).toBeLessThanOrEqual(255);
    await using visit = await journey.visitor({ width: 390, height: 844, locale: "zh-CN" });
    const { page } = visit;
    await page.goto(url);
    await seen(heading(page, name));
    const started = page.waitForEvent("download");
    await page.getByRole("link", { name: "下载" }).click();
    const file = await started;
    expect(file.suggestedFilename()).toBe(name);
    expect(await Bun.file(await file.path()).text()).toBe(name);
  });

  test("is changed and deleted by its owner where it is shown", async () => {
    const { id, url } = await journey.shareFile(new File(["text"], "mine.txt"));
    await using visit = await journey.admin();
    const { page } = visit;
    await page.goto(url);
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Note" }).fill("A better note");
    await page.getByRole("button", { name: "Save" }).click();
    await seen(page.getByText("A better note"));
    const { data } = await journey.call<{ data: { remark: string } }>("GET", `/api/files/${id}`);
    expect(data.remark).toBe("A better note");

    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await seen(heading(page, "Deleted"));
    expect((await fetch(`${address}/api/public/files/${data}`)).status).toBe(404);
    await gone(page.getByText("mine.txt", { exact: true }));
  });

  test("a page of somebody's making stays harmless when it is opened", async () => {
    const attack = "<script>document.title='taken'</script><h1>hello</h1>";
    const { slug } = await journey.shareFile(new File([attack], "page.html"));
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto(`/api/file-view/${slug}`);
    await seen(heading(page, "hello"));
    expect(await page.title()).not.toBe("taken");
    // The browser says that it kept the script from running: that is what this is about.
    expect(visit.problems.splice(0).every((problem) => problem.includes("sandbox"))).toBe(true);
  });
});
