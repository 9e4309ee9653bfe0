import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sharedMemory } from "./shared-memory.ts";

/** A folder of the test's own that goes when the test ends. */
export const temporaryFolder = () => folderIn(tmpdir());

/** The same in memory where that has room, for tests that are about no disk: what they flush takes no time. */
export const memoryFolder = () => folderIn(sharedMemory() ?? tmpdir());

function folderIn(parent: string) {
  const path = mkdtempSync(join(parent, "satchel-test-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
