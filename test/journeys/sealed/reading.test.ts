import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { FileRecord } from "#contract/files";
import { file as enFile } from "../../../web/i18n/en/file.ts";
import { sealed as en } from "../../../web/i18n/en/sealed.ts";
import { share as enShare } from "../../../web/i18n/en/share.ts";
import { shell as enShell } from "../../../web/i18n/en/shell.ts";
import { sealed as zh } from "../../../web/i18n/zh/sealed.ts";
import { share as zhShare } from "../../../web/i18n/zh/share.ts";
import { findings } from "../../support/browser/axe.ts";
import { browserKeeps } from "../../support/browser/browser-keeps.ts";
import { screenshot, type Visit } from "../../support/browser/chromium.ts";
import { overhang, seen, startJourney, until } from "../../support/browser/journey.ts";
import { forgiveNetwork, underWorker } from "../../support/browser/offline-visit.ts";
import { beginSealed, type MadeSealed, shareSealed } from "../../support/browser/share-sealed.ts";
import { makePng, makeWav, recordFilm } from "../../support/files/media.ts";
import { makePdf } from "../../support/files/pdf.ts";
import { makeZip } from "../../support/files/zip.ts";

/** Sealed shares as their readers open them. */

const journey = await startJourney();
const seal = (given: Parameters<typeof shareSealed>[1]) => shareSealed(journey, given);

const film = await (async () => {
  await using visit = await journey.visitor();
  await visit.page.goto("/");
  return await recordFilm(visit.page);
})();

/** Stands in what is sealed, and may stand nowhere else. */
const MARKER = "a-marker-of-the-plain-text";
const TEXT = `# A sealed heading\n\n${MARKER} ![far](https://elsewhere.example/far.png) ![near](${MARKER}.png)\n`;
const people = [
  { locale: "en-US", words: en, gate: enShare.gate, width: 1280, height: 800, theme: "light" },
  { locale: "zh-CN", words: zh, gate: zhShare.gate, width: 390, height: 844, theme: "dark" },
] as const;

/** Lets the worker serve what is opened from now on: a first visit does not wait for it with what is small. */
async function withWorker(visit: Visit): Promise<void> {
  await visit.page.goto("/");
  await underWorker(visit);
}

/** Every request of a visit, with what it sends. */
function requestsOf({ context }: Visit): string[] {
  const all: string[] = [];
  context.on("request", (request) =>
    all.push(`${request.url()} ${request.headers().range ?? ""} ${request.postData() ?? ""}`),
  );
  return all;
}

const viewsOf = async ({ record: { id } }: MadeSealed): Promise<number> =>
  (await journey.call<{ data: FileRecord }>("GET", `/api/files/${id}`)).data.views;

const download = async (page: Page) => {
  const started = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download", exact: true }).click();
  return await started;
};

/** Where the worker serves what is open, as the link to keep it says. */
const openedAt = async (page: Page): Promise<string> => {
  const href = await page.locator('main a[href*="/opened/"]').getAttribute("href");
  return new URL((href ?? "").replace("?download", ""), page.url()).href;
};

