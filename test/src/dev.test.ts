import { afterAll, expect, test } from "bun:test";
import { basic } from "../support/clients/basic.ts";
import { startServer } from "../support/server.ts";
import { root } from "../support/sources.ts";

/** The server as a developer of Satchel runs it, whose pages Bun bundles on request. */
const server = await startServer({ command: [process.execPath, `--cwd=${root}`, "src/dev.ts"] });
afterAll(() => server.stop());

const get = (path: string) => fetch(server.address + path, { headers: { accept: "text/html" } });

test.each(["/", "/upload", "/paste/a", "/file/a", "/s/a", "/s/a/b", "/in/a", "/mount-explorer/a", "/admin/texts"])(
  "%s is the page",
  async (path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<div id="root">');
  },
);

test("what is sent to a page is taken by the server", async () => {
  const response = await fetch(`${server.address}/`, {
    method: "POST",
    headers: { ...basic("admin", server.adminPassword), "content-type": "text/plain", accept: "text/plain" },
    body: "from a script",
  });
  expect(response.status).toBe(201);
  const page = (await response.text()).trim();
  const slug = page.slice(page.lastIndexOf("/") + 1);
  expect(await (await fetch(`${server.address}/api/raw/${slug}`)).text()).toBe("from a script");
});

test.each(["web/preview/json/json.worker.ts", "node_modules/pdfjs-dist/build/pdf.worker.min.mjs"])(
  "the worker %s is bundled when it is asked for",
  async (path) => {
    const response = await get(`/assets/workers/${path}`);
    expect(response.headers.get("content-type")).toContain("text/javascript");
    expect(await response.text()).not.toContain("import ");
  },
);

test.each(["web/main.tsx", "web/none.worker.ts", "..%2f..%2fsecret.worker.ts"])("%s is no worker", async (path) => {
  expect((await get(`/assets/workers/${path}`)).status).toBe(404);
});

test("an address that is none of the app's is missing", async () => {
  expect((await get("/nothing-here/at-all.html")).status).toBe(404);
});
