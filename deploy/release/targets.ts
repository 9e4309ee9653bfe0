/** A system for which there is an executable. */
export interface Target {
  /** As files and --target name it. */
  readonly name: string;
  /** As Bun names it. */
  readonly bun: string;
  /** The package of Bun for it. */
  readonly runtime: string;
  /** As package managers name its parts. */
  readonly os: "linux" | "darwin" | "win32";
  readonly cpu: "x64" | "arm64";
  readonly libc?: "musl";
  /** Debian's name of the architecture, where there is a package and an image for it. */
  readonly debian?: "amd64" | "arm64";
}

/** x64 is the baseline: for processors without AVX2 too. */
const targets: readonly Target[] = (
  [
    { name: "linux-x64", os: "linux", cpu: "x64", debian: "amd64" },
    { name: "linux-arm64", os: "linux", cpu: "arm64", debian: "arm64" },
    { name: "linux-x64-musl", os: "linux", cpu: "x64", libc: "musl" },
    { name: "linux-arm64-musl", os: "linux", cpu: "arm64", libc: "musl" },
    { name: "darwin-x64", os: "darwin", cpu: "x64" },
    { name: "darwin-arm64", os: "darwin", cpu: "arm64" },
    { name: "windows-x64", os: "win32", cpu: "x64" },
    { name: "windows-arm64", os: "win32", cpu: "arm64" },
  ] as const
).map((target) => {
  const baseline = target.cpu === "x64" ? "-baseline" : "";
  const runtime = `@oven/bun-${target.name.replace("arm64", "aarch64")}${baseline}`;
  return { ...target, bun: `bun-${target.name}${baseline}`, runtime };
});

/** The targets of these names, or all. Throws a sentence for an unknown one. */
export function chosen(names: readonly string[] = targets.map(({ name }) => name)): Target[] {
  return names.map((name) => {
    const found = targets.find((target) => target.name === name);
    if (!found) throw new Error(`There is no target ${name}. There are: ${targets.map((one) => one.name).join(", ")}.`);
    return found;
  });
}

export const isWindows = ({ os }: Target): boolean => os === "win32";

/** Where build.ts puts the executable of a target, in the folder of the source. */
export const executableOf = (target: Target): string =>
  `dist/satchel-${target.bun.replace(/^bun-/, "")}${isWindows(target) ? ".exe" : ""}`;

/** The name of its archive. */
export const archiveOf = (version: string, target: Target): string =>
  `satchel_${version}_${target.name.replaceAll("-", "_")}.${isWindows(target) ? "zip" : "tar.gz"}`;
