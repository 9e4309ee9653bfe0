import { describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeArchive } from "../../deploy/release/archive.ts";
import { writeBill } from "../../deploy/release/bill.ts";
import { licenceTexts } from "../../deploy/release/dependencies.ts";
import { writeManifests } from "../../deploy/release/manifests.ts";
import { notesOf } from "../../deploy/release/preconditions.ts";
import type { Release } from "../../deploy/release/release.ts";
import { runtimeHash } from "../../deploy/release/runtimes.ts";
import { writeSums } from "../../deploy/release/sums.ts";
import { archiveOf, chosen, executableOf, isWindows } from "../../deploy/release/targets.ts";
import manifest from "../../package.json";
import { root } from "../support/sources.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const time = Date.UTC(2026, 0, 1) / 1000;

const sha256 = (bytes: Uint8Array): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

/** A source with an executable of each target that is none, documents, and a folder for what is made. */
function open(folder: string) {
  const [source, out, documents] = ["source", "out", "documents"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [join(source, "dist"), out, join(documents, "completions")]) mkdirSync(path, { recursive: true });
  for (const target of chosen()) writeFileSync(join(source, executableOf(target)), `the executable for ${target.name}`);
  writeFileSync(join(documents, "LICENSE"), "MIT");
  writeFileSync(join(documents, "completions/satchel.fish"), "complete");
  const release: Release = { version: "1.2.3", source, out, time };
  return { release, out, documents };
}