describe.each(people)("a sealed text, for a reader in $locale", ({ locale, words, gate, ...look }) => {
  test("is opened by its link, whose key goes nowhere", async () => {
    const share = await seal({ name: "secret plan.md", type: "text/markdown", kind: "text", content: TEXT });
    await using visit = await journey.visitor({ ...look, locale, worker: true });
    const { page } = visit;
    const requests = requestsOf(visit);
    await withWorker(visit);
    await page.goto(share.path);
    await seen(page.getByRole("heading", { name: "A sealed heading" }));
    expect(page.url()).not.toContain("#");
    expect(await page.title()).not.toContain("secret plan");
    await seen(page.getByText(words.mark.link));
    await screenshot(page, `sealed-text-${locale}`);
    expect(await findings(page)).toEqual([]);
    expect(await overhang(page)).toBeLessThanOrEqual(0);

    await page.getByRole("button", { name: words.copyText }).first().click();
    await until(
      () => page.evaluate(() => navigator.clipboard.readText()),
      (copied) => copied === TEXT,
    );
    await page.getByText(words.tools.title).click();
    await seen(page.getByText(`printf %s ${share.key} | age -d -i - -o 'secret plan.md' sealed.age`));
    const kept = await browserKeeps(page);
    for (const secret of [share.key, share.key.slice(-40), MARKER, "secret plan"]) {
      // Not by toContain, which would write all that was searched.
      expect(kept.includes(secret)).toBe(false);
      expect(requests.filter((one) => one.includes(secret) || one.includes(encodeURIComponent(secret)))).toEqual([]);
    }
    expect(await viewsOf(share)).toBe(1);
  });

  test("asks for the key that its link has lost, as often as it takes", async () => {
    const share = await seal({
      ...{ name: "note.txt", type: "text/plain", kind: "text", content: MARKER },
      options: { max_views: "1" },
    });
    const other = await seal({ name: "other.txt", type: "text/plain", content: "other" });
    await using visit = await journey.visitor({ ...look, locale });
    const { page } = visit;
    await page.goto(`/s/${share.record.slug}`);
    await page.getByRole("button", { name: gate.openOnce }).click();
    await seen(page.getByRole("heading", { name: words.key.title }));
    await page.getByLabel(words.key.label).fill(other.key);
    await page.keyboard.press("Enter");
    await seen(page.getByText(words.failure.wrongKey));
    expect(await findings(page)).toEqual([]);
    await screenshot(page, `sealed-key-${locale}`);
    await page.getByLabel(words.key.label).fill(share.key.slice(0, -1));
    await page.keyboard.press("Enter");
    await seen(page.getByText(words.failure.wrongKey));
    const link = `${journey.server.address}${share.path.toLowerCase().replace("/s/", "/S/")} `;
    await page.getByLabel(words.key.label).fill(link.replace("secret-key-1", "secret-key-1 "));
    await page.keyboard.press("Enter");
    await seen(page.getByText(MARKER));
    await seen(page.getByText(gate.lastView));
    expect(await viewsOf(share)).toBe(1);
  });

  test("with a password tells a wrong one from the right one", async () => {
    const share = await seal({
      name: "note.txt",
      type: "text/plain",
      kind: "text",
      content: MARKER,
      password: "three words long",
    });
    await using visit = await journey.visitor({ ...look, locale });
    const { page } = visit;
    await page.goto(share.path);
    await page.getByLabel(gate.password, { exact: true }).fill("three words short");
    await page.keyboard.press("Enter");
    await seen(page.getByText(gate.wrong));
    await page.getByLabel(gate.password, { exact: true }).fill("three words long");
    await page.keyboard.press("Enter");
    await seen(page.getByText(MARKER));
    await seen(page.getByText(words.mark.password));
    expect(await viewsOf(share)).toBe(1);
  });
});

test.each([
  ["", async () => undefined],
  [" that was reloaded", async (page: Page) => void (await page.reload())],
] as const)(
  "who comes from inside the app%s has the page loaded anew, with its own policy and the key",
  async (_, act) => {
    const share = await seal({ name: "note.txt", type: "text/plain", kind: "text", content: MARKER });
    await using visit = await journey.visitor();
    const { page } = visit;
    await page.goto("/");
    await act(page);
    // Whoever presses something there sees it: the router listens by then.
    await seen(page.getByRole("link", { name: enShell.nav.upload }).first());
    const policies: string[] = [];
    page.on("response", async (response) => {
      if (new URL(response.url()).pathname.startsWith("/s/"))
        policies.push(response.headers()["content-security-policy"] ?? "");
    });
    await page.evaluate((path) => {
      history.pushState(null, "", path);
      dispatchEvent(new PopStateEvent("popstate"));
    }, share.path);
    await seen(page.getByText(MARKER));
    expect(policies).toEqual([expect.stringContaining("connect-src 'self' blob: data:;")]);
    expect(page.url()).not.toContain("#");
  },
);

test("a file on its way is waited for, and opened when it is there", async () => {
  const share = await beginSealed(journey, { name: "note.txt", type: "text/plain", kind: "text", content: MARKER });
  await using visit = await journey.visitor();
  const { page } = visit;
  await page.goto(share.path);
  await seen(page.getByText(enFile.arriving.title));
  await share.finish();
  await seen(page.getByText(MARKER));
});

test("another key is pasted into the address of an open page", async () => {
  const share = await seal({ name: "note.txt", type: "text/plain", kind: "text", content: MARKER });
  const other = await seal({ name: "other.txt", type: "text/plain", content: "other" });
  await using visit = await journey.visitor();
  const { page } = visit;
  await page.goto(`/s/${share.record.slug}#${other.key}`);
  await seen(page.getByRole("heading", { name: en.key.wrongTitle }));
  await page.evaluate((key) => window.location.assign(`#${key}`), share.key);
  await seen(page.getByText(MARKER));
  expect(page.url()).not.toContain("#");
  expect((await browserKeeps(page)).includes(share.key)).toBe(false);
});

