import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readSources, root } from "./support/sources.ts";

/** The pages for people: what they lead to and what they name is there. */

const pages = await readSources("*.md", "docs/**/*.md");

/** Returns the anchors of a page: its headings, as GitHub names them. */
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

test("every link leads to a file and a heading that are there", async () => {
  const broken = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)]
      .filter(([, target = "", anchor]) => {
        const at = target === "" ? path : join(path, "..", target);
        if (!existsSync(join(root, at))) return true;
        const page = pages.find((one) => one.path === at);
        return anchor !== undefined && !(page && anchorsOf(page.text).includes(anchor));
      })
      .map(([link]) => `${path} ${link}`),
  );
  expect(broken).toEqual([]);
});

test("every file that is named by its whole path is there", async () => {
  const missing = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/`((?:src|web|test|docs|deploy)\/[\w./-]+\.\w+)`/g)]
      .filter(([, named = ""]) => !existsSync(join(root, named)))
      .map(([, named]) => `${path} ${named}`),
  );
  expect(missing).toEqual([]);
});

const architecture = pages.find(({ path }) => path === "docs/architecture.md")?.text ?? "";

/** Every path for which one with braces stands. */
function spelledOut(path: string): string[] {
  const [whole = "", names = ""] = /\{([^{}]+)\}/.exec(path) ?? [];
  return whole === "" ? [path] : names.split(",").flatMap((name) => spelledOut(path.replace(whole, name)));
}

/** Reports whether a path from the root, in which braces and `*` stand for several, leads to files or folders. */
const isThere = (path: string): boolean =>
  spelledOut(path).every(
    (one) => existsSync(join(root, one)) || [...new Bun.Glob(one).scanSync({ cwd: root, onlyFiles: false })].length > 0,
  );

/** Returns what stands in a cell as code. */
const codeIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);

test("each room's table names files that are there", () => {
  const missing: string[] = [];
  let named = 0;
  let folder = "";
  for (const line of architecture.split("\n")) {
    if (line.startsWith("#")) folder = /: `((?:src|web|test)\/.*)`$/.exec(line)?.[1] ?? "";
    if (folder === "" || !line.startsWith("| `")) continue;
    const [, first = "", second = ""] = line.split("|");
    const files = codeIn(first);
    named += files.length;
    const more = codeIn(second).filter((text) => /^[\w-]+\/[\w/.-]*$/.test(text));
    missing.push(...files.map((file) => `${folder}${file}`).filter((path) => !isThere(path)));
    missing.push(...more.filter((path) => !isThere(`${folder}${path}`) && !isThere(path)));
  }
  expect(missing).toEqual([]);
  expect(named).toBeGreaterThan(200);
});

test("what a change touches and what proves it is there", () => {
  const section = /\n## Change something\n([\s\S]*?)\n## /.exec(architecture)?.[1] ?? "";
  const paths = section
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .flatMap((line) => codeIn(line).flatMap((text) => text.split(" ")))
    .filter((text) => /^[\w{},*.-]+\//.test(text))
    .map((text) => (/^(web|test|deploy|docs)\//.test(text) ? text : `src/${text}`))
    // What `bun test` finds by a part of its path.
    .map((path) => path.replace(/^src(\/journeys\/.*)$/, "test$1*"));
  expect(paths.filter((path) => !isThere(path))).toEqual([]);
  expect(paths.length).toBeGreaterThan(100);
});

test("no line of the map is longer than 200 characters", () => {
  expect(architecture.split("\n").filter((line) => line.length > 200)).toEqual([]);
});
