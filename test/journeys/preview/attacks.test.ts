import { expect, test } from "bun:test";
import { createSigner } from "../../../src/lib/signatures/sigv4.ts";
import { coloured, preview } from "../../support/browser/editor-page.ts";
import { seen, startJourney } from "../../support/browser/journey.ts";
import { peopleOf } from "../../support/browser/people.ts";
import { attacks } from "../../support/pages/attacks.ts";

const journey = await startJourney();

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Only pages tell: a parser of ours, a sanitizer of theirs and the libraries that draw afterwards meet here for the first time. */
test.each(["the app's policy", "no policy at all"])(
  "hostile Markdown runs nothing and loads nothing under %s",
  async (under) => {
    const { slug } = await journey.share({ content: [...attacks, "the end of it"].join("\n\n") });
    await using reader = await journey.visitor({ bypassPolicy: under === "no policy at all" });
    const { page } = reader;
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await page.route("**/x.png", (route) => route.fulfill({ contentType: "image/png", body: pixel }));
    await page.goto(`/paste/${slug}`);
    await seen(page.getByText("the end of it"));
    // Each diagram is drawn, or says that it has a mistake.
    await page.waitForFunction(() => {
      const diagrams = [...document.querySelectorAll<HTMLElement>(".md-diagram")];
      const isSettled = ({ dataset, children }: HTMLElement) => dataset.drawn === "1" || children.length > 1;
      return diagrams.some(({ dataset }) => dataset.drawn === "1") && diagrams.every(isSettled);
    });
    await seen(page.locator(".katex-html").first());
    await page.waitForLoadState("networkidle");
    for (const box of await page.locator("main a, main img, main input, main b").all())
      await box.hover({ timeout: 500 }).catch(() => null);
    const armed = await page
      .locator("main *")
      .evaluateAll((elements) =>
        elements.flatMap((element) =>
          element.getAttributeNames().filter((name) => name.startsWith("on") || name === "srcdoc"),
        ),
      );
    expect(armed).toEqual([]);
    expect(await page.locator("main script, main iframe, main object, main embed, main form").count()).toBe(0);
    const addresses = await page
      .locator("main a[href]")
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).protocol));
    expect(addresses.filter((protocol) => !/^(https?|mailto|tel):$/.test(protocol))).toEqual([]);
    expect(dialogs).toEqual([]);
  },
);

