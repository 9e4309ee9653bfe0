import { join } from "node:path";
import type { Page } from "playwright-core";
import { openBrowser } from "../support/chromium.ts";
import { startServer } from "../support/server.ts";

/** A page to measure: how what it shows is shared, and what is there once it is complete. */
interface Measured {
  readonly path: string;
  share(address: string, authorization: string): Promise<Response>;
  shown(page: Page): Promise<unknown>;
}

/** A picture of one pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const text: Measured = {
  path: "/paste/bench",
  share: (address, authorization) =>
    fetch(`${address}/api/paste`, {
      method: "POST",
      headers: { authorization },
      body: JSON.stringify({
        content: "# Title\n\nSome *text* with a [link](https://example.com) and a list:\n\n- one\n- two",
        slug: "bench",
      }),
    }),
  shown: (page) => page.getByRole("heading", { name: "Title" }).waitFor(),
};

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

/** Bytes of script that a browser transfers to show a page, measured in a real browser on an empty cache. */
async function scriptOf(site: string, { path, share, shown }: Measured): Promise<number> {
  if (!(await Bun.file(join(site, "assets.json")).exists())) throw new Error("The pages are not built.");
  await using server = await startServer();
  const login = await fetch(`${server.address}/api/admin/login`, {
    method: "POST",
    body: JSON.stringify({ username: "admin", password: server.adminPassword }),
  });
  const { token } = ((await login.json()) as { data: { token: string } }).data;
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
  await page.goto(`${server.address}${path}`);
  await shown(page);
  await page.waitForLoadState("networkidle");
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Bytes of script that a browser transfers to show a shared Markdown text. */
export const scriptOfTextShare = (site: string): Promise<number> => scriptOf(site, text);

/** Bytes of script that a browser transfers to show a shared file of a kind. */
export const scriptOfFileShare = (site: string, kind: keyof typeof files = "picture"): Promise<number> =>
  scriptOf(site, files[kind]);
