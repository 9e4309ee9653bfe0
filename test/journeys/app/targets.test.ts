import { expect, test } from "bun:test";
import { seen, startJourney } from "../../support/browser/journey.ts";
import { smallTargets } from "../../support/browser/small-targets.ts";
import { mainScreens, seedMainScreens } from "../../support/screens/main.ts";

/** Whatever can be pressed is large enough for who cannot aim well (WCAG 2.5.8), also by a mouse in a narrow window. */

const journey = await startJourney();
await seedMainScreens(journey);

test.each(Object.entries(mainScreens))("targets have 24 pixels: %s", async (_name, { path, who, shows }) => {
  await using visit = await journey[who]({ width: 390, height: 844 });
  await visit.page.goto(path);
  await seen(shows(visit.page));
  expect(await smallTargets(visit.page)).toEqual([]);
});

test("and where there is room for more: the outline, recent texts, the grid and its search", async () => {
  await journey.share({ content: "# One\n\n## Two\n\n- [ ] a\n\n# Four\n", slug: "outlined" });
  await using visit = await journey.admin({ width: 1280, height: 800 });
  const { page } = visit;
  const found = async () => expect(await smallTargets(page)).toEqual([]);
  await page.goto("/paste/outlined");
  await seen(
    page
      .getByRole("button", { name: /Two|One/ })
      .or(page.getByRole("link", { name: "Four" }))
      .first(),
  );
  await found();
  await page.goto("/");
  await page.getByRole("textbox", { name: "Text to share" }).fill("ok");
  await page.getByRole("button", { name: "Create link" }).click();
  await seen(page.getByRole("region", { name: "Your link" }));
  await found();
  await page.goto("/");
  await seen(page.getByRole("region", { name: "Recent texts" }));
  await found();
  await page.goto("/mount-explorer/drive");
  await page.getByRole("button", { name: "Grid", exact: true }).click();
  await seen(page.getByRole("gridcell", { name: /^notes\.txt/ }));
  await found();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("notes");
  await seen(page.locator("[data-hit]").first());
  await found();
});
