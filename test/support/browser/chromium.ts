import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { recordLog } from "../logs/log-record.ts";
import { sharedMemory } from "../shared-memory.ts";
import { unpackChromium } from "./chromium-files.ts";

/** How a person comes to the app. */
export interface VisitOptions {
  /** The server, for paths without an origin and to tell requests to anyone else. */
  readonly address: string;
  readonly width?: number;
  readonly height?: number;
  /** How much larger than usual everything is shown on a desk; width and height are what is left then. */
  readonly zoom?: number;
  readonly theme?: "light" | "dark";
  readonly locale?: "en-US" | "zh-CN";
  /** Only to look at a page with a tool that its policy would keep out. */
  readonly bypassPolicy?: boolean;
  /** Lets the app register its service worker, whose requests no test can stand in for. */
  readonly worker?: boolean;
  /** False for somebody who lets no page run scripts. */
  readonly scripts?: boolean;
}

/** One person with a browser of their own: nothing is shared with another visit. */
export interface Visit extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Requests to any other origin, in their order. A test that means one takes it out; any other fails it. */
  readonly strangers: string[];
  /** Errors that the page threw or wrote to the console; they fail the test when the visit ends (`await using`). */
  readonly problems: string[];
  /** Says which errors are no fault of the page, now or later, since the browser may write late. */
  forgive(problem: RegExp): void;
}

/** What the browser writes for each request that met no answer, or one of 4xx or 5xx. */
export const UNLOADED = /^console: Failed to load resource/;

export interface TestBrowser extends AsyncDisposable {
  newPage(options: VisitOptions): Promise<Visit>;
}

/** Background Synchronization: the browser tries again after a second and as often as it takes, where people wait for five minutes, and thrice. */
const impatience = [
  "--force-fieldtrials=BackgroundSync/Impatient/",
  "--force-fieldtrial-params=BackgroundSync.Impatient:initial_retry_delay_sec/1/retry_delay_factor/1/max_sync_attempts/100",
];

let opened: Promise<TestBrowser> | undefined;
const complaints: string[] = [];

/** What the visits that have ended ran into since the last call: a test file asks after each test. */
export const drainComplaints = (): string[] => complaints.splice(0);

/** How a browser shows pages. */
export interface BrowserLook {
  /** Shows scrollbars that take room, as on a desk. */
  readonly scrollbars?: boolean;
}

/** The one browser of this process, started when it is first wanted: the packed one, or the one that TEST_CHROMIUM names. */
export function openBrowser(look: BrowserLook = {}): Promise<TestBrowser> {
  opened ??= launch(look);
  return opened;
}

/** Ends the browser, if there is one, and lets it tidy up; it would not do so by itself when the tests are over. */
export async function closeBrowser(): Promise<void> {
  const closing = opened;
  opened = undefined;
  await (await closing)?.[Symbol.asyncDispose]();
}

async function launch({ scrollbars = false }: BrowserLook): Promise<TestBrowser> {
  const named = process.env.TEST_CHROMIUM;
  const { executable, environment } = named ? { executable: named, environment: {} } : await unpackChromium();
  const browser = await chromium.launch({
    executablePath: executable,
    // The package's own arguments hold --single-process, with which a closed context takes the browser along.
    args: ["--no-sandbox", "--disable-gpu", "--no-zygote", "--font-render-hinting=none", ...impatience],
    ignoreDefaultArgs: [
      // Else it makes a file on disk for each piece of memory that its processes share.
      ...(sharedMemory() ? ["--disable-dev-shm-usage"] : []),
      ...(scrollbars ? ["--hide-scrollbars"] : []),
    ],
    // Without a locale the browser calls every download whose name is not plain ASCII "download".
    env: { ...process.env, LC_ALL: "C.UTF-8", ...environment } as Record<string, string>,
  });
  return {
    async newPage({
      address,
      width = 1280,
      height = 800,
      zoom = 1,
      theme = "light",
      locale = "en-US",
      bypassPolicy = false,
      worker = false,
      scripts = true,
    }) {
      const isPhone = zoom === 1 && width < 600;
      const context = await browser.newContext({
        baseURL: address,
        viewport: { width, height },
        deviceScaleFactor: zoom,
        hasTouch: isPhone,
        isMobile: isPhone,
        colorScheme: theme,
        locale,
        timezoneId: "UTC",
        reducedMotion: "reduce",
        javaScriptEnabled: scripts,
        serviceWorkers: worker ? "allow" : "block",
        // What is not named is refused, even what people are never asked about.
        permissions: ["clipboard-read", "clipboard-write", "background-sync"],
        bypassCSP: bypassPolicy,
      });
      context.setDefaultTimeout(45_000);
      const page = await context.newPage();
      goBelow(page, new URL(address).pathname.replace(/\/$/, ""));
      return watch(context, page, new URL(address).origin);
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** Has the paths that a test names be those of the server, which may be below a path of its host. */
function goBelow(page: Page, basePath: string): void {
  if (basePath === "") return;
  const isPath = (url: string): boolean => url.startsWith("/") && !url.startsWith(`${basePath}/`);
  const below = (url: string): string => (isPath(url) ? basePath + url : url);
  const { goto, waitForURL } = page;
  page.goto = (url, options) => goto.call(page, below(url), options);
  page.waitForURL = (url, options) => waitForURL.call(page, typeof url === "string" ? below(url) : url, options);
}

function watch(context: BrowserContext, page: Page, origin: string): Visit {
  const strangers: string[] = [];
  const problems: string[] = [];
  const forgiven: RegExp[] = [];
  const record = recordLog();
  context.on("request", (request) => {
    const headers = new Headers(request.headers());
    const body = headers.get("content-type")?.includes("json") ? request.postData() : undefined;
    record.sent({ url: request.url(), headers, body });
    const { protocol, origin: asked } = new URL(request.url());
    if (/^(https?|wss?):$/.test(protocol) && asked !== origin) strangers.push(request.url());
  });
  context.on("console", (message) => {
    if (message.type() === "error" && !isRefusal(message.text(), message.location().url, origin)) {
      problems.push(`console: ${message.text()} (${message.location().url})`);
    }
  });
  context.on("weberror", (error) => problems.push(`page: ${error.error().stack ?? error.error().message}`));
  return {
    page,
    context,
    strangers,
    problems,
    forgive: (problem) => void forgiven.push(problem),
    async [Symbol.asyncDispose]() {
      // An answer that a test changes on its way finds the browser gone: nobody waits for it any more.
      for (const one of [context, ...context.pages()]) await one.unrouteAll({ behavior: "ignoreErrors" });
      await context.close();
      await record.keep("");
      const faults = problems.filter((problem) => !forgiven.some((pattern) => pattern.test(problem)));
      complaints.push(...strangers.map((url) => `asked another origin: ${url}`), ...faults);
    },
  };
}

/**
 * The browser itself writes a line for every answer of 4xx, which is what many a journey is about, and for every request of a visit
 * whose network a test takes away: pages ask at any time, and it may write late.
 */
const isRefusal = (text: string, url: string, origin: string): boolean =>
  text === "Failed to load resource: net::ERR_INTERNET_DISCONNECTED" ||
  (/^Failed to load resource: the server responded with a status of 4\d\d/.test(text) &&
    url.startsWith(`${origin}${process.env.TEST_BASE_PATH ?? ""}/api/`));

/** Keeps a picture of the page when SATCHEL_SHOTS names a folder to look at afterwards. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.SATCHEL_SHOTS;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}
