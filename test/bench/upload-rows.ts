import { closeBrowser, openBrowser } from "../support/browser/chromium.ts";
import { signIn } from "../support/clients/sign-in.ts";
import { startServer } from "../support/server.ts";

/**
 * `bun test/bench/upload-rows.ts [files]`: how long it takes until a thousand chosen files are listed on the upload page, how
 * many rows are drawn for them, and how long the page stands still while the list is scrolled. Wants built pages
 * (`bun build.ts --web`).
 */
const count = Number(process.argv[2] ?? 1000);
const [server, browser] = await Promise.all([startServer(), openBrowser()]);
try {
  const token = await signIn(server.address, server.adminPassword);
  await using visit = await browser.newPage({ address: server.address });
  const { page } = visit;
  page.setDefaultTimeout(120_000);
  await visit.context.addInitScript((token) => localStorage.setItem("admin_token", token), token);
  await page.goto("/upload");
  await page.locator('input[type="file"]').first().waitFor({ state: "attached" });

  const listed = await page.evaluate(async (files) => {
    const chosen = new DataTransfer();
    for (let at = 0; at < files; at++) {
      chosen.items.add(new File(["x".repeat(at % 100)], `photo of the summer ${at} 照片.txt`, { type: "text/plain" }));
    }
    const input = document.querySelector<HTMLInputElement>('input[type="file"]');
    if (!input) throw new Error("there is no place for files");
    const began = performance.now();
    input.files = chosen.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    while (!document.querySelector("li[data-state]")) await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    await new Promise((done) => setTimeout(done));
    return { took: performance.now() - began, rows: document.querySelectorAll("li[data-state]").length };
  }, count);

  const scrolled = await page.evaluate(async () => {
    const tasks: number[] = [];
    const watching = new PerformanceObserver((found) =>
      tasks.push(...found.getEntries().map(({ duration }) => duration)),
    );
    watching.observe({ type: "longtask" });
    const steps = 60;
    const began = performance.now();
    for (let step = 1; step <= steps; step++) {
      window.scrollTo(0, (document.documentElement.scrollHeight / steps) * step);
      await new Promise(requestAnimationFrame);
    }
    const took = performance.now() - began;
    await new Promise((done) => setTimeout(done, 100));
    const rows = [...document.querySelectorAll("li[data-state]")];
    return { took, frames: steps, tasks, last: rows.at(-1)?.textContent ?? "" };
  });

  const longest = Math.max(0, ...scrolled.tasks);
  process.stdout.write(
    `${count} files: listed after ${listed.took.toFixed(0)} ms as ${listed.rows} rows; ` +
      `${scrolled.frames} frames of scrolling in ${scrolled.took.toFixed(0)} ms, ` +
      `${scrolled.tasks.length} long tasks, the longest ${longest.toFixed(0)} ms; ` +
      `the last row is ${scrolled.last.includes(`summer ${count - 1} `) ? "there" : "missing"}\n`,
  );
} finally {
  await Promise.all([server.stop(), closeBrowser()]);
}
