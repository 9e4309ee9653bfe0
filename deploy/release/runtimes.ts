import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Release, run } from "./release.ts";
import { isWindows, type Target } from "./targets.ts";

/** The folder with the names of Bun's packages and their hashes. */
const locked = "deploy/release/runtimes";

/** The hash of a target's package of Bun as the lock file has it, sha512- and base64. */
export function runtimeHash(source: string, { runtime }: Target): string {
  const lock = Bun.JSONC.parse(readFileSync(join(source, locked, "bun.lock"), "utf8")) as {
    readonly packages: Readonly<Record<string, readonly unknown[]>>;
  };
  const hash = lock.packages[runtime]?.[3];
  if (typeof hash !== "string") throw new Error(`${locked}/bun.lock has no hash of ${runtime}.`);
  return hash;
}

/**
 * Installs Bun for a target from its package, and answers the path of its executable. The package is compared with the hash in the lock file
 * when it is downloaded, so the cache is this release's own and begins empty. Bun itself, when it compiles for another system, downloads the
 * same package and compares nothing.
 */
export async function installRuntime({ source }: Release, target: Target): Promise<string> {
  const folder = join(source, "dist/runtimes", target.name);
  mkdirSync(folder, { recursive: true });
  for (const name of ["package.json", "bun.lock"]) cpSync(join(source, locked, name), join(folder, name));
  const system = ["--os", target.os, "--cpu", target.cpu, "--libc", target.libc ?? "glibc"];
  const cache = join(source, "dist/runtimes/cache");
  await run(["bun", "install", "--frozen-lockfile", "--ignore-scripts", "--cache-dir", cache, ...system], folder);
  const path = join(folder, "node_modules", target.runtime, "bin", isWindows(target) ? "bun.exe" : "bun");
  // A package that is optional may be left out, also one whose hash is wrong, and the installation succeeds all the same.
  if (!existsSync(path))
    throw new Error(`${target.runtime} could not be installed, or it is not what ${locked}/bun.lock says.`);
  return path;
}
