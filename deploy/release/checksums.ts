import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** The file of checksums, as `sha256sum --check` reads it. */
export const CHECKSUMS = "SHA256SUMS";

/** The SHA-256 of each file in a folder, in hexadecimal, in the order of their names. */
export async function checksumsOf(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true });
  const sums = new Map<string, string>();
  for (const name of entries
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort()) {
    const hash = new Bun.CryptoHasher("sha256");
    for await (const chunk of Bun.file(join(folder, name)).stream()) hash.update(chunk);
    sums.set(name, hash.digest("hex"));
  }
  return sums;
}

/** Writes the checksums of everything in a folder into it, and returns the file's path. */
export async function writeChecksums(folder: string): Promise<string> {
  const path = join(folder, CHECKSUMS);
  const lines = [...(await checksumsOf(folder))].map(([name, sum]) => `${sum}  ${name}\n`);
  await Bun.write(path, lines.join(""));
  return path;
}
