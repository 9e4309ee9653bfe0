import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Measures in a folder that goes afterwards. What was measured may keep the process alive, so it ends here. */
export async function inFolder(measure: (folder: string) => Promise<void>): Promise<never> {
  const folder = await mkdtemp(join(tmpdir(), "satchel-bench-"));
  try {
    await measure(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  process.exit(0);
}
