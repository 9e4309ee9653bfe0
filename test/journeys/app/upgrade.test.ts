import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { ShareCopy } from "../../../web/offline/database.ts";
import { openBrowser, type Visit } from "../../support/browser/chromium.ts";
import { gone, PIXEL, seen, startJourney, until } from "../../support/browser/journey.ts";
import { goOffline, kept, underWorker } from "../../support/browser/offline-visit.ts";
import { passOn, serveProxy } from "../../support/proxies/proxy.ts";
import { nextBuild } from "../../support/releases/next-build.ts";
import { startServer, type TestServer } from "../../support/server.ts";
import { freePort } from "../../support/servers/free-port.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A server is upgraded while people are away, or have a tab open: the next version serves no file of the pages that they have. */

/** Somebody with a browser, and the tabs that stay open in it beside the first. */
interface Guest extends Visit {
  readonly others: Page[];
}
const visits: Record<string, Guest> = {};
const tabs = new Map<string, Page>();
let upgraded: TestServer | undefined;
// Before the hooks of the journey, which end the browser.
afterAll(async () => {
  for (const visit of Object.values(visits)) await visit[Symbol.asyncDispose]();
  await upgraded?.stop();
});

const folder = temporaryFolder();
const PORT = String(freePort());
const [journey, next] = await Promise.all([startJourney({ dataDir: folder.path, environment: { PORT } }), nextBuild()]);

await journey.share({ content: "# Words of before", slug: "text" });
await journey.share({ content: "# A rule\n\n$$x^2$$", slug: "formula" });
await journey.share({ content: "# Once\n\n$$y^2$$", slug: "once", maxViews: 1 });
const table = () => new File(["a,b\n1,2\n"], "numbers.csv");
await journey.shareFile(table(), { slug: "table" });
await journey.shareFile(new File([PIXEL], "picture.png"), { slug: "picture" });
for (const slug of ["once-guest", "once-admin", "once-tab"]) await journey.shareFile(table(), { slug, max_views: "1" });
await journey.shareFile(table(), { slug: "once-locked", max_views: "1", password: "sesame" });
await journey.call("POST", "/api/fs/update", { path: "/drive/notes.txt", content: "notes" });

/** What people come for, and what they see of it. */
const shows: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  "/paste/text": (page) => seen(page.getByRole("heading", { name: "Words of before" })),
  "/file/table": (page) => seen(page.getByRole("cell", { name: "2" })),
  "/file/picture": (page) => seen(page.getByRole("img", { name: "picture.png" })),
  "/paste/formula": (page) => seen(page.locator(".katex-html").first()),
};
const explorer = { "/mount-explorer/drive": (page: Page) => seen(page.getByText("notes.txt")) };

/** What people have read before they are without a connection. */
const carried = ["/paste/text", "/paste/formula"];

/** The first script of a page, by which one build is told from another. */
const buildOf = (page: Page) => page.locator('script[type="module"]').first().getAttribute("src");

/** Opens what may be seen once. */
async function openOnce(page: Page): Promise<void> {
  await page.getByRole("button", { name: /Open/ }).click();
  await shows["/file/table"]?.(page);
}

/** Leaves the page for another one of the app, as a link in it does. */
const goWithin = (page: Page, path: string) =>
  page.evaluate((to) => {
    window.history.pushState(null, "", to);
    window.dispatchEvent(new PopStateEvent("popstate"));
  }, path);

/** A browser writes a line for each file that is no longer there, which is what this journey is about. */
function forgive({ problems }: Visit): void {
  const left = problems.filter((problem) => !problem.includes("Failed to load resource"));
  problems.splice(0, problems.length, ...left);
}

const visitOf = (who: string): Guest => {
  const visit = visits[who];
  if (!visit) throw new Error(`${who} has not come.`);
  return visit;
};

/** Comes before the upgrade and has the worker keep what it keeps. */
async function come(who: string, visit: Visit): Promise<void> {
  visits[who] = { ...visit, others: [] };
  await visit.page.goto("/");
  await underWorker(visit);
}

/** Leaves a tab open, in which something of the app is there to see. */
async function leaveTab(
  path: string,
  at = "/upload",
  button: string | RegExp = /choose/i,
  who = "tabs",
): Promise<void> {
  const page = await visitOf(who).context.newPage();
  tabs.set(path, page);
  await page.goto(at);
  await seen(page.getByRole("button", { name: button }).first());
}

/** Reads what is to be there without a connection, and waits until the browser has it. */
async function read(visit: Visit): Promise<void> {
  for (const path of carried) {
    const since = Date.now();
    await visit.page.goto(path);
    await shows[path]?.(visit.page);
    // The next version forgets the copies of the one before.
    const isFresh = ({ slug, cachedAt }: ShareCopy) => path.endsWith(slug) && cachedAt >= since;
    await until(
      async () => (await kept(visit)).pastes ?? [],
      (copies) => copies.some((copy) => isFresh(copy as ShareCopy)),
    );
  }
}

let before: string | null = null;

beforeAll(async () => {
  await come("guest", await journey.visitor({ worker: true }));
  await come("admin", await journey.admin({ worker: true }));
  await come("traveller", await journey.visitor({ worker: true }));
  await come("tabs", await journey.admin({ worker: true }));
  // An owner is not asked before a view.
  await come("stranger", await journey.visitor({ worker: true }));
  await come("writer", await journey.admin({ worker: true }));
  before = await buildOf(visitOf("guest").page);
  await read(visitOf("traveller"));
  for (const path of [...Object.keys(shows), ...Object.keys(explorer)]) await leaveTab(path);
  for (const path of ["/file/once-tab", "/paste/once", "/file/once-locked"])
    await leaveTab(path, path, /Open/, "stranger");
  const writer = visitOf("writer");
  const other = await writer.context.newPage();
  writer.others.push(other);
  await other.goto("/");
  await seen(other.getByRole("textbox", { name: "Text to share" }));
  await writer.page.getByRole("textbox", { name: "Text to share" }).fill("being written");
  await journey.server.stop();
  const environment = { PORT };
  upgraded = await startServer({ dataDir: folder.path, environment, command: next.command });
});

