import { expect, test } from "bun:test";
import { seen, startJourney, until } from "../../support/browser/journey.ts";

/** Every visit fails when anything asks another origin; these look where that is most likely. */

const journey = await startJourney();

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const demanding = `# Everything at once

Inline $a^2 + b^2 = c^2$ and a block:

$$
\\int_0^1 x^2 \\, dx
$$

\`\`\`python
print("hello")
\`\`\`

\`\`\`mermaid
graph TD; A[Start] --> B[End]
\`\`\`

| a | b |
|---|---|
| 1 | 2 |
`;

test("an image of another host waits for a click", async () => {
  const { slug } = await journey.share({ content: "![A cat](https://images.example.net/cat.png)" });
  await using reader = await journey.visitor();
  const { page, context, strangers } = reader;
  await context.route("https://images.example.net/**", (route) =>
    route.fulfill({ body: pixel, contentType: "image/png" }),
  );
  await page.goto(`/paste/${slug}`);
  const placeholder = page.getByRole("button", { name: "Load image from images.example.net" });
  await seen(placeholder);
  expect(strangers).toEqual([]);
  const asked = page.waitForRequest("https://images.example.net/cat.png");
  await placeholder.click();
  expect((await (await asked).allHeaders()).referer).toBeUndefined();
  await seen(page.getByRole("img", { name: "A cat" }));
  expect(strangers.splice(0)).toEqual(["https://images.example.net/cat.png"]);
});

test("code, formulas and diagrams are drawn with what the server has itself", async () => {
  const { slug } = await journey.share({ content: demanding });
  await using reader = await journey.visitor();
  const { page } = reader;
  await page.goto(`/paste/${slug}`);
  await seen(page.locator(".hljs-string").first());
  await seen(page.locator(".katex-display .katex-html").first());
  await seen(page.locator("svg").filter({ hasText: "Start" }).first());
  await page.waitForFunction(() => document.fonts.status === "loaded");
});

test("a text cannot run anything on its readers", async () => {
  const content = [
    "<script>window.harm = 1</script>",
    '<img src="/nothing.png" onerror="window.harm = 2">',
    "[a link](javascript:window.harm=3)",
    "[another](data:text/html,<script>window.harm=4</script>)",
    '```mermaid\ngraph TD; A["<img src=x onerror=window.harm=5>"] --> B; click A "javascript:window.harm=6"\n```',
    "$\\href{javascript:window.harm=7}{x}$",
  ].join("\n\n");
  const { slug } = await journey.share({ content });
  await using reader = await journey.visitor();
  const { page } = reader;
  await page.goto(`/paste/${slug}`);
  await seen(page.getByText("<script>window.harm = 1</script>"));
  await page.waitForLoadState("networkidle");
  expect(await page.locator("a[href^='javascript:' i], a[href^='data:' i], [onerror], [onclick]").count()).toBe(0);
  expect(await page.evaluate(() => "harm" in window)).toBe(false);
});

test("the raw text is inert even when it is opened as a page", async () => {
  const { slug } = await journey.share({ content: "<script>window.harm = 1</script>" });
  await using reader = await journey.visitor();
  const { page } = reader;
  const answer = await page.goto(`/api/raw/${slug}`);
  expect(answer?.headers()).toMatchObject({
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
  });
  expect(answer?.headers()["content-security-policy"]).toContain("sandbox");
  expect(await page.evaluate(() => "harm" in window)).toBe(false);
});

test("the log tells no password, no grant and no token", async () => {
  const { slug, grant } = await journey.share({ content: "x", password: "open sesame" });
  await fetch(`${journey.server.address}/api/raw/${slug}?password=open%20sesame`);
  await fetch(`${journey.server.address}/api/raw/${slug}?grant=${grant}`);
  await using admin = await journey.admin();
  await admin.page.goto("/admin/text-management");
  await seen(admin.page.getByRole("heading", { name: "Texts", exact: true }));
  const token = (await admin.page.evaluate(() => localStorage.getItem("admin_token"))) ?? "";
  // Lines are held back for a moment; the last request is among them when its own line is there.
  const log = await until(
    async () => journey.server.stdout(),
    (lines) => lines.includes('"path":"/api/pastes"'),
  );
  expect(log).toContain(`/api/raw/${slug}`);
  for (const secret of ["sesame", grant ?? "", token, journey.server.adminPassword]) expect(log).not.toContain(secret);
});
