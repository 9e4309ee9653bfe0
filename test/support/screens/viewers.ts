import type { Page } from "playwright-core";
import { type Journey, PIXEL } from "../browser/journey.ts";
import { makeWav, recordFilm } from "../files/media.ts";
import { makeDocx, makeWorkbook } from "../files/office.ts";
import { makeLockedPdf, makePdf } from "../files/pdf.ts";
import { makeZip } from "../files/zip.ts";
import { treeSeeds } from "../tree/seeds.ts";
import type { Screen, Words } from "./screen.ts";

type Shows = Screen["shows"];

const text =
  (words: string): Shows =>
  (page) =>
    page.getByText(words).first();
const framed =
  (words: string): Shows =>
  (page) =>
    page.frameLocator("main iframe").getByText(words).first();
const element =
  (selector: string): Shows =>
  (page) =>
    page.locator(selector).first();

const heading =
  (name: string): Shows =>
  (page) =>
    page.getByRole("heading", { name });

const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400"><rect width="640" height="400" fill="#fed7aa"/><circle cx="320" cy="200" r="120" fill="#c2410c"/></svg>`;
const long = "A-very-long-word-that-no-column-was-made-for".repeat(5);
const rows = Array.from({ length: 300 }, (_, index) => `${index + 1},第 ${index + 1} 项,"a, quoted",${long}`);
const pages = Array.from({ length: 3 }, (_, index) => ({ lines: [`Page number ${index + 1}`], chinese: "中文内容" }));

const files: Readonly<Record<string, readonly [content: BlobPart, shows: Shows]>> = {
  "picture.svg": [picture, (page) => page.getByRole("img", { name: "picture.svg" })],
  "tone.wav": [makeWav(), element("audio")],
  "report 报告.pdf": [makePdf(pages), text("中文内容")],
  "locked.pdf": [makeLockedPdf("Between us.", "sesame"), (page) => page.locator("main input[type=password]")],
  "letter.docx": [makeDocx("A letter 一封信", ["Dear reader,", `a paragraph with ${long}`]), framed("Dear reader")],
  "budget.xlsx": [
    makeWorkbook({
      Budget: [
        ["What", "纸张"],
        [long, 35.5],
      ],
      Notes: [["A note"]],
    }),
    text("纸张"),
  ],
  "slides.pptx": ["PK", (page, { viewer }) => page.getByText(viewer.online.open)],
  "data.csv": [`id,name,note,more\n${rows.join("\n")}`, text("第 2 项")],
  "settings.json": [
    JSON.stringify({ name: "satchel", long, list: [1, { deep: "found" }] }),
    (page) => page.locator("main").getByText("satchel"),
  ],
  "读我 readme.md": [
    `# A title\n\nSome *text* and ${long}.\n\n| a | b |\n|---|---|\n| ${long} | 2 |\n`,
    heading("A title"),
  ],
  "page.html": [
    "<h1>Drawn</h1><script>document.title = 'ran'</script>",
    (page) => page.frameLocator("main iframe").getByRole("heading", { name: "Drawn" }),
  ],
  "script.py": [`def hello(name):\n    return f"Hello {name}"  # ${long}\n`, element(".hljs-keyword")],
  "bundle.zip": [makeZip({ "folder/": "", "folder/hello.txt": "Hello", [`图片/${long}.png`]: PIXEL }), text("folder")],
  "broken.pdf": ["%PDF-1.7 and nothing more", element("main [role=alert]")],
};

/** Shares a file of each kind and answers what there is to see of it. */
export async function fileScreens(journey: Journey, page: Page): Promise<readonly Screen[]> {
  await page.goto("/");
  const film = await recordFilm(page);
  const video = (shown: Page) => shown.locator("video");
  const all = [...Object.entries(files), ["film.webm", [film, video]] as const];
  const screens: Screen[] = [];
  for (const [name, [content, shows]] of all) {
    const { url: path } = await journey.shareFile(new File([content], name));
    screens.push({ name: `viewer-${name.replace(/^.* /, "")}`, path, signedIn: false, shows });
  }
  return screens;
}

const lines = Array.from(
  { length: 60 },
  (_, index) => `line ${index + 1} 第 ${index + 1} 行 ${index === 3 ? long : ""}`,
);