describe.each(["guest", "admin"])("after an upgrade, who comes back as %s", (who) => {
  test.each(Object.entries(who === "admin" ? { ...shows, ...explorer } : shows))("sees %s", async (path, shown) => {
    const { page } = visitOf(who);
    await page.goto(path);
    await shown(page);
    expect(await buildOf(page)).not.toBe(before);
  });

  test("sees what may be seen once", async () => {
    const { page } = visitOf(who);
    await page.goto(`/file/once-${who}`);
    // Its owner is not asked.
    await (who === "admin" ? shows["/file/table"]?.(page) : openOnce(page));
  });
});

describe("after an upgrade, in a tab that was left open,", () => {
  test.each(Object.entries({ ...shows, ...explorer }))("%s is there", async (path, shown) => {
    const page = tabs.get(path) as Page;
    await goWithin(page, path);
    await shown(page);
    forgive(visitOf("tabs"));
  });

  test("a file that may be seen once is seen once", async () => {
    const page = tabs.get("/file/once-tab") as Page;
    await page.getByRole("button", { name: /Open/ }).click();
    await until(
      () => buildOf(page),
      (build) => build !== before,
    );
    await openOnce(page);
    forgive(visitOf("stranger"));
  });

  test("so is one with a password", async () => {
    const page = tabs.get("/file/once-locked") as Page;
    await page.getByLabel("Password", { exact: true }).fill("sesame");
    await page.getByRole("button", { name: /Open/ }).click();
    await until(
      () => buildOf(page),
      (build) => build !== before,
    );
    await page.getByLabel("Password", { exact: true }).fill("sesame");
    await openOnce(page);
    forgive(visitOf("stranger"));
  });

  test("so is a text with its formula", async () => {
    const page = tabs.get("/paste/once") as Page;
    await page.getByRole("button", { name: /Open/ }).click();
    await until(
      () => buildOf(page),
      (build) => build !== before,
    );
    await page.getByRole("button", { name: /Open/ }).click();
    await seen(page.locator(".katex-html").first());
    forgive(visitOf("stranger"));
  });
});

describe("after an upgrade, without a connection,", () => {
  test("what was read is there, in the pages of before and in those of after", async () => {
    const visit = visitOf("traveller");
    const { page, context } = visit;
    const see = async () => {
      for (const path of carried) {
        await page.goto(path);
        await shows[path]?.(page);
      }
    };
    await goOffline(visit);
    await see();
    await context.setOffline(false);
    await read(visit);
    expect(await buildOf(page)).not.toBe(before);
    await goOffline(visit);
    await see();
    forgive(visit);
  });
});

test("after an upgrade, a tab that was left open is told of it, and loads the next version when it may", async () => {
  const visit = visitOf("writer");
  const { page } = visit;
  const other = visit.others[0] as Page;
  const asked = (tab: Page) => tab.getByRole("status", { name: "A new version is available" });
  await other.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())?.update()));
  await asked(page).getByRole("button", { name: "Later" }).click();
  await gone(asked(page));
  await asked(other).getByRole("button", { name: "Update" }).click();
  await until(
    () => buildOf(other),
    (build) => build !== before,
  );
  // Nothing is taken from the one beside it without a word.
  await seen(asked(page));
  expect(await buildOf(page)).toBe(before);
  await asked(page).getByRole("button", { name: "Update" }).click();
  await until(
    () => buildOf(page),
    (build) => build !== before,
  );
  await seen(page.getByRole("textbox", { name: "Text to share" }).getByText("being written"));
  for (const tab of [page, other]) expect(await asked(tab).count()).toBe(0);
  forgive(visit);
});

test("after an upgrade, the page that comes back is of the next version and does not ask", async () => {
  const { page } = visitOf("guest");
  await page.goto("/");
  const worker = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state ?? "none");
  await until(worker, (state) => state === "none");
  expect(await page.getByRole("status", { name: "A new version is available" }).count()).toBe(0);
});

describe("a page that was kept is shown", () => {
  const weathers = {
    "does not answer": () => new Promise<Response>(() => undefined),
    "answers with a page of its own": async () => new Response("<h1>Sign in to the hotel</h1>", html),
    "leads elsewhere": async () => new Response(null, { status: 302, headers: { location: "/hotel" } }),
    "answers with a failure": async () => new Response("Bad gateway", { ...html, status: 502 }),
  };
  const html = { headers: { "content-type": "text/html" } };

  test("where the network lies or is silent", async () => {
    let weather: (() => Promise<Response>) | undefined;
    let led = 0;
    const proxy = serveProxy((request) => {
      if (new URL(request.url).pathname === "/hotel") led += 1;
      const isPage = request.headers.get("accept")?.includes("text/html") === true;
      return isPage && weather ? weather() : passOn(journey.server.address, request);
    });
    const browser = await openBrowser();
    await using visit = await browser.newPage({ address: proxy.url.origin, worker: true });
    const { page } = visit;
    await page.goto("/");
    await underWorker(visit);
    for (const one of Object.values(weathers)) {
      weather = one;
      await page.goto("/paste/text");
      await shows["/paste/text"]?.(page);
    }
    await page.close();
    proxy.stop(true);
    expect(led).toBe(0);
  });
});
