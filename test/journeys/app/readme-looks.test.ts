import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { screenshot } from "../../support/browser/chromium.ts";
import { explorerPage } from "../../support/browser/explorer-page.ts";
import { overhang, seen, startJourney } from "../../support/browser/journey.ts";
import { treeSeeds } from "../../support/tree/seeds.ts";

/** The four pictures of README.md, with content as people have it. */

const journey = await startJourney();
const seeds = treeSeeds(journey);

const TRIP = `# Trip to Lisbon

Everything we need, in one link.

## Before we leave

- [x] Book the night train
- [x] Copy the passports
- [ ] Ask Ana about the **blue bicycle**

| Day | Where | Who cooks |
|---|---|---|
| Mon | Alfama | Mei |
| Tue | Sintra | João |

\`\`\`ts
const budget = days * 45; // euros
\`\`\`

## 备注

晚上八点在车站见。
`;

const DESK = { width: 1280, height: 800, locale: "en-US" } as const;

/** A hill before a sky, as wide and high as said. */
const hill = (width: number, height: number, sky: string, land: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 300 200" preserveAspectRatio="xMidYMid slice">
<rect width="300" height="200" fill="${sky}"/><circle cx="215" cy="60" r="26" fill="#fff3d6"/>
<path d="M0 150 Q70 70 150 140 T300 120 V200 H0Z" fill="${land}"/></svg>`;

const taken = async (page: Page, name: string) => {
  await screenshot(page, `readme-${name}`);
  expect(await overhang(page)).toBe(0);
};

test("a shared text", async () => {
  const { slug } = await journey.share({ content: TRIP, slug: "lisbon" });
  await using visit = await journey.visitor({ ...DESK, theme: "light" });
  await visit.page.goto(`/paste/${slug}`);
  await seen(visit.page.getByRole("table"));
  await seen(visit.page.locator(".hljs-number, .hljs-keyword").first());
  await taken(visit.page, "share");
});

test("the explorer", async () => {
  const folder = "/drive/Lisbon 2026";
  await seeds.folder(folder);
  for (const name of ["Photos", "Tickets"]) await seeds.folder(`${folder}/${name}`);
  const pictures = [
    ["Sintra.svg", 300, 200, "#f4a261", "#7b341e"],
    ["Alfama at noon.svg", 300, 260, "#8ecae6", "#2a6f4e"],
    ["Belém.svg", 300, 180, "#cdb4db", "#5e548e"],
    ["夜色.svg", 300, 300, "#1d3557", "#0b1d33"],
  ] as const;
  for (const [name, width, height, sky, land] of pictures)
    await seeds.file(`${folder}/${name}`, new TextEncoder().encode(hill(width, height, sky, land)), "image/svg+xml");
  for (const name of ["Budget.csv", "Itinerary.md", "Fado.m3u"]) await seeds.text(`${folder}/${name}`, TRIP);
  await using visit = await journey.admin({ ...DESK, theme: "dark" });
  const explorer = explorerPage(visit.page);
  await explorer.open(folder);
  await visit.page.getByRole("button", { name: "Grid", exact: true }).click();
  await explorer.choose("Sintra.svg");
  await seen(visit.page.getByText("1 selected"));
  for (const picture of await visit.page.locator("[data-entries] img").all()) await seen(picture);
  await taken(visit.page, "explorer");
});

test("the editor", async () => {
  await using visit = await journey.admin({ ...DESK, theme: "dark" });
  await visit.page.goto("/");
  await visit.page.locator("[contenteditable=true]").fill(TRIP);
  await seen(visit.page.getByRole("heading", { name: "备注" }));
  await taken(visit.page, "editor");
});

test("a file", async () => {
  const days = Array.from({ length: 14 }, (_, day) => day + 1);
  const rows = days.map(
    (day) => `2026-05-${String(day).padStart(2, "0")},${["Alfama", "Sintra", "Belém"][day % 3]},${day * 7 + 12}.50`,
  );
  const table = ["Date,Where,Euros", ...rows].join("\n");
  const file = new File([table], "Budget 2026.csv", { type: "text/csv" });
  const { slug } = await journey.shareFile(file, { slug: "budget", expires_in: "24" });
  await using visit = await journey.admin({ ...DESK, theme: "light" });
  await visit.page.goto(`/file/${slug}`);
  await seen(visit.page.getByText("2026-05-14"));
  await taken(visit.page, "file");
});
