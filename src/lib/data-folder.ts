import { Database as Engine } from "bun:sqlite";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomToken } from "./secret.ts";

/** Makes the folder when it is missing; only its owner may look inside. */
export function openDataFolder(folder: string): void {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/**
 * Refuses a second server on the same folder: an exclusive transaction on a file of its own, whose lock the kernel frees
 * however the process ends. Throws when somebody else holds it.
 */
export function lockDataFolder(folder: string): { release(): void } {
  const engine = new Engine(join(folder, "satchel.lock"), { create: true });
  try {
    engine.exec("pragma busy_timeout = 0; begin exclusive");
  } catch {
    engine.close();
    throw new Error(`Another Satchel is running on the data folder ${folder}.`);
  }
  return { release: () => engine.close() };
}

/** The server's secret: the configured one, or the one in the folder, made at the first start and readable by its owner only. */
export function readSecret(folder: string, configured: string | undefined): string {
  if (configured) return configured;
  const file = join(folder, "secret.key");
  if (!existsSync(file)) {
    writeFileSync(file, `${randomToken(32)}\n`, { mode: 0o600, flag: "wx" });
    chmodSync(file, 0o600);
  }
  return readFileSync(file, "utf8").trim();
}