const shows = {
  picture: {
    file: { name: "picture.png", type: "image/png", content: makePng(64, 48) },
    see: (page: Page) => seen(page.getByRole("img", { name: "picture.png" })),
  },
  pdf: {
    file: { name: "report.pdf", type: "application/pdf", content: makePdf([{ lines: ["Page number 1"] }]) },
    see: (page: Page) => seen(page.getByText("Page number 1", { exact: true })),
  },
  archive: {
    file: {
      ...{ name: "all.zip", type: "application/zip", kind: "files" as const },
      content: makeZip({ "folder/": "", "folder/hello.txt": `Hello from ${MARKER}` }),
    },
    see: async (page: Page) => {
      await page.getByRole("button", { name: "folder" }).click();
      await page.getByRole("button", { name: /^hello\.txt/ }).click();
      await seen(page.getByText(`Hello from ${MARKER}`));
    },
  },
  film: {
    file: { name: "film.webm", type: "video/webm", content: film },
    see: async (page: Page) => {
      const video = page.locator("video");
      await until(
        () => video.evaluate(({ videoWidth }: HTMLVideoElement) => videoWidth),
        (width) => width === 320,
      );
      await video.evaluate((one: HTMLVideoElement) => one.play());
      await until(
        () => video.evaluate(({ currentTime }: HTMLVideoElement) => currentTime),
        (played) => played > 0,
      );
    },
  },
};

describe.each(["worker", "memory"] as const)("by way of the %s", (way) => {
  test.each(Object.entries(shows))("a sealed %s is shown", async (_, { file, see }) => {
    const share = await seal(file);
    await using visit = await journey.visitor({ worker: way === "worker" });
    const { page } = visit;
    if (way === "worker") await withWorker(visit);
    await page.goto(share.path);
    await see(page);
    expect(await page.locator('main a[href*="/opened/"]').count()).toBe(way === "worker" ? 1 : 0);
    const arrived = await download(page);
    expect(arrived.suggestedFilename()).toBe(file.name);
    expect(await Bun.file(await arrived.path()).bytes()).toEqual(new Uint8Array(file.content));
    expect(await viewsOf(share)).toBe(1);
  });

  test("what is damaged is not taken for whole", async () => {
    const content = `${MARKER}\n`.repeat(30_000);
    const share = await seal({
      ...{ name: "long.txt", type: "text/plain", content },
      spoil(bytes) {
        bytes[400_000] = (bytes[400_000] ?? 0) ^ 1;
        return bytes;
      },
    });
    await using visit = await journey.visitor({ worker: way === "worker" });
    const { page } = visit;
    if (way === "worker") await withWorker(visit);
    await page.goto(share.path);
    await seen(page.getByText(en.failure.damaged));
    expect(await page.getByText(MARKER).count()).toBe(0);
    if (way === "worker") expect(await (await download(page)).failure()).not.toBeNull();
    else expect(await page.getByRole("link", { name: "Download" }).count()).toBe(0);
    // The browser says itself that an answer has broken off.
    visit.forgive(/ERR_FAILED|Failed to (load|fetch)/);
  });
});

test("what has lost its end, or is the content of another share, is not opened", async () => {
  const content = `${MARKER}\n`.repeat(30_000);
  const short = await seal({ name: "a.txt", type: "text/plain", content, spoil: (bytes) => bytes.slice(0, -70_000) });
  const other = await seal({ name: "b.txt", type: "text/plain", content, spoil: (bytes) => bytes.reverse() });
  await using visit = await journey.visitor();
  const { page } = visit;
  await page.goto(short.path);
  await seen(page.getByText(/Its end is missing|It is damaged/));
  await page.goto(other.path);
  await seen(page.getByText(en.failure.notAge));
  expect(await page.getByText(MARKER).count()).toBe(0);
});

test("a long recording is sought in by ranges, also by a worker that was started anew", async () => {
  const share = await seal({ name: "long.wav", type: "audio/wav", content: makeWav(1200) });
  await using visit = await journey.visitor({ worker: true });
  const { page, context } = visit;
  await withWorker(visit);
  const requests = requestsOf(visit);
  await page.goto(share.path);
  const audio = page.locator("audio");
  await until(
    () => audio.evaluate(({ duration }: HTMLAudioElement) => duration),
    (duration) => duration === 1200,
  );
  const session = await context.newCDPSession(page);
  await session.send("ServiceWorker.enable");
  await session.send("ServiceWorker.stopAllWorkers");
  const bytes = await page.evaluate(
    async (address) => {
      const answer = await fetch(address, { headers: { range: "bytes=9000000-9000009" } });
      return [answer.status, answer.headers.get("content-range"), (await answer.bytes()).length];
    },
    await openedAt(page),
  );
  expect(bytes).toEqual([206, "bytes 9000000-9000009/9600044", 10]);
  await audio.evaluate((one: HTMLAudioElement) => {
    one.currentTime = 1100;
  });
  await until(
    () => audio.evaluate((one: HTMLAudioElement) => !one.seeking && one.currentTime >= 1100),
    (sought) => sought,
  );
  expect(requests.filter((one) => /file-view\S* bytes=(8|9)\d{6}-/.test(one)).length).toBeGreaterThan(0);
  expect(await viewsOf(share)).toBe(1);
});

