/** What Homebrew and Scoop need to know of a release. */
export interface Published {
  readonly version: string;
  /** Where the archives are for download. */
  readonly url: string;
  /** The SHA-256 of each archive in hexadecimal, by its name. */
  readonly sums: ReadonlyMap<string, string>;
}

const SUMMARY = "Online clipboard and file share in one executable";

/** The formula for Homebrew, for the systems whose archives are there. */
export function homebrewFormula({ version, url, sums }: Published): string {
  const source = (os: string, arch: "x64" | "arm64"): string[] => {
    const name = `satchel_${version}_${os}_${arch}.tar.gz`;
    const sum = sums.get(name);
    if (!sum) return [];
    return [
      `    on_${arch === "x64" ? "intel" : "arm"} do`,
      `      url "${url}/${name}"`,
      `      sha256 "${sum}"`,
      "    end",
    ];
  };
  const system = (os: string, block: string): string => {
    const lines = [...source(os, "arm64"), ...source(os, "x64")];
    return lines.length === 0 ? "" : `\n  on_${block} do\n${lines.join("\n")}\n  end\n`;
  };
  return `class Satchel < Formula
  desc "${SUMMARY}"
  homepage "${url}"
  version "${version}"
  license "MIT"
${system("darwin", "macos")}${system("linux", "linux")}
  def install
    bin.install "satchel"
    man1.install "man/satchel.1"
    bash_completion.install "completions/satchel.bash" => "satchel"
    zsh_completion.install "completions/_satchel"
    fish_completion.install "completions/satchel.fish"
  end

  service do
    run opt_bin/"satchel"
    environment_variables DATA_DIR: var/"satchel"
    keep_alive successful_exit: false
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/satchel --version")
  end
end
`;
}

/** The manifest for Scoop, for the systems whose archives are there. */
export function scoopManifest({ version, url, sums }: Published): string {
  const source = (arch: "x64" | "arm64") => {
    const name = `satchel_${version}_windows_${arch}`;
    const hash = sums.get(`${name}.zip`);
    return hash ? { url: `${url}/${name}.zip`, hash, extract_dir: name } : undefined;
  };
  const architecture = { "64bit": source("x64"), arm64: source("arm64") };
  const manifest = { version, description: SUMMARY, homepage: url, license: "MIT", architecture, bin: "satchel.exe" };
  return `${JSON.stringify(manifest, undefined, 4)}\n`;
}