describe("what a release is made of", () => {
  test("there are eight targets, and Bun of each is that of package.json, with its hash", async () => {
    expect(chosen().map(({ name, bun }) => `${name} ${bun}`)).toEqual([
      "linux-x64 bun-linux-x64-baseline",
      "linux-arm64 bun-linux-arm64",
      "linux-x64-musl bun-linux-x64-musl-baseline",
      "linux-arm64-musl bun-linux-arm64-musl",
      "darwin-x64 bun-darwin-x64-baseline",
      "darwin-arm64 bun-darwin-arm64",
      "windows-x64 bun-windows-x64-baseline",
      "windows-arm64 bun-windows-arm64",
    ]);
    const { optionalDependencies } = await Bun.file(join(root, "deploy/release/runtimes/package.json")).json();
    const wanted = chosen().map(({ runtime }): [string, unknown] => [runtime, manifest.engines.bun]);
    expect(Object.entries(optionalDependencies).sort()).toEqual(wanted.sort());
    for (const target of chosen()) expect(runtimeHash(root, target)).toMatch(/^sha512-[\w+/]{86}==$/);
    expect(() => chosen(["linux-x86"])).toThrow("There is no target linux-x86. There are: linux-x64, ");
  });

  test("the notes are what the changelog says of the version", () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, "package.json"), '{ "version": "1.2.3" }');
    const changes = (text: string) => writeFileSync(join(folder.path, "CHANGELOG.md"), text);
    changes(
      "# Changelog\n\n## [Unreleased]\n\n- later\n\n## [1.2.3] - 2026-01-01\n\n### Added\n\n- this\n\n## [1.2.2]\n\n- before\n",
    );
    expect(notesOf(folder.path)).toEqual({ version: "1.2.3", notes: "### Added\n\n- this\n" });
    for (const text of [
      "# Changelog\n",
      "## [Unreleased]\n\n- x\n",
      "## [1.2.3] - 2026-01-01\n\n## [1.2.2]\n\n- x\n",
      "## [1.2.30]\n\n- x\n",
    ]) {
      changes(text);
      expect(() => notesOf(folder.path)).toThrow('CHANGELOG.md has no section "## [1.2.3]" that says something.');
    }
  });

  test("the bill names every package once, with its licence and its hash, and Bun of each target", async () => {
    using folder = temporaryFolder();
    const release: Release = { version: "1.2.3", source: root, out: folder.path, time };
    await writeBill(release, chosen(["linux-x64", "windows-arm64"]));
    const bill = await Bun.file(join(folder.path, "satchel_1.2.3.cdx.json")).json();
    expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1 });
    expect(bill.metadata).toMatchObject({
      timestamp: "2026-01-01T00:00:00.000Z",
      component: { name: "satchel", version: "1.2.3" },
    });
    type Component = { "bom-ref": string; name: string; purl: string; hashes?: { alg: string; content: string }[] };
    const components: Component[] = bill.components;
    const refs = components.map((one) => one["bom-ref"]);
    expect(new Set(refs).size).toBe(refs.length);
    expect(components.slice(0, 2).map(({ name }) => name)).toEqual([
      "@oven/bun-linux-x64-baseline",
      "@oven/bun-windows-aarch64",
    ]);
    for (const { name, purl, hashes } of components) {
      expect(purl).toMatch(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+/);
      expect({ name, hashes }).toMatchObject({
        name,
        hashes: [{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
      });
    }
    const names = components.map(({ name }) => name);
    for (const name of ["elysia", "react", "@aws-sdk/client-s3", "modern-tar", "pdfjs-dist"])
      expect(names).toContain(name);
    // What only builds and tests is not in an executable.
    for (const name of ["@biomejs/biome", "typescript", "playwright-core"]) expect(names).not.toContain(name);
    const texts = licenceTexts(root);
    for (const name of names.slice(2)) expect(texts).toContain(`\n${name} `);
    // Of libheif, whose own licence refers to it.
    expect(texts).toContain("GNU GENERAL PUBLIC LICENSE");
  });

  test("an archive has one folder with the executable and the documents, and twice the same bytes", async () => {
    using one = temporaryFolder();
    using other = temporaryFolder();
    const places = [open(one.path), open(other.path)];
    for (const target of chosen(["linux-arm64-musl", "windows-x64"])) {
      for (const { release, documents } of places) await writeArchive(release, target, documents);
      const name = archiveOf("1.2.3", target);
      expect(name).toBe(isWindows(target) ? "satchel_1.2.3_windows_x64.zip" : "satchel_1.2.3_linux_arm64_musl.tar.gz");
      const [first, second] = await Promise.all(places.map(({ out }) => Bun.file(join(out, name)).bytes()));
      expect(sha256(first as Uint8Array)).toBe(sha256(second as Uint8Array));
    }
    const listed = (...command: string[]) => Bun.spawnSync(command, { cwd: join(one.path, "out") }).stdout.toString();
    const top = "satchel-1.2.3-linux-arm64-musl";
    expect(
      listed("tar", "-tvzf", "satchel_1.2.3_linux_arm64_musl.tar.gz", "--utc", "--full-time")
        .trim()
        .split("\n")
        .map((line) => line.replace(/ +/g, " ")),
    ).toEqual([
      `drwxr-xr-x 0/0 0 2026-01-01 00:00:00 ${top}/`,
      `-rw-r--r-- 0/0 3 2026-01-01 00:00:00 ${top}/LICENSE`,
      `drwxr-xr-x 0/0 0 2026-01-01 00:00:00 ${top}/completions/`,
      `-rw-r--r-- 0/0 8 2026-01-01 00:00:00 ${top}/completions/satchel.fish`,
      `-rwxr-xr-x 0/0 35 2026-01-01 00:00:00 ${top}/satchel`,
    ]);
    const zip = Buffer.from(await Bun.file(join(one.path, "out/satchel_1.2.3_windows_x64.zip")).bytes()).toString(
      "latin1",
    );
    for (const name of ["LICENSE", "completions/satchel.fish", "satchel.exe"])
      expect(zip).toContain(`satchel-1.2.3-windows-x64/${name}`);
  });

  test("formula and manifest name the archives that there are, with their sums", async () => {
    using folder = temporaryFolder();
    const { release, out } = open(folder.path);
    const targets = chosen(["linux-x64", "darwin-arm64", "windows-x64"]);
    for (const target of targets) writeFileSync(join(out, archiveOf("1.2.3", target)), target.name);
    await writeManifests(release, targets, "https://share.example/satchel/");
    const formula = readFileSync(join(out, "manifests/satchel.rb"), "utf8");
    expect(formula).toContain('  version "1.2.3"\n');
    expect(formula).toContain(
      `  if OS.mac? && Hardware::CPU.arm?\n    url "https://share.example/satchel/satchel_1.2.3_darwin_arm64.tar.gz"\n    sha256 "${sha256(Buffer.from("darwin-arm64"))}"\n  end`,
    );
    expect(formula).not.toContain("darwin_x64");
    expect(JSON.parse(readFileSync(join(out, "manifests/satchel.json"), "utf8"))).toMatchObject({
      version: "1.2.3",
      bin: "satchel.exe",
      architecture: {
        "64bit": {
          url: "https://share.example/satchel/satchel_1.2.3_windows_x64.zip",
          hash: sha256(Buffer.from("windows-x64")),
          extract_dir: "satchel-1.2.3-windows-x64",
        },
      },
    });
  });

  test("the sums are of every file, as sha256sum reads them", async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "manifests"));
    for (const name of ["b", "a", "manifests/c"]) writeFileSync(join(folder.path, name), name);
    await writeSums(folder.path);
    const check = () => Bun.spawnSync(["sha256sum", "--check", "--strict", "SHA256SUMS"], { cwd: folder.path });
    expect(check().stdout.toString()).toBe("a: OK\nb: OK\nmanifests/c: OK\n");
    writeFileSync(join(folder.path, "b"), "changed");
    expect(check().exitCode).toBe(1);
  });
});