test("the page that a browser has kept is loaded anew for a sealed share, with its own policy and the key", async () => {
  const share = await seal({ name: "note.txt", type: "text/plain", content: MARKER });
  await using visit = await journey.visitor({ worker: true });
  const { page, context } = visit;
  await withWorker(visit);
  // All parts of the page are in the browser now.
  await page.goto(share.path);
  await seen(page.getByRole("heading", { name: "note.txt" }));
  await page.goto("/");
  await context.setOffline(true);
  await page.goto(share.path);
  const again = page.getByRole("button", { name: enShare.gate.retry });
  await seen(again);
  const loaded = page.waitForResponse((answer) => answer.request().isNavigationRequest());
  await context.setOffline(false);
  await again.click();
  expect((await loaded).headers()["content-security-policy"]).toContain("connect-src 'self'");
  await seen(page.getByRole("heading", { name: "note.txt" }));
  await forgiveNetwork(visit);
});

test("what a page has opened goes with it, also while another page has the worker live on", async () => {
  const share = await seal({ name: "note.txt", type: "text/plain", content: MARKER });
  await using visit = await journey.visitor({ worker: true });
  const { page, context, problems } = visit;
  await withWorker(visit);
  await page.goto(share.path);
  await seen(page.getByText(MARKER));
  const address = await openedAt(page);
  const other = await context.newPage();
  await other.goto(new URL("../", address).href);
  const status = () => other.evaluate(async (url) => (await fetch(url)).status, address);
  expect(await status()).toBe(200);
  await page.close();
  await until(status, (told) => told === 404);
  problems.splice(0);
});

test("a hostile page that was sealed runs nothing, wherever it is opened", async () => {
  const hostile = "<title>hostile</title><p>shown</p><script>document.title = 'it ran'</script>";
  const share = await seal({ name: "page.html", type: "text/html", content: hostile });
  await using visit = await journey.visitor({ worker: true });
  const { page, problems, context } = visit;
  await withWorker(visit);
  await page.goto(share.path);
  await seen(page.getByRole("heading", { name: "page.html" }));
  const address = await openedAt(page);
  const asCode = await page.evaluate(
    (src) =>
      new Promise((resolve) => {
        const script = Object.assign(document.createElement("script"), { src });
        script.onerror = () => resolve("refused");
        script.onload = () => resolve("ran");
        document.head.append(script);
      }),
    address,
  );
  expect(asCode).toBe("refused");
  const tab = await context.newPage();
  await tab.goto(address);
  await seen(tab.getByText("shown"));
  expect(await tab.title()).toBe("hostile");
  expect(await tab.evaluate(() => window.origin)).toBe("null");
  problems.splice(0);
});

test("a hostile drawing in the memory of its page is bytes, and no command writes over the file that it reads", async () => {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg"><script>document.title = "it ran"</script></svg>`;
  const share = await seal({ name: "Sealed.age", type: "image/SVG+xml", content: drawing });
  await using visit = await journey.visitor();
  const { page } = visit;
  await page.goto(share.path);
  const address = await page.getByRole("link", { name: "Download", exact: true }).getAttribute("href");
  expect(address).toStartWith("blob:");
  expect(await page.evaluate(async (url) => (await (await fetch(url ?? "")).blob()).type, address)).toBe(
    "application/octet-stream",
  );
  await page.getByText(en.tools.title).click();
  await seen(page.getByText("-o opened sealed.age"));
});

test("a page without WebCrypto says so, spends nothing, and says how else it opens", async () => {
  const share = await seal({ name: "note.txt", type: "text/plain", content: MARKER, options: { max_views: "1" } });
  await using visit = await journey.visitor();
  const { page } = visit;
  await page.addInitScript(() => Object.defineProperty(crypto, "subtle", { value: undefined }));
  await page.goto(share.path);
  await seen(page.getByRole("heading", { name: en.noCrypto.title }));
  await seen(page.getByText(`curl -so sealed.age '${journey.server.address}/s/${share.record.slug}?raw'`));
  expect(await viewsOf(share)).toBe(0);
});

test("a last view is loaded again for some minutes, and is gone for everybody else", async () => {
  const share = await seal({ name: "note.txt", type: "text/plain", content: MARKER, options: { max_views: "1" } });
  await using visit = await journey.visitor();
  const { page } = visit;
  await page.goto(share.path);
  await page.getByRole("button", { name: enShare.gate.openOnce }).click();
  await seen(page.getByText(MARKER));
  await page.reload();
  await seen(page.getByRole("heading", { name: en.key.title }));
  await using late = await journey.visitor();
  await late.page.goto(share.path);
  await seen(late.page.getByRole("heading", { name: enShare.gate.goneTitle }));
  expect(late.page.url()).not.toContain("#");
});
