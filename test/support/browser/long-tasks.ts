import type { Page } from "playwright-core";

/**
 * Has a page note what holds it for more than 50 ms (Long Tasks API), from its next load on. The function that is returned takes what was noted
 * since it was last called, in milliseconds.
 */
export async function noteLongTasks(page: Page): Promise<() => Promise<number[]>> {
  await page.addInitScript(() => {
    const long: number[] = [];
    Object.assign(window, { long });
    new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: "longtask",
      buffered: true,
    });
  });
  return () => page.evaluate(() => (window as unknown as { long: number[] }).long.splice(0).map(Math.round));
}
