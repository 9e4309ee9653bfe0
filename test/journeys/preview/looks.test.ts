import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { findings } from "../../support/browser/axe.ts";
import { startJourney } from "../../support/browser/journey.ts";
import { bothThemes, browserOf, type Look, look, type Screen } from "../../support/screens/screen.ts";
import { fileScreens, textScreens, urlScreens } from "../../support/screens/viewers.ts";
import { openWebSource } from "../../support/servers/web-source.ts";
import { root } from "../../support/sources.ts";

/** How viewers, editors and the upload from a URL look, and whether those who do not see can use them. */

const journey = await startJourney({
  command: [process.execPath, join(root, "test/support/servers/serve-local-sources.ts")],
});
const SLOW_BYTES = 50_000_000;
const source = openWebSource(async (request, { pathname }) => {
  const open = { "access-control-allow-origin": "*" };
  if (pathname === "/small.bin") return new Response(new Uint8Array(300_000), { headers: open });
  if (pathname !== "/slow.bin") return new Response("not here", { status: 404 });
  const headers = { ...open, "content-length": String(SLOW_BYTES) };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await Bun.sleep(100);
      controller.enqueue(new Uint8Array(100_000));
    },
  });
  return new Response(request.method === "HEAD" ? null : body, { headers });
});
afterAll(() => source[Symbol.asyncDispose]());

const files = await (async () => {
  await using visit = await journey.visitor();
  return await fileScreens(journey, visit.page);
})();
const texts = await textScreens(journey);
const urls = urlScreens(source.url);

async function lookAtAll(screens: readonly Screen[], one: Look): Promise<void> {
  await using visitor = await journey.visitor(browserOf(one));
  await using admin = await journey.admin(browserOf(one));
  // The upload from a URL asks its source, and the browser tells of the one that is not there.
  for (const screen of screens) {
    const visit = screen.signedIn ? admin : visitor;
    await look(visit, screen, one, async (page) => {
      // What axe looks for is the same in each language.
      if (one.locale === "en-US") expect([screen.name, ...(await findings(page))]).toEqual([screen.name]);
    });
  }
  // A page that is left asks nobody any more.
  await admin.page.goto("/api/health");
  admin.forgive(/\/api\/url\/info/);
  admin.strangers.splice(
    0,
    admin.strangers.length,
    ...admin.strangers.filter((url) => !url.startsWith(source.url("/"))),
  );
}

describe.each(bothThemes)("$locale, $size", (one) => {
  test("each viewer fits", () => lookAtAll(files, one));
  test("reading, writing and changing texts fit", () => lookAtAll(texts, one));
  test("a file from the web fits", () => lookAtAll(urls, one));
});
