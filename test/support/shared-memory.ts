import { statfsSync } from "node:fs";

/** More than all processes of tests that run side by side hold in it together. */
const ENOUGH = 4 * 2 ** 30;

/** The folder of the system whose files are in memory, where it has room for tests. A container often has 64 MB there. */
export function sharedMemory(): string | undefined {
  const folder = "/dev/shm";
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > ENOUGH ? folder : undefined;
  } catch {
    return undefined;
  }
}
