import { describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { changesOf } from "../../deploy/release/changelog.ts";
import { thirdPartyLicenses } from "../../deploy/release/licenses.ts";
import { readOptions } from "../../deploy/release/options.ts";
import { homebrewFormula, scoopManifest } from "../../deploy/release/package-managers.ts";
import type { Package } from "../../deploy/release/packages.ts";
import { billOfMaterials } from "../../deploy/release/sbom.ts";
import { targets } from "../../deploy/release/targets.ts";
import manifest from "../../package.json";
import { root } from "../support/sources.ts";
import { temporaryFolder } from "../support/test-house.ts";

const source = { root, version: "1.2.3", commit: "c0ffee", time: 1_700_000_000, changes: "- new" };

const packaged = (name: string, more: Partial<Package> = {}): Package => ({
  name,
  version: "1.0.0",
  folder: `node_modules/${name}`,
  license: "MIT",
  text: "The text of MIT",
  integrity: Buffer.from("hash").toString("base64"),
  dependencies: [],
  ...more,
});

describe("what is written of a release", () => {
  const changelog =
    "# Changelog\n\n## [Unreleased]\n\n- later\n\n## [1.2.3] - 2026-01-01\n\n### Added\n\n- this\n\n## [1.2.2] - 2025-01-01\n\n- before\n";

  test("notes are the section of the version", () => {
    expect(changesOf(changelog, "1.2.3")).toBe("### Added\n\n- this");
    expect(changesOf(changelog, "1.2.2")).toBe("- before");
  });

  test("a version without a section, or with an empty one, is refused", () => {
    expect(() => changesOf(changelog, "1.2")).toThrow("CHANGELOG.md has no section for 1.2:");
    expect(() => changesOf("## [1.0.0]\n\n## [0.9.0]\n- old\n", "1.0.0")).toThrow("says nothing of 1.0.0");
  });

  test("packages with the same license text stand together, and one without a text names its license", () => {
    const packages = [packaged("a"), packaged("@b/c"), packaged("d", { text: "", license: "ISC" })];
    const text = thirdPartyLicenses(packages, "9.9.9");
    expect(text).toContain("Bun 9.9.9 (MIT)");
    expect(text).toContain("a 1.0.0 (MIT)\n@b/c 1.0.0 (MIT)\n\nThe text of MIT");
    expect(text.split("The text of MIT")).toHaveLength(2);
    expect(text).toContain("d 1.0.0 (ISC)\n\nThis package has no license file. Its package.json names the license ISC.");
  });

  test("the bill of materials names Bun and every package, and which one leads to which", () => {
    const packages = [
      packaged("a", { dependencies: ["@b/c", "not-bundled"] }),
      packaged("@b/c"),
      packaged("@b/c", { version: "0.9.0", folder: "node_modules/a/node_modules/@b/c", license: "(MIT OR ISC)" }),
    ];
    const text = billOfMaterials(source, packages, [{ name: "@oven/bun-linux-aarch64", integrity: "aGFzaA==" }]);
    const bill = JSON.parse(text);
    expect(billOfMaterials(source, packages, [{ name: "@oven/bun-linux-aarch64", integrity: "aGFzaA==" }])).toBe(text);
    expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6" });
    expect(bill.components.map(({ purl }: { purl: string }) => purl)).toEqual([
      `pkg:npm/bun@${Bun.version}`,
      "pkg:npm/a@1.0.0",
      "pkg:npm/%40b/c@1.0.0",
      "pkg:npm/%40b/c@0.9.0",
    ]);
    expect(bill.components[1].hashes).toEqual([{ alg: "SHA-512", content: Buffer.from("hash").toString("hex") }]);
    expect(bill.components[3].licenses).toEqual([{ expression: "(MIT OR ISC)" }]);
    const dependsOn = (ref: string) => bill.dependencies.find((one: { ref: string }) => one.ref === ref)?.dependsOn;
    expect(dependsOn("pkg:npm/a@1.0.0")).toEqual(["pkg:npm/%40b/c@0.9.0"]);
  });

  test("formula and manifest name the archives that there are, with their sums", () => {
    const sums = new Map([
      ["satchel_1.2.3_darwin_arm64.tar.gz", "aa"],
      ["satchel_1.2.3_linux_x64.tar.gz", "bb"],
      ["satchel_1.2.3_windows_x64.zip", "cc"],
    ]);
    const published = { version: "1.2.3", url: "https://downloads.example/satchel", sums };
    const formula = homebrewFormula(published);
    expect(formula).toContain('url "https://downloads.example/satchel/satchel_1.2.3_darwin_arm64.tar.gz"\n      sha256 "aa"');
    expect(formula).toContain('on_linux do\n    on_intel do\n      url "https://downloads.example/satchel/satchel_1.2.3_linux_x64.tar.gz"');
    expect(formula).not.toContain("darwin_x64");
    const { architecture } = JSON.parse(scoopManifest(published));
    expect(architecture).toEqual({
      "64bit": {
        url: "https://downloads.example/satchel/satchel_1.2.3_windows_x64.zip",
        hash: "cc",
        extract_dir: "satchel_1.2.3_windows_x64",
      },
    });
  });
});

describe("what a release is made of", () => {
  test("Bun for every target is that of package.json", async () => {
    const runtimes = await Bun.file(join(root, "deploy/release/runtimes/package.json")).json();
    const wanted = targets.map(({ runtime }) => [runtime, manifest.engines.bun] as const);
    expect(Object.entries(runtimes.optionalDependencies).sort()).toEqual([...wanted].sort());
    const lock = await Bun.file(join(root, "deploy/release/runtimes/bun.lock")).text();
    for (const { runtime } of targets) expect(lock).toContain(`["${runtime}@${manifest.engines.bun}", `);
  });

  test("options that make no sense are refused with a sentence", () => {
    expect(() => readOptions([], root)).toThrow("--unsigned");
    expect(() => readOptions(["--unsigned", "--key", "x"], root)).toThrow("--unsigned");
    expect(() => readOptions(["--unsigned", "--target", "linux-x86"], root)).toThrow("There is no target linux-x86");
    expect(() => readOptions(["--unsigned", "--url", "http://plain.example"], root)).toThrow("begins with https://");
    expect(readOptions(["--help"], root)).toBeUndefined();
    expect(readOptions(["--unsigned"], root)?.targets).toHaveLength(8);
  });
});

/** A repository with the real scripts and two small pages, whose one commit can be released. */
function smallRepository(folder: string): void {
  const copied = ["release.ts", "build.ts", "package.json", "bun.lock", "tsconfig.json", "bunfig.toml", "LICENSE"];
  for (const path of [...copied, "README.md", "deploy", "src", "web"])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  rmSync(join(folder, "web/public"), { recursive: true });
  rmSync(join(folder, "deploy/minisign.pub"), { force: true });
  mkdirSync(join(folder, "web/public"));
  writeFileSync(join(folder, "web/public/robots.txt"), "User-agent: *\n");
  writeFileSync(join(folder, "web/sw.ts"), "console.log(__PRECACHE__, __VERSION__);");
  for (const page of ["index", "docs"]) writeFileSync(join(folder, `web/${page}.html`), "<html><head></head></html>");
  writeFileSync(join(folder, "src/main.ts"), 'console.log("small");');
  writeFileSync(join(folder, ".gitignore"), "node_modules\ndist/\n");
  writeFileSync(join(folder, "CHANGELOG.md"), `## [${manifest.version}] - 2026-01-01\n\n- first\n`);
  git(folder, "init", "-q");
  commit(folder);
}

function git(folder: string, ...words: string[]): void {
  const date = "2026-01-01T00:00:00Z";
  const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const { success, stderr } = Bun.spawnSync(["git", ...words], { cwd: folder, env });
  if (!success) throw new Error(stderr.toString());
}

function commit(folder: string): void {
  git(folder, "add", "-A");
  const author = ["-c", "user.name=test", "-c", "user.email=test@example.invalid", "-c", "commit.gpgsign=false"];
  git(folder, ...author, "commit", "-q", "-m", "a release");
}

function startRelease(folder: string, ...words: string[]) {
  const command = [process.execPath, "release.ts", "--target", "darwin-arm64", ...words];
  return Bun.spawn(command, { cwd: folder, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
}

/** What it complains of; it must fail and leave nothing. */
async function refusal(folder: string, ...words: string[]): Promise<string> {
  const child = startRelease(folder, ...words);
  const complaint = await new Response(child.stderr).text();
  expect(await child.exited).toBe(1);
  expect(existsSync(join(folder, "dist"))).toBe(false);
  return complaint;
}

test("a release that cannot be made is refused before anything is built", async () => {
  using folder = temporaryFolder();
  smallRepository(folder.path);
  const stray = join(folder.path, "stray.txt");
  writeFileSync(stray, "");
  expect(await refusal(folder.path, "--unsigned")).toContain(
    "The tree differs from its commit; commit or remove this first:\n?? stray.txt",
  );
  rmSync(stray);
  writeFileSync(join(folder.path, "README.md"), "changed");
  expect(await refusal(folder.path, "--unsigned")).toContain("M README.md");
  writeFileSync(join(folder.path, "CHANGELOG.md"), "## [Unreleased]\n\n- first\n");
  commit(folder.path);
  expect(await refusal(folder.path, "--unsigned")).toContain(`CHANGELOG.md has no section for ${manifest.version}:`);
});

test("the same commit gives the same bytes in any folder, and one that is killed gives none", async () => {
  using one = temporaryFolder();
  using other = temporaryFolder();
  const folders = [one.path, join(other.path, "in/another folder")];
  const made: Record<string, string>[] = [];
  for (const folder of folders) {
    mkdirSync(folder, { recursive: true });
    smallRepository(folder);
    const child = startRelease(folder, "--unsigned");
    const complaint = await new Response(child.stderr).text();
    expect({ complaint, code: await child.exited }).toEqual({ complaint: "", code: 0 });
    expect(readdirSync(join(folder, "dist/release"))).toEqual([manifest.version]);
    const released = join(folder, "dist/release", manifest.version);
    const sums: Record<string, string> = {};
    for (const name of readdirSync(released).sort())
      sums[name] = new Bun.CryptoHasher("sha256").update(await Bun.file(join(released, name)).bytes()).digest("hex");
    made.push(sums);
  }
  expect(Object.keys(made[0] ?? {})).toEqual([
    "RELEASE_NOTES.md",
    "SHA256SUMS",
    `satchel_${manifest.version}.cdx.json`,
    `satchel_${manifest.version}_darwin_arm64.tar.gz`,
  ]);
  expect(made[1]).toEqual(made[0] ?? {});

  const out = join(one.path, "dist/elsewhere");
  const killed = startRelease(one.path, "--unsigned", "--out", out);
  for await (const text of killed.stdout.pipeThrough(new TextDecoderStream())) {
    if (text.includes("the executable for")) killed.kill("SIGKILL");
  }
  await killed.exited;
  expect(killed.signalCode).toBe("SIGKILL");
  expect(readdirSync(out)).toEqual(["incomplete"]);
});
