import type { BrowserContext, Page } from "playwright-core";

/** Notes all layout shifts of pages (Layout Instability, Cumulative Layout Shift). */
export const watchShifts = ({ context }: { readonly context: BrowserContext }): Promise<unknown> =>
  context.addInitScript(() => {
    Object.assign(window, { shifts: [] });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) (window as unknown as { shifts: unknown[] }).shifts.push(entry.toJSON());
    }).observe({ type: "layout-shift", buffered: true });
  });

/** What each shift of a page came to. */
export const shiftsOf = (page: Page): Promise<number[]> =>
  page.evaluate(() => (window as unknown as { shifts: { value: number }[] }).shifts.map(({ value }) => value));