/** Every mark that the live view hides. */
const marks = `# Title 标题

Some **bold**, *slanted* and ==marked== words with \`code\` and a [link 链接](https://example.com/a-long-address).

## Second 第二

- one 一
- two
  - deeper ${long}
- [x] done
- [ ] open

1. first
2. second

> said 引用
> > and deeper

\`\`\`js
const a = 1;
\`\`\`

| a | b |
|---|---|
| 1 | 2 |

---

![far](https://pictures.example/far.png)

![near](data:image/png;base64,${PIXEL.toString("base64")})
`;

/** Shares texts, puts files into the drive, and answers what there is to see of reading and changing them. */
export async function textScreens(journey: Journey): Promise<readonly Screen[]> {
  const seeds = treeSeeds(journey);
  await seeds.text("/drive/edited.ts", `const a = 1;\n// ${long}\n`);
  await journey.share({ slug: "plain", content: lines.join("\n") });
  await journey.share({ slug: "block", content: "# A page\n\n```html\n<h1>Drawn</h1>\n```" });
  const conflict = await journey.share({ slug: "conflict", content: "the first\n\nsame" });
  const editFile = async (page: Page, { explorer }: Words) =>
    page.getByRole("button", { name: explorer.command.edit, exact: true }).click();
  const of = (name: string, screen: Omit<Screen, "name">): Screen => ({ name: `text-${name}`, ...screen });
  return [
    of("lines", {
      path: "/paste/plain#L4-L6",
      signedIn: false,
      shows: (page) => page.locator(".marked").nth(2),
    }),
    of("block", {
      path: "/paste/block",
      signedIn: false,
      first: (page, { reading }) => page.getByRole("button", { name: reading.markdown.preview, exact: true }).click(),
      shows: (page) => page.getByRole("dialog").frameLocator("iframe").getByRole("heading", { name: "Drawn" }),
    }),
    of("split", {
      path: "/",
      signedIn: true,
      async first(page) {
        await page
          .locator(".cm-content")
          .fill(`# Title 标题\n\nSome **bold** text and ${long}\n\n- [x] done\n- [ ] open\n`);
      },
      shows: (page) => page.locator(".cm-content"),
    }),
    of("live", {
      path: "/",
      signedIn: true,
      async first(page, { editing }) {
        await page.getByRole("button", { name: editing.viewMode.live, exact: true }).click();
        await page.locator(".cm-content").fill(marks);
        await page.keyboard.press("ControlOrMeta+Home");
      },
      shows: (page) => page.locator(".live-picture"),
    }),
    of("edit", { path: "/paste/plain?edit", signedIn: true, shows: (page) => page.locator(".cm-content") }),
    of("conflict", {
      path: "/paste/conflict?edit",
      signedIn: true,
      async first(page, { share }) {
        await page.locator(".cm-content").fill("mine\n\nsame");
        await journey.call("PUT", `/api/pastes/${conflict.id}`, { content: `theirs\n\nsame ${crypto.randomUUID()}` });
        await page.getByRole("button", { name: share.form.save, exact: true }).click();
      },
      shows: (page) => page.getByRole("dialog"),
    }),
    of("file-edit", {
      path: "/mount-explorer/drive?preview=edited.ts",
      signedIn: true,
      first: editFile,
      shows: (page) => page.locator(".cm-content"),
    }),
  ];
}

/** What there is to see of a file that comes from the web: found, on its way, and with its link. */
export function urlScreens(address: (path: string) => string): readonly Screen[] {
  const analyze = async (page: Page, { upload }: Words, path: string) => {
    await page.getByRole("textbox", { name: upload.fromUrl.address }).fill(address(path));
    await page.getByRole("button", { name: upload.fromUrl.analyze, exact: true }).click();
  };
  const send = async (page: Page, words: Words, path: string) => {
    await analyze(page, words, path);
    await page.getByRole("button", { name: words.upload.fromUrl.upload, exact: true }).click();
  };
  const of = (name: string, screen: Pick<Screen, "first" | "shows">): Screen => ({
    ...{ name: `url-${name}`, path: "/upload?tab=url", signedIn: true },
    ...screen,
  });
  return [
    of("found", {
      first: (page, words) => analyze(page, words, "/small.bin"),
      shows: (page, { upload }) => page.getByRole("textbox", { name: upload.fromUrl.name }),
    }),
    of("lost", {
      first: (page, words) => analyze(page, words, "/nothing"),
      shows: (page) => page.locator("main [role=alert], main [aria-invalid=true]").first(),
    }),
    of("progress", {
      first: (page, words) => send(page, words, "/slow.bin"),
      shows: (page) => page.getByRole("progressbar"),
    }),
  ];
}
