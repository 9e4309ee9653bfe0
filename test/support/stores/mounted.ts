import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const run = (...command: string[]): boolean => Bun.spawnSync(command, { stderr: "ignore" }).exitCode === 0;

/** Mounts a small disk in memory at a folder, until this is disposed of. */
export function mountAt(folder: string, size: string): Disposable {
  if (!run("mount", "-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder)) throw new Error("Nothing can be mounted.");
  return {
    [Symbol.dispose]() {
      // It may still be in use by what goes on in the background.
      if (!run("umount", "-l", folder)) throw new Error(`${folder} is still mounted.`);
    },
  };
}

/** Whether this process may mount disks, which the tests of some machines may not. */
export const mountsHere: boolean = (() => {
  if (process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), "satchel-mount-"));
  try {
    using _mounted = mountAt(folder, "64k");
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
})();
