import { describe, expect, test } from "bun:test";
import { UNLOADED } from "../../support/browser/chromium.ts";
import { forgiveBlocked, until } from "../../support/browser/editor-page.ts";
import { gone, PIXEL, seen, startJourney } from "../../support/browser/journey.ts";

const journey = await startJourney();
describe("lines of a plain text", () => {
  const text = Array.from({ length: 40_000 }, (_, line) => `this is line ${line + 1}`).join("\n");

  test("are linked by a press on their number, and marked where the link leads", async () => {
    const { slug } = await journey.share({ content: text.slice(0, 20_000) });
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto(`/paste/${slug}`);
    await page.getByRole("button", { name: "TXT" }).click();
    const line = (number: number) => page.locator(`[data-line="${number}"]`);
    const press = async (number: number, modifiers: "Shift"[] = []) => {
      const box = await line(number).boundingBox();
      const block = await line(number).locator("..").boundingBox();
      // Lines are drawn anew when their colours arrive: then it is tried again.
      if (!box || !block) return false;
      await page.mouse.move(block.x + 4, box.y + 6);
      for (const key of modifiers) await page.keyboard.down(key);
      await page.mouse.click(block.x + 4, box.y + 6);
      for (const key of modifiers) await page.keyboard.up(key);
      return true;
    };
    await until(() => press(3));
    await until(async () => page.url().endsWith("#L3"));
    await until(() => press(6, ["Shift"]));
    await until(async () => page.url().endsWith("#L3-L6"));
    await until(async () => (await page.locator(".marked").count()) === 4);
    await page.getByRole("button", { name: "Copy lines" }).click();
    await until(async () => (await page.evaluate(() => navigator.clipboard.readText())).startsWith("this is line 3\n"));
    await page.getByRole("button", { name: "Close" }).click();
    await until(async () => !page.url().includes("#"));
  });

  test("far down in a long text are reached by their link, on a phone too", async () => {
    const { slug } = await journey.share({ content: text });
    for (const size of [{}, { width: 390, height: 844, theme: "dark" as const }]) {
      await using visit = await journey.visitor(size);
      const { page } = visit;
      await page.goto(`/paste/${slug}#L30000-L30002`);
      const line = page.locator('[data-line="30000"]');
      await seen(line);
      await until(() =>
        line.evaluate((one) => one.getBoundingClientRect().top > 0 && one.getBoundingClientRect().bottom < innerHeight),
      );
      expect(await page.locator(".marked").count()).toBe(3);
    }
  });

  test("of ten megabytes are there to read", async () => {
    const content = `${"a line of a long text that goes on and on\n".repeat(245_000)}the very end`;
    const { slug } = await journey.share({ content });
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto(`/paste/${slug}`);
    await seen(page.locator('[data-line="1"]'));
    await page.keyboard.press("End");
    await until(() => page.evaluate(() => document.documentElement.scrollTop > 100_000));
  });
});

test("what its owner can do with a text stands in one row on a phone, in both languages", async () => {
  const { slug } = await journey.share({ content: "short" });
  for (const locale of ["en-US", "zh-CN"] as const) {
    await using visit = await journey.admin({ width: 360, height: 740, locale });
    const { page } = visit;
    await page.goto(`/paste/${slug}`);
    const row = page.getByRole("main").getByRole("toolbar");
    await seen(row.locator(".lucide-pencil"));
    const box = await row.boundingBox();
    expect(box?.height).toBeLessThan(60);
  }
});

describe("parts of a text by themselves", () => {
  const hostile = `<h1>Drawn</h1><script>parent.hacked = true; document.title = "ran"</script><img src="https://elsewhere.example/x.png" onerror="parent.hacked = true"><style>h1 { color: green }</style><link rel="stylesheet" href="https://elsewhere.example/x.css"><iframe src="https://elsewhere.example/"></iframe>`;

  test("a web page is shown in a frame in which nothing runs and which asks nobody", async () => {
    const { slug } = await journey.share({ content: `\`\`\`html\n${hostile}\n\`\`\`` });
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto(`/paste/${slug}`);
    const blocked: string[] = [];
    visit.context.on("requestfailed", (request) => {
      if (request.failure()?.errorText === "csp") blocked.push(request.url());
    });
    await page.getByRole("button", { name: "Preview" }).click();
    const dialog = page.getByRole("dialog", { name: "Web page" });
    const frame = dialog.locator("iframe");
    expect(await frame.getAttribute("sandbox")).toBe("");
    await seen(dialog.frameLocator("iframe").getByRole("heading", { name: "Drawn" }));
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    const [other] = await Promise.all([
      visit.context.waitForEvent("page"),
      dialog.getByRole("button", { name: "Open in a new window" }).click(),
    ]);
    await seen(other.frameLocator("iframe").getByRole("heading", { name: "Drawn" }));
    expect(await other.locator("iframe").getAttribute("sandbox")).toBe("");
    await page.keyboard.press("Escape");
    await gone(dialog);
    visit.forgive(UNLOADED);
    // The browser tells of requests that its policy has not let out.
    expect(blocked.sort()).toEqual(visit.strangers.splice(0).sort());
  });

  test("a drawing, too", async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" onload="parent.hacked = true"><script>parent.hacked = true</script><rect width="10" height="10"/></svg>`;
    const { slug } = await journey.share({ content: `\`\`\`svg\n${svg}\n\`\`\`` });
    await using visit = await journey.visitor({ theme: "dark" });
    const { page } = visit;
    await page.goto(`/paste/${slug}`);
    await page.getByRole("button", { name: "Preview" }).click();
    await seen(page.getByRole("dialog").frameLocator("iframe").locator("rect"));
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    forgiveBlocked(visit);
    visit.forgive(/Content Security Policy/);
  });

  test("an image of another site waits for a press, and then can be enlarged", async () => {
    const { slug } = await journey.share({ content: "before\n\n![far](https://elsewhere.example/far.png)" });
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.route("https://elsewhere.example/**", (route) =>
      route.fulfill({ contentType: "image/png", body: PIXEL }),
    );
    await page.goto(`/paste/${slug}`);
    await page.waitForLoadState("networkidle");
    expect(visit.strangers).toEqual([]);
    await page.getByRole("button", { name: /elsewhere\.example/ }).click();
    await until(() => page.locator("main img").evaluate((image: HTMLImageElement) => image.naturalWidth > 0));
    expect(visit.strangers.splice(0)).toEqual(["https://elsewhere.example/far.png"]);
    await page.getByRole("button", { name: "Enlarge far" }).press("Enter");
    await seen(page.getByRole("dialog", { name: "far" }));
    await page.keyboard.press("Escape");
    visit.strangers.splice(0);
  });
});

test("on a phone the outline folds away when it has led somewhere", async () => {
  const { slug } = await journey.share({ content: `# One\n\n${"word ".repeat(800)}\n\n## Two\n\nend` });
  await using visit = await journey.visitor({ width: 390, height: 844 });
  const { page } = visit;
  await page.goto(`/paste/${slug}`);
  await page
    .getByText("Contents", { exact: true })
    .or(page.getByText("Outline", { exact: true }))
    .first()
    .click();
  await page.getByRole("link", { name: "Two" }).click();
  await until(() => page.evaluate(() => scrollY > 300));
});
