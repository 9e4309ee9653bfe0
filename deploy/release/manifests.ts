import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Release } from "./release.ts";
import { archiveOf, isWindows, type Target } from "./targets.ts";

/** Writes a formula for Homebrew and a manifest for Scoop, whose archives lie below `downloads`. */
export async function writeManifests(
  { version, out }: Release,
  targets: readonly Target[],
  downloads: string,
): Promise<void> {
  const base = downloads.replace(/\/$/, "");
  const files = new Map(
    targets.map((target) => {
      const name = archiveOf(version, target);
      const hash = createHash("sha256")
        .update(readFileSync(join(out, name)))
        .digest("hex");
      return [target.name, { url: `${base}/${name}`, hash, folder: `satchel-${version}-${target.name}` }];
    }),
  );
  mkdirSync(join(out, "manifests"));
  const systems = ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64"].flatMap((name) => {
    const file = files.get(name);
    return file ? [{ name, ...file }] : [];
  });
  if (systems.length > 0) await Bun.write(join(out, "manifests/satchel.rb"), formulaOf(version, systems));
  const windows = targets.filter(isWindows).flatMap(({ name }) => {
    const file = files.get(name);
    return file ? [[name === "windows-x64" ? "64bit" : "arm64", { ...file, extract_dir: file.folder }] as const] : [];
  });
  if (windows.length > 0) await Bun.write(join(out, "manifests/satchel.json"), scoopOf(version, windows));
}

interface Download {
  readonly url: string;
  readonly hash: string;
}

const conditions: Readonly<Record<string, string>> = {
  "darwin-arm64": "OS.mac? && Hardware::CPU.arm?",
  "darwin-x64": "OS.mac? && Hardware::CPU.intel?",
  "linux-arm64": "OS.linux? && Hardware::CPU.arm?",
  "linux-x64": "OS.linux? && Hardware::CPU.intel?",
};

const formulaOf = (
  version: string,
  systems: readonly (Download & { readonly name: string })[],
): string => `class Satchel < Formula
  desc "Online clipboard and file share in one executable"
  version "${version}"
  license "MIT"

${systems
  .map(({ name, url, hash }) => `  if ${conditions[name]}\n    url "${url}"\n    sha256 "${hash}"\n  end`)
  .join("\n\n")}

  def install
    bin.install "satchel"
    man1.install "satchel.1"
    bash_completion.install "completions/satchel.bash" => "satchel"
    zsh_completion.install "completions/_satchel"
    fish_completion.install "completions/satchel.fish"
  end

  service do
    run [opt_bin/"satchel", "--data", var/"satchel"]
    keep_alive true
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/satchel --version")
  end
end
`;

function scoopOf(version: string, files: readonly (readonly [string, Download & { readonly extract_dir: string }])[]) {
  const architecture = Object.fromEntries(
    files.map(([name, { url, hash, extract_dir }]) => [name, { url, hash, extract_dir }]),
  );
  const description = "Online clipboard and file share in one executable";
  return `${JSON.stringify({ version, description, license: "MIT", architecture, bin: "satchel.exe" }, null, 2)}\n`;
}
