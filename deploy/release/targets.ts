/** A system for which there is an executable. */
export interface Target {
  /** As files and --target name it. */
  readonly name: string;
  /** As Bun names it. */
  readonly bun: string;
  /** Debian's name of the architecture, where there is a package and an image for it. */
  readonly debian?: "amd64" | "arm64";
}

const targets: readonly Target[] = [
  // For processors without AVX2 too.
  { name: "linux-x64", bun: "bun-linux-x64-baseline", debian: "amd64" },
  { name: "linux-arm64", bun: "bun-linux-arm64", debian: "arm64" },
  { name: "linux-x64-musl", bun: "bun-linux-x64-musl-baseline" },
  { name: "linux-arm64-musl", bun: "bun-linux-arm64-musl" },
  { name: "darwin-x64", bun: "bun-darwin-x64" },
  { name: "darwin-arm64", bun: "bun-darwin-arm64" },
  { name: "windows-x64", bun: "bun-windows-x64" },
  { name: "windows-arm64", bun: "bun-windows-arm64" },
];

/** The targets of these names, or all. Throws a sentence for an unknown one. */
export function chosen(names: readonly string[] = targets.map(({ name }) => name)): Target[] {
  return names.map((name) => {
    const found = targets.find((target) => target.name === name);
    if (!found) throw new Error(`There is no target ${name}. There are: ${targets.map((one) => one.name).join(", ")}.`);
    return found;
  });
}

export const isWindows = ({ name }: Target): boolean => name.startsWith("windows");

/** Where build.ts puts the executable of a target, in the folder of the source. */
export const executableOf = (target: Target): string =>
  `dist/satchel-${target.bun.replace(/^bun-/, "")}${isWindows(target) ? ".exe" : ""}`;

/** The name of its archive. */
export const archiveOf = (version: string, target: Target): string =>
  `satchel_${version}_${target.name.replaceAll("-", "_")}.${isWindows(target) ? "zip" : "tar.gz"}`;
