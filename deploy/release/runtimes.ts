import { existsSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./command.ts";
import type { Target } from "./targets.ts";

/** Bun for one system. */
export interface Runtime {
  /** The package that it comes from, and the SHA-512 of the package's archive in base64. */
  readonly name: string;
  readonly integrity: string;
}

/**
 * Installs Bun for a target from its package, and returns it with the path of its executable. The package manager compares the package with the hash
 * in runtimes/bun.lock when it downloads it, so the cache is this folder's own and begins empty. Bun itself, when it compiles for another
 * system, downloads the same package and compares nothing.
 */
export async function installRuntime(
  root: string,
  target: Target,
  folder: string,
): Promise<Runtime & { readonly path: string }> {
  await rm(folder, { recursive: true, force: true });
  const at = join(folder, target.name);
  for (const name of ["package.json", "bun.lock"])
    await cp(join(root, "deploy/release/runtimes", name), join(at, name));
  const os = { linux: "linux", darwin: "darwin", windows: "win32" }[target.os];
  const system = ["--os", os, "--cpu", target.arch, "--libc", target.libc ?? "glibc"];
  const caching = ["--cache-dir", join(folder, "cache")];
  await run([process.execPath, "install", "--frozen-lockfile", "--ignore-scripts", ...system, ...caching], { cwd: at });
  const path = join(at, "node_modules", target.runtime, "bin", target.os === "windows" ? "bun.exe" : "bun");
  // A package that is optional may be left out, also one whose hash is wrong, and the installation succeeds all the same.
  if (!existsSync(path)) throw new Error(`${target.runtime} could not be installed, or it is not what bun.lock says.`);
  return { name: target.runtime, integrity: await integrityOf(at, target.runtime), path };
}

async function integrityOf(folder: string, name: string): Promise<string> {
  const lock = Bun.JSONC.parse(await Bun.file(join(folder, "bun.lock")).text()) as {
    packages: Readonly<Record<string, readonly unknown[]>>;
  };
  return String(lock.packages[name]?.[3]).replace(/^sha512-/, "");
}
