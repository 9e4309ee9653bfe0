import { join } from "node:path";
import type { Page } from "playwright-core";
import { openBrowser } from "../support/browser/chromium.ts";
import { signIn } from "../support/clients/sign-in.ts";
import { startServer } from "../support/server.ts";

/** A page to measure: how what it shows is shared, and what is there once it is complete. */
interface Measured {
  readonly path: string;
  share(address: string, authorization: string): Promise<Response>;
  shown(page: Page): Promise<unknown>;
}

/** A picture of one pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const textOf = (content: string): Measured => ({
  path: "/paste/bench",
  share: (address, authorization) =>
    fetch(`${address}/api/paste`, {
      method: "POST",
      headers: { authorization },
      body: JSON.stringify({ content, slug: "bench" }),
    }),
  shown: (page) => page.getByRole("heading", { name: "Title" }).waitFor(),
});

const text = textOf("# Title\n\nSome *text* with a [link](https://example.com) and a list:\n\n- one\n- two");

const file = (content: File, shown: Measured["shown"]): Measured => ({
  path: "/file/bench",
  share(address, authorization) {
    const body = new FormData();
    body.set("slug", "bench");
    body.set("file", content);
    return fetch(`${address}/api/upload`, { method: "POST", headers: { authorization }, body });
  },
  shown,
});

const files = {
  picture: file(new File([Buffer.from(PIXEL, "base64")], "pixel.png", { type: "image/png" }), (page) =>
    page.locator("main img").evaluate((image: HTMLImageElement) => image.decode()),
  ),
  text: file(new File(["Some words."], "words.txt"), (page) => page.getByText("Some words.").waitFor()),
  any: file(new File([new Uint8Array([0, 1, 2, 3])], "data.bin"), (page) =>
    page.getByRole("heading", { name: "data.bin" }).waitFor(),
  ),
} as const;

/** What a page takes in a real browser on an empty cache: bytes of script, and milliseconds until its content is there to see. */
async function openingOf(site: string, { path, share, shown }: Measured): Promise<{ script: number; time: number }> {
  if (!(await Bun.file(join(site, "assets.json")).exists())) throw new Error("The pages are not built.");
  await using server = await startServer();
  const token = await signIn(server.address, server.adminPassword);
  const shared = await share(server.address, `Bearer ${token}`);
  if (!shared.ok) throw new Error(`Sharing answered ${shared.status}: ${await shared.text()}`);
  const browser = await openBrowser();
  await using visit = await browser.newPage({ address: server.address });
  const { page } = visit;
  const sizes: Promise<number>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script")
      sizes.push(
        response
          .request()
          .sizes()
          .then(({ responseBodySize }) => responseBodySize),
      );
  });
  const began = performance.now();
  await page.goto(`${server.address}${path}`, { waitUntil: "commit" });
  await shown(page);
  const time = performance.now() - began;
  await page.waitForLoadState("networkidle");
  return { script: (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0), time };
}

/** Bytes of script that a browser transfers to show a shared Markdown text. */
export const scriptOfTextShare = async (site: string): Promise<number> => (await openingOf(site, text)).script;

/** Bytes of script that a browser transfers to show a shared file of a kind. */
export const scriptOfFileShare = async (site: string, kind: keyof typeof files = "picture"): Promise<number> =>
  (await openingOf(site, files[kind])).script;

/** Milliseconds from the address to the text of a shared text in Markdown, of about so many bytes; above 200 kB it is plain. */
export async function timeOfText(site: string, bytes: number): Promise<number> {
  const sentence = "Some *words* of a text that somebody reads, with a [link](https://example.com).\n\n";
  const content = `# Title\n\n${sentence.repeat(Math.floor(bytes / sentence.length) - 1)}`;
  // A locator would read all ten megabytes each time it looks, on the page's own thread, and be most of what it measures.
  const shown = (page: Page) =>
    page.waitForFunction(() => {
      const words = document.querySelector("article pre, article .markdown p");
      return words !== null && words.getBoundingClientRect().height > 0;
    });
  return (await openingOf(site, { ...textOf(content), shown })).time;
}
