import { describe, expect, test } from "bun:test";
import { findings } from "../../support/browser/axe.ts";
import { UNLOADED } from "../../support/browser/chromium.ts";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { gone, PIXEL, seen, startJourney, until } from "../../support/browser/journey.ts";
import { peopleOf } from "../../support/browser/people.ts";
import { bothThemes, browserOf, look } from "../../support/screens/screen.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

const journey = await startJourney();
const seeds = treeSeeds(journey);
const people = peopleOf(journey);

const TEXT = `# The harbour

What stands [below](docs/), a [plan](docs/plan%201.txt), and [what is gone](docs/gone.txt).

![Its sign](pictures/sign.png) ![of elsewhere](https://pictures.example/x.png) ![nothing](pictures/none.png)

[Out](../../../../etc/passwd) [up](..) [run](javascript:alert(1)) [web](https://example.org/) [there](#second)

## Second

<script>document.title = "taken"</script>

| Berth | Depth |
|---|---|
| 1 | 4 m |
`;

let made = 0;
/** A folder of its own with a README and what it leads to. */
async function harbour(name = "README.md", text = TEXT): Promise<string> {
  const folder = `/drive/harbour-${++made}`;
  await seeds.folder(`${folder}/docs`);
  await seeds.text(`${folder}/docs/plan 1.txt`, "Dig here.");
  await seeds.file(`${folder}/pictures/sign.png`, new Uint8Array(PIXEL), "image/png");
  await seeds.text(`${folder}/${name}`, text);
  return folder;
}

describe("the README of a folder", () => {
  test("is read below its list, with its pictures, and leads to what lies in the tree", async () => {
    const folder = await harbour();
    await using visit = await journey.admin();
    const { page } = visit;
    await explorerPage(page).open(folder);
    const readme = page.getByRole("region", { name: "README.md" });
    await seen(readme.getByRole("heading", { name: "The harbour" }));
    await until(
      () => readme.getByAltText("Its sign").evaluate((image: HTMLImageElement) => image.naturalWidth > 0),
      Boolean,
    );
    await seen(readme.getByRole("button", { name: /pictures\.example/ }));
    await until(() => readme.getByAltText("nothing").evaluate((image) => image.style.visibility === ""), Boolean);
    expect(await page.title()).not.toBe("taken");
    for (const dead of ["Out", "run"]) expect(await readme.getByRole("link", { name: dead }).count()).toBe(0);

    await readme.getByRole("link", { name: "plan" }).click();
    await seen(page.getByText("Dig here."));
    await page.goBack();
    await readme.getByRole("link", { name: "below" }).click();
    await page.waitForURL(`**${folder}/docs`);
    await page.goBack();
    await readme.getByRole("link", { name: "what is gone" }).click();
    await seen(page.getByText("What this link leads to does not exist"));
    visit.forgive(UNLOADED);
  });

  test("is below the last row of a long list, and a press away", async () => {
    const folder = await harbour();
    for (let at = 0; at < 40; at += 1) await seeds.text(`${folder}/file ${at}.txt`);
    await using visit = await journey.admin({ width: 390, height: 844 });
    const { page } = visit;
    await explorerPage(page).open(folder);
    const heading = page.getByRole("heading", { name: "The harbour" });
    await seen(heading);
    const isInSight = () =>
      heading.evaluate((element) => element.getBoundingClientRect().top < window.innerHeight - 60);
    expect(await isInSight()).toBe(false);
    await page.getByRole("button", { name: "Read README.md" }).click();
    await until(isInSight, Boolean);
    visit.forgive(UNLOADED);
  });

  test("stays away where the mount says so, and a large one is offered", async () => {
    const folder = await harbour("readme.TXT", "x".repeat(600_000));
    await using visit = await journey.admin();
    const { page } = visit;
    const explorer = explorerPage(page);
    await explorer.open(folder);
    await seen(page.getByRole("region", { name: "readme.TXT" }).getByRole("link", { name: "Open the file" }));
    const { data } = await journey.call<{ data: { id: string; mount_path: string }[] }>("GET", "/api/admin/mounts");
    const id = data.find(({ mount_path }) => mount_path === "/drive")?.id;
    await page.goto("/admin/mount-management");
    await page.getByRole("button", { name: "Edit" }).first().click();
    await page.getByLabel("Show a README below the list of its folder").uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await gone(page.getByRole("dialog"));
    try {
      await explorer.open(folder);
      await seen(explorer.row("readme.TXT"));
      expect(await page.getByRole("region", { name: "readme.TXT" }).count()).toBe(0);
    } finally {
      await journey.call("PUT", `/api/admin/mounts/${id}`, { readme: true });
    }
  });

  test("leads a key to nothing above its base path", async () => {
    const folder = await harbour("README.md", "[inside](docs/plan%201.txt) [outside](../) [root](../../)");
    const key = await people.makeKey(["mount_view"]);
    await journey.call("PUT", `/api/admin/api-keys/${key.id}`, { basic_path: folder });
    await using visit = await people.holder({ ...key, basic_path: folder });
    const { page } = visit;
    await explorerPage(page).open(folder);
    const readme = page.getByRole("region", { name: "README.md" });
    await seen(readme.getByRole("link", { name: "inside" }));
    for (const dead of ["outside", "root"]) expect(await readme.getByRole("link", { name: dead }).count()).toBe(0);
  });
});

describe("it fits", () => {
  test.each(bothThemes)("$locale, $size", async (one) => {
    const folder = await harbour("README.md", TEXT.replace(/!\[of elsewhere.*/, ""));
    await using visit = await journey.admin(browserOf(one));
    const screen = {
      name: "explorer-readme",
      path: `/mount-explorer${folder}`,
      signedIn: true,
      shows: (page: typeof visit.page) => page.getByRole("heading", { name: "The harbour" }),
    };
    await look(visit, screen, one, async (page) => {
      if (one.locale === "en-US") expect(await findings(page)).toEqual([]);
    });
  });
});