test.each(["Live", "Split"])(
  "hostile Markdown that somebody edits runs nothing and loads nothing: %s",
  async (sight) => {
    await using writer = await journey.admin({ bypassPolicy: true });
    const { page } = writer;
    page.on("dialog", (dialog) => {
      writer.problems.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.route("**/x.png", (route) => route.fulfill({ contentType: "image/png", body: pixel }));
    await page.goto("/");
    await seen(coloured(page));
    await page.getByRole("button", { name: sight, exact: true }).click();
    await coloured(page).fill([...attacks, "the end of it"].join("\n\n"));
    await seen((sight === "Live" ? coloured(page) : preview(page)).getByText("the end of it"));
    // All of it comes into sight, also what only the live view draws.
    await page.keyboard.press("ControlOrMeta+Home");
    for (let screen = 0; screen < 12; screen += 1) await page.keyboard.press("PageDown");
    await page.waitForLoadState("networkidle");
    const armed = await page
      .locator("main *")
      .evaluateAll((elements) =>
        elements.flatMap((element) => element.getAttributeNames().filter((name) => name.startsWith("on"))),
      );
    expect(armed).toEqual([]);
    const addresses = await page
      .locator("main [href], main [data-href]")
      .evaluateAll((all) => all.map((one) => one.getAttribute("data-href") ?? one.getAttribute("href") ?? ""));
    expect(addresses.filter((address) => /^\s*(?:javascript|data|vbscript):/i.test(address))).toEqual([]);
  },
);

test("a script that somebody stored runs in no page of the app, by whatever address", async () => {
  const code = "globalThis.stored = true; globalThis.postMessage?.('stored ran', '*');";
  const file = await journey.shareFile(new File([code], "stored.js", { type: "text/javascript" }));
  const { slug } = await journey.share({ content: code });
  await using reader = await journey.visitor();
  const { page } = reader;
  await page.goto("/");
  await seen(coloured(page));
  const opened = await page.evaluate(async (of) => (await fetch(`/api/public/files/${of}`)).json(), file.slug);
  const { data } = opened as { data: { previewUrl: string; downloadUrl: string } };
  const addresses = [
    data.previewUrl,
    data.downloadUrl,
    `/api/file-view/${file.slug}`,
    `/api/raw/${slug}`,
    "/assets/../api/raw/stored.js",
  ];
  const outcomes = await page.evaluate(async (all) => {
    const byTag = (src: string, type: string) =>
      new Promise<string>((resolve) => {
        const script = Object.assign(document.createElement("script"), { src, type });
        script.addEventListener("load", () => resolve("ran"));
        script.addEventListener("error", () => resolve("refused"));
        document.head.append(script);
      });
    const byWorker = (src: string) =>
      new Promise<string>((resolve) => {
        try {
          const worker = new Worker(src);
          worker.addEventListener("message", () => resolve("ran"));
          worker.addEventListener("error", () => resolve("refused"));
        } catch {
          resolve("refused");
        }
      });
    const byImport = (src: string) =>
      import(src).then(
        () => "ran",
        () => "refused",
      );
    const met: string[] = [];
    for (const src of all.map((one) => new URL(one, location.href).href))
      met.push(await byTag(src, ""), await byTag(src, "module"), await byWorker(src), await byImport(src));
    return [...met, "stored" in globalThis ? "ran" : "refused"];
  }, addresses);
  expect(outcomes).toEqual(outcomes.map(() => "refused"));
  expect(reader.problems.splice(0).filter((one) => !/Refused to execute script|403|CORS/.test(one))).toEqual([]);
  // Its bytes are there for whoever reads them.
  expect(await page.evaluate(async (src) => (await fetch(src)).text(), data.previewUrl)).toBe(code);
});

test("a script that a browser has kept as a picture runs in no page of the app either", async () => {
  const code = "globalThis.stored = true;";
  const people = peopleOf(journey);
  const key = await people.makeKey(["mount_view", "mount_upload"]);
  const signer = createSigner();
  const signed = (method: string, query: Readonly<Record<string, string>> = {}) =>
    signer.presign(method, `${journey.server.address}/drive/kept.js`, {
      credentials: { accessKey: key.s3_access_key_id, secret: key.key },
      region: "us-east-1",
      now: Date.now(),
      expires: 900,
      query,
    });
  expect((await fetch(signed("PUT"), { method: "PUT", body: code })).status).toBe(200);
  await using reader = await journey.visitor();
  const { page } = reader;
  await page.goto("/");
  await seen(coloured(page));
  const kept = signed("GET", {
    "response-cache-control": "public, max-age=31536000, immutable",
    "response-content-type": "text/javascript",
  });
  const outcomes = await page.evaluate(async (src) => {
    const bytes = await (await fetch(src)).text();
    const settled = (element: HTMLImageElement | HTMLScriptElement) =>
      new Promise<string>((resolve) => {
        element.addEventListener("load", () => resolve("loaded"));
        element.addEventListener("error", () => resolve("refused"));
        document.head.append(Object.assign(element, { src }));
      });
    await settled(document.createElement("img"));
    const script = await settled(document.createElement("script"));
    return { bytes, script, ran: "stored" in globalThis };
  }, kept);
  expect(outcomes).toEqual({ bytes: code, script: "refused", ran: false });
  expect(reader.problems.splice(0).filter((one) => !/Refused to execute script|403/.test(one))).toEqual([]);
  await people.removeKey(key);
});
