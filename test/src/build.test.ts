import { expect, test } from "bun:test";
import { appendFileSync, cpSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../support/sources.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const copied =
  "build.ts deploy/pages package.json bun.lock tsconfig.json bunfig.toml src/contract src/fronts/site/assets.ts src/fronts/site/head.ts src/fronts/site/open-pages.ts src/fronts/site/share-page-files.ts web".split(
    " ",
  );

/** A project with the real build, the parts of the web that it draws itself, and two small pages. */
function smallProject(folder: string): void {
  for (const path of copied) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  rmSync(join(folder, "web/public"), { recursive: true });
  mkdirSync(join(folder, "web/public"));
  writeFileSync(join(folder, "web/sw.ts"), "console.log(__PRECACHE__, __VERSION__);");
  for (const page of ["index", "docs"]) writeFileSync(join(folder, `web/${page}.html`), "<html><head></head></html>");
}

/** What a program says that succeeds. */
async function outputOf(command: string[], folder: string): Promise<string> {
  const child = Bun.spawn(command, { cwd: folder, stdout: "pipe", stderr: "pipe" });
  const [said, complaint] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  expect({ code: await child.exited, complaint }).toEqual({ code: 0, complaint: "" });
  return said;
}

async function buildPages(folder: string): Promise<"built" | "up to date"> {
  const said = await outputOf([process.execPath, "build.ts", "--web"], folder);
  return said.includes("up to date") ? "up to date" : "built";
}

test("the pages are built again when a source or a built file has changed, and only then", async () => {
  using folder = temporaryFolder();
  const at = (path: string) => join(folder.path, path);
  smallProject(folder.path);
  expect(await buildPages(folder.path)).toBe("built");
  const first = statSync(at("dist/web/index.html")).ino;
  expect(await buildPages(folder.path)).toBe("up to date");
  expect(statSync(at("dist/web/index.html")).ino).toBe(first);

  const changes: Record<string, () => void> = {
    "a changed page": () => appendFileSync(at("web/index.html"), "<!-- changed -->"),
    "a new file of the pages": () => writeFileSync(at("web/public/robots.txt"), "User-agent: *"),
    "a file that is gone": () => rmSync(at("web/public/robots.txt")),
    "the contract": () => appendFileSync(at("src/contract/limits.ts"), "\n"),
    "other packages": () => appendFileSync(at("bun.lock"), "\n"),
    "another version": () => appendFileSync(at("package.json"), "\n"),
    "a damaged built file": () => writeFileSync(at("dist/web/index.html"), "<html>"),
    "a built file that is gone": () => rmSync(at("dist/web/docs.html")),
    "a build that was broken off": () => rmSync(at("dist/web.fingerprint")),
    "built pages that are gone": () => rmSync(at("dist/web"), { recursive: true }),
  };
  for (const [name, change] of Object.entries(changes)) {
    change();
    expect({ name, came: await buildPages(folder.path) }).toEqual({ name, came: "built" });
    expect({ name, came: await buildPages(folder.path) }).toEqual({ name, came: "up to date" });
    expect(existsSync(at("dist/web/docs.html"))).toBe(true);
  }
});

test("the executable reads nothing of the folder that it is started in", async () => {
  using project = temporaryFolder();
  using elsewhere = temporaryFolder();
  smallProject(project.path);
  writeFileSync(
    join(project.path, "src/main.ts"),
    "console.log(process.env.PLANTED ?? 'nothing', process.argv.length);",
  );
  await outputOf([process.execPath, "build.ts"], project.path);
  const planted = {
    "bunfig.toml": 'preload = ["./planted.ts"]',
    "planted.ts": "console.log('planted'); require('node:fs').writeFileSync('ran', '');",
    ".env": "PLANTED=yes",
    ".env.production": "PLANTED=yes",
    "package.json": '{ "type": "commonjs", "imports": { "#contract/*": "./planted.ts" } }',
    "tsconfig.json": '{ "compilerOptions": { "paths": { "*": ["./planted.ts"] } } }',
  };
  for (const [name, text] of Object.entries(planted)) writeFileSync(join(elsewhere.path, name), text);
  expect(await outputOf([join(project.path, "dist/satchel")], elsewhere.path)).toBe("nothing 2\n");
  expect(existsSync(join(elsewhere.path, "ran"))).toBe(false);
});
