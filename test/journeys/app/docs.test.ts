import { expect, test } from "bun:test";
import { findings } from "../../support/browser/axe.ts";
import { basePath, seen, startJourney } from "../../support/browser/journey.ts";

const journey = await startJourney();

test("the documentation shows every call and makes one, under a policy that lets it ask this server alone", async () => {
  await using visitor = await journey.visitor();
  const { page } = visitor;
  // Of so many calls the page draws those in sight, to which the address of one leads.
  await page.goto("/docs#/health/getApiHealth");
  // Without one the browser asks the host for its own, which below a path is somebody else's.
  expect(await page.locator("link[rel=icon]").getAttribute("href")).toStartWith(`${basePath}/assets/favicon-`);
  const call = page.locator(".opblock-summary", { hasText: "/api/health" }).first();
  await seen(call);
  await page.getByRole("button", { name: "Try it out" }).first().click();
  await page.getByRole("button", { name: "Execute" }).first().click();
  const answer = page.locator(".live-responses-table tr.response").first();
  await seen(answer);
  expect(await answer.textContent()).toContain('"status": "ok"');
});

test("axe has nothing serious to say about it, and the path of a call sets the address", async () => {
  await using visitor = await journey.visitor({ bypassPolicy: true });
  const { page } = visitor;
  await page.goto("/docs");
  const call = page.locator(".opblock-summary", { hasText: "/api/paste" }).first();
  await seen(call);
  expect(await findings(page)).toEqual([]);
  await call.getByText("/api/paste").click();
  await seen(page.getByRole("button", { name: "Try it out" }).first());
  expect(new URL(page.url()).hash).toStartWith("#/paste/");
  expect(await findings(page)).toEqual([]);
});
