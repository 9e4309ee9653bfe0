import { expect, test } from "bun:test";
import { appendFileSync, cpSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { rebuild } from "../../deploy/pages/rebuild.ts";
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

test("the pages are built by the first run, and not by the next", async () => {
  using folder = temporaryFolder();
  smallProject(folder.path);
  const buildPages = () => outputOf([process.execPath, "build.ts", "--web"], folder.path);
  const page = join(folder.path, "dist/web/index.html");
  expect(await buildPages()).toBe("dist/web is built.\n");
  const first = statSync(page).ino;
  expect(await buildPages()).toBe("dist/web is up to date.\n");
  expect(statSync(page).ino).toBe(first);
});

test("the pages are built again when a source or a built file has changed, and only then", async () => {
  using folder = temporaryFolder();
  const at = (path: string) => join(folder.path, path);
  smallProject(folder.path);
  const build = async () => {
    for (const page of ["index", "docs"]) await Bun.write(at(`dist/web/${page}.html`), `the page ${page}`);
  };
  const isBuilt = () => rebuild(folder.path, build);
  expect(await isBuilt()).toBe(true);
  expect(await isBuilt()).toBe(false);

  const changes: Record<string, () => void> = {
    "a changed page": () => appendFileSync(at("web/index.html"), "<!-- changed -->"),
    "a new file of the pages": () => writeFileSync(at("web/public/robots.txt"), "User-agent: *"),
    "a file that is gone": () => rmSync(at("web/public/robots.txt")),
    "the contract": () => appendFileSync(at("src/contract/limits.ts"), "\n"),
    "other packages": () => appendFileSync(at("bun.lock"), "\n"),
    "another version": () => appendFileSync(at("package.json"), "\n"),
    "the build itself": () => appendFileSync(at("build.ts"), "\n"),
    "a damaged built file": () => writeFileSync(at("dist/web/index.html"), "<html>"),
    "a built file that is gone": () => rmSync(at("dist/web/docs.html")),
    "a build that was broken off": () => rmSync(at("dist/web.fingerprint")),
    "built pages that are gone": () => rmSync(at("dist/web"), { recursive: true }),
  };
  for (const [name, change] of Object.entries(changes)) {
    change();
    expect({ name, isBuilt: await isBuilt() }).toEqual({ name, isBuilt: true });
    expect({ name, isBuilt: await isBuilt() }).toEqual({ name, isBuilt: false });
    expect(existsSync(at("dist/web/docs.html"))).toBe(true);
  }
});

test("pages that could not be built are built by the next run", async () => {
  using folder = temporaryFolder();
  smallProject(folder.path);
  const page = join(folder.path, "dist/web/index.html");
  const failing = async () => {
    await Bun.write(page, "half of it");
    throw new Error("no room");
  };
  const failure = await rebuild(folder.path, failing).catch((error: unknown) => error);
  expect(String(failure)).toBe("Error: no room");
  expect(await rebuild(folder.path, async () => void (await Bun.write(page, "all of it")))).toBe(true);
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
