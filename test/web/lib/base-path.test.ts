import { expect, test } from "bun:test";
import { join } from "node:path";
import { root } from "../../support/sources.ts";

/** What a page makes of its path, asked of a process of its own, because a module reads it once. */
async function ask(attribute: string | undefined): Promise<unknown> {
  const dataset = attribute === undefined ? {} : { basePath: attribute };
  const script = `
    globalThis.document = { documentElement: { dataset: ${JSON.stringify(dataset)} } };
    globalThis.window = { location: { origin: "https://host.test", pathname: "/satchel/paste/x" } };
    const { pathTo, pathFrom, ownPath, ownName, nameFrom } = await import(${JSON.stringify(join(root, "web/lib/base-path.ts"))});
    const { pasteLink, rawLink, fetchableAddress } = await import(${JSON.stringify(join(root, "web/api/share-addresses.ts"))});
    console.log(JSON.stringify({
      to: pathTo("/api"), own: ownPath(), name: ownName("draft"), links: [pasteLink("a b"), rawLink("x"), fetchableAddress(pathTo("/api/x"))],
      from: ["/satchel/upload", "/satchel/", "/satchel", "/satchelx/a", "/upload"].map((path) => pathFrom(path) ?? null),
      names: ["/satchel draft", "draft", "/other draft"].map((name) => nameFrom(name) ?? null),
    }));`;
  const child = Bun.spawn([process.execPath, "-e", script], { cwd: root, stdout: "pipe", stderr: "inherit" });
  return JSON.parse(await new Response(child.stdout).text());
}

test("below a path a page makes addresses and names with it, and knows its own", async () => {
  expect(await ask("/satchel")).toEqual({
    to: "/satchel/api",
    own: "/paste/x",
    name: "/satchel draft",
    links: [
      "https://host.test/satchel/paste/a%20b",
      "https://host.test/satchel/api/raw/x",
      "https://host.test/satchel/api/x",
    ],
    from: ["/upload", "/", null, null, null],
    names: ["draft", null, null],
  });
});

test("at the root addresses and names are what they are", async () => {
  expect(await ask(undefined)).toEqual({
    to: "/api",
    own: "/satchel/paste/x",
    name: "draft",
    links: ["https://host.test/paste/a%20b", "https://host.test/api/raw/x", "https://host.test/api/x"],
    from: ["/satchel/upload", "/satchel/", "/satchel", "/satchelx/a", "/upload"],
    names: ["/satchel draft", "draft", "/other draft"],
  });
});
