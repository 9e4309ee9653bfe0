import { describe, expect, test } from "bun:test";
import { findings } from "../../support/browser/axe.ts";
import { startJourney } from "../../support/browser/journey.ts";
import { explorerScreens, forgetDown, mountScreens, seedFolder } from "../../support/screens/explorer.ts";
import { bothThemes, browserOf, look } from "../../support/screens/screen.ts";

const journey = await startJourney();
await seedFolder(journey);

describe("every screen of the explorer fits, in both languages, both themes, on desk and phone", () => {
  test.each(bothThemes)("$locale, $size", async (one) => {
    await using visitor = await journey.visitor(browserOf(one));
    await using admin = await journey.admin(browserOf(one));
    for (const screen of [...explorerScreens, ...mountScreens])
      await look(screen.signedIn ? admin : visitor, screen, one, async (page) => {
        // What axe looks for is the same in each language.
        if (one.locale === "en-US") expect([screen.name, ...(await findings(page))]).toEqual([screen.name]);
      });
    forgetDown(admin);
  });
});

describe("without any mount", () => {
  test.each(bothThemes)("$locale, $size", async (one) => {
    await using _none = await withoutMounts();
    await using admin = await journey.admin(browserOf(one));
    await look(
      admin,
      {
        name: "explorer-no-mounts",
        path: "/mount-explorer",
        signedIn: true,
        shows: (page, { explorer }) => page.getByText(explorer.state.noMounts),
      },
      one,
    );
  });
});

/** Switches every mount off for as long as it lives. */
async function withoutMounts(): Promise<AsyncDisposable> {
  const { data } = await journey.call<{ data: { id: string }[] }>("GET", "/api/admin/mounts");
  const set = async (is_active: boolean) => {
    for (const { id } of data) await journey.call("PUT", `/api/admin/mounts/${id}`, { is_active });
  };
  await set(false);
  return { [Symbol.asyncDispose]: () => set(true) };
}
