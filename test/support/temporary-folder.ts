import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of the test's own that goes when the test ends. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), "satchel-test-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
