import { afterAll, afterEach } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { nameAt } from "#contract/base-path";
import type { FileRecord } from "#contract/files";
import type { CreatedPaste, NewPaste } from "#contract/pastes";
import { recordLog } from "../logs/log-record.ts";
import { type ServerOptions, startServer, type TestServer } from "../server.ts";
import { memoryFolder } from "../temporary-folder.ts";
import {
  type BrowserLook,
  closeBrowser,
  drainComplaints,
  openBrowser,
  type Visit,
  type VisitOptions,
} from "./chromium.ts";

export { until } from "../until.ts";

/** The path below which the server of each journey is: another one has the same journeys run there (test/support/browser/below-a-path.ts). */
export const basePath = process.env.TEST_BASE_PATH ?? "";

/** The name that the pages give what they keep in the browser. */
export const ownName = (name: string): string => nameAt(basePath, name);

type Visitor = Omit<VisitOptions, "address">;

/** A picture of one pixel. */
export const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** What the people of a journey have in common: one server, and browsers of their own. */
export interface Journey {
  readonly server: TestServer;
  /** Somebody with a fresh browser. */
  visitor(options?: Visitor): Promise<Visit>;
  /** Somebody who has signed in before. */
  admin(options?: Visitor): Promise<Visit>;
  /** Shares a text as a script would. */
  share(paste: NewPaste): Promise<CreatedPaste>;
  /** Shares a file as a script would. */
  shareFile(file: File, options?: Readonly<Record<string, string>>): Promise<FileRecord>;
  /** Calls the API as the administrator; answers the body of a success. */
  call<Answer>(method: string, path: string, body?: unknown): Promise<Answer>;
}

/**
 * Starts the server of one test file and stops it when its tests have ended. A test fails when one of its visits asked
 * another origin for anything or met an error, whatever else it was about.
 */
export async function startJourney({
  scrollbars = false,
  ...options
}: ServerOptions & BrowserLook = {}): Promise<Journey> {
  const environment = { ...(basePath !== "" && { BASE_PATH: basePath }), ...options.environment };
  const folder = options.dataDir === undefined ? memoryFolder() : undefined;
  const placed = { ...options, ...(folder && { dataDir: folder.path }), environment };
  const [server, browser] = await Promise.all([startServer(placed), openBrowser({ scrollbars })]);
  afterAll(async () => {
    await Promise.all([server.stop(), closeBrowser()]);
    folder?.[Symbol.dispose]();
  });
  afterEach(() => {
    const complaints = drainComplaints();
    if (complaints.length > 0) throw new Error(complaints.join("\n"));
  });
  const { address, adminPassword } = server;

  const record = recordLog();
  afterAll(() => record.keep(""));
  const send = async <Answer>(path: string, init: RequestInit): Promise<Answer> => {
    record.sent({ url: path, headers: new Headers(init.headers), body: init.body });
    const response = await fetch(address + path, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    record.told(text);
    return JSON.parse(text) as Answer;
  };

  let signedIn: Promise<string> | undefined;
  const signIn = async () => {
    const credentials = { username: "admin", password: adminPassword };
    const login = { method: "POST", body: JSON.stringify(credentials) };
    return (await send<{ data: { token: string } }>("/api/admin/login", login)).data.token;
  };
  const token = () => {
    signedIn ??= signIn();
    return signedIn;
  };
  const authorization = async () => ({ authorization: `Bearer ${await token()}` });
  const call = async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> =>
    send(path, { method, headers: await authorization(), ...(body !== undefined && { body: JSON.stringify(body) }) });

  return {
    server,
    visitor: (options = {}) => browser.newPage({ ...options, address }),
    async admin(options = {}) {
      const visit = await browser.newPage({ ...options, address });
      await visit.context.addInitScript(
        ([stored, tokenName, nameName]) => {
          // A document without an origin, such as the browser's own about an error, may not ask for storage.
          if (window.origin === "null" || sessionStorage.getItem("arrived")) return;
          sessionStorage.setItem("arrived", "1");
          localStorage.setItem(tokenName, stored);
          localStorage.setItem(nameName, "admin");
        },
        [await token(), ownName("admin_token"), ownName("admin_username")] as const,
      );
      return visit;
    },
    share: (paste) => call<CreatedPaste>("POST", "/api/paste", paste),
    async shareFile(file, options = {}) {
      const body = new FormData();
      for (const [name, value] of Object.entries(options)) body.set(name, value);
      body.set("file", file);
      const init = { method: "POST", headers: await authorization(), body };
      return (await send<{ data: FileRecord }>("/api/upload", init)).data;
    },
    call,
  };
}

/** Waits until it is there to see. */
export const seen = (locator: Locator): Promise<void> => locator.waitFor({ state: "visible" });

/** Waits until it is there no more. */
export const gone = (locator: Locator): Promise<void> => locator.waitFor({ state: "hidden" });

/** The widest that anything on the page reaches beyond the screen, in pixels; the place of a scrollbar is no part of the screen. */
export const overhang = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.offsetWidth);

/** Lets no more than so many bytes a second leave the page; -1 is no limit. */
export async function throttle({ context, page }: Visit, bytesPerSecond: number): Promise<void> {
  const session = await context.newCDPSession(page);
  const limits = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytesPerSecond };
  await session.send("Network.emulateNetworkConditions", limits);
}
