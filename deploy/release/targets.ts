/** A system that a release is made for. */
export interface Target {
  /** As --target and the names of archives have it, with underscores there. */
  readonly name: string;
  readonly os: "linux" | "darwin" | "windows";
  readonly arch: "x64" | "arm64";
  readonly libc?: "glibc" | "musl";
  /** As Bun names it. Those for x64 run on processors without AVX2 too (baseline). */
  readonly bun: string;
  /** The package with Bun for it, a row of runtimes/package.json. */
  readonly runtime: string;
}

/** Every system, in the order in which they are built. */
export const targets: readonly Target[] = [
  glibc("x64", "bun-linux-x64-baseline", "@oven/bun-linux-x64-baseline"),
  glibc("arm64", "bun-linux-arm64", "@oven/bun-linux-aarch64"),
  musl("x64", "bun-linux-x64-musl-baseline", "@oven/bun-linux-x64-musl-baseline"),
  musl("arm64", "bun-linux-arm64-musl", "@oven/bun-linux-aarch64-musl"),
  other("darwin", "x64", "bun-darwin-x64-baseline", "@oven/bun-darwin-x64-baseline"),
  other("darwin", "arm64", "bun-darwin-arm64", "@oven/bun-darwin-aarch64"),
  other("windows", "x64", "bun-windows-x64-baseline", "@oven/bun-windows-x64-baseline"),
  other("windows", "arm64", "bun-windows-arm64", "@oven/bun-windows-aarch64"),
];

function glibc(arch: Target["arch"], bun: string, runtime: string): Target {
  return { name: `linux-${arch}`, os: "linux", arch, libc: "glibc", bun, runtime };
}

function musl(arch: Target["arch"], bun: string, runtime: string): Target {
  return { name: `linux-${arch}-musl`, os: "linux", arch, libc: "musl", bun, runtime };
}

function other(os: "darwin" | "windows", arch: Target["arch"], bun: string, runtime: string): Target {
  return { name: `${os}-${arch}`, os, arch, bun, runtime };
}

/** What Debian and OCI call an architecture. */
export const debianArch = { x64: "amd64", arm64: "arm64" } as const;

/** The systems of .deb packages and of the image: Linux with glibc. */
export const isDebian = ({ os, libc }: Target): boolean => os === "linux" && libc === "glibc";

/** The systems with these names; all of them when none is named. Throws when one is unknown. */
export function targetsNamed(names: readonly string[]): readonly Target[] {
  const unknown = names.filter((name) => !targets.some((target) => target.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `There is no target ${unknown.join(", ")}; there are ${targets.map(({ name }) => name).join(", ")}.`,
    );
  }
  return names.length === 0 ? targets : targets.filter(({ name }) => names.includes(name));
}