/** A repository with what begins a release, of which all is committed. */
function makeRepository(folder: string): void {
  for (const path of ["release.ts", "package.json", "tsconfig.json", "deploy/release"])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, ".gitignore"), "node_modules\ndist/\n");
  writeFileSync(join(folder, "CHANGELOG.md"), "## [Unreleased]\n\n- first\n");
  commit(folder, "init", "-q");
}

function commit(folder: string, ...first: string[]): void {
  const author = ["-c", "user.name=test", "-c", "user.email=test@example.invalid", "-c", "commit.gpgsign=false"];
  for (const words of [first, ["add", "-A"], [...author, "commit", "-q", "-m", "a release"]]) {
    if (words.length === 0) continue;
    const { success, stderr } = Bun.spawnSync(["git", ...words], { cwd: folder });
    if (!success) throw new Error(stderr.toString());
  }
}

test("a release that cannot be made is refused before anything is built", async () => {
  using folder = temporaryFolder();
  makeRepository(folder.path);
  const refusal = async (...words: string[]) => {
    const child = Bun.spawn([process.execPath, "release.ts", ...words], {
      cwd: folder.path,
      stdout: "ignore",
      stderr: "pipe",
    });
    const said = await new Response(child.stderr).text();
    expect(await child.exited).toBe(1);
    expect(existsSync(join(folder.path, "dist"))).toBe(false);
    return said.trim();
  };
  const noSection = `CHANGELOG.md has no section "## [${manifest.version}]" that says something.`;
  expect(await refusal("--unsigned")).toBe(noSection);
  expect(await refusal()).toBe("Name the secret key with --key FILE, or say --unsigned.");
  expect(await refusal("--key", "nowhere")).toBe("There is no key nowhere.");
  expect(await refusal("--unsigned", "--target", "linux-x86")).toStartWith("There is no target linux-x86.");
  writeFileSync(join(folder.path, "stray"), "");
  expect(await refusal("--unsigned")).toBe("There are changes that are not committed. Commit them first.");
  expect(await refusal("--key", "stray")).toBe(
    "deploy/minisign.pub is missing. CONTRIBUTING.md says how a key is made.",
  );
  expect(readdirSync(folder.path)).not.toContain("dist");
});
