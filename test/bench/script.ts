import { join } from "node:path";
import { openBrowser } from "../support/chromium.ts";
import { startServer } from "../support/server.ts";

/** Bytes of script that a browser transfers to show a shared Markdown text, measured in a real browser on an empty cache. */
export async function scriptOfTextShare(site: string): Promise<number> {
  if (!(await Bun.file(join(site, "assets.json")).exists())) throw new Error("The pages are not built.");
  await using server = await startServer();
  const login = await fetch(`${server.address}/api/admin/login`, {
    method: "POST",
    body: JSON.stringify({ username: "admin", password: server.adminPassword }),
  });
  const { token } = ((await login.json()) as { data: { token: string } }).data;
  await fetch(`${server.address}/api/paste`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({
      content: "# Title\n\nSome *text* with a [link](https://example.com) and a list:\n\n- one\n- two",
      slug: "bench",
    }),
  });
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
  await page.goto(`${server.address}/paste/bench`);
  await page.getByRole("heading", { name: "Title" }).waitFor();
  await page.waitForLoadState("networkidle");
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
