import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BlobReader, BlobWriter, ZipWriter } from "@zip.js/zip.js";
import type { Own } from "../../../src/upgrade/replace.ts";
import { type Upgrade, upgrade } from "../../../src/upgrade/upgrade.ts";
import type { TestKey } from "./minisign.ts";

/** An executable that says its version, and nothing else. */
export const executableText = (version: string): string => `#!/bin/sh\necho ${version}\n`;

interface ReleaseOptions {
  readonly version?: string;
  readonly system?: string;
  /** What is in the archive as the executable. */
  readonly executable?: string;
  readonly archive?: string;
}

/** Writes an archive as releases have it, and answers its name. */
export async function writeReleaseArchive(folder: string, options: ReleaseOptions = {}): Promise<string> {
  const { version = "9.9.9", system = "linux-x64", executable = executableText(version) } = options;
  const isZip = system.startsWith("windows");
  const top = `satchel-${version}-${system}`;
  const files = {
    [`${top}/LICENSE`]: "MIT",
    [`${top}/satchel${isZip ? ".exe" : ""}`]: executable,
    [`${top}/completions/satchel`]: "not this one",
  };
  const name = options.archive ?? `satchel_${version}_${system.replaceAll("-", "_")}.${isZip ? "zip" : "tar.gz"}`;
  if (isZip) {
    const zip = new ZipWriter(new BlobWriter());
    for (const [path, text] of Object.entries(files)) await zip.add(path, new BlobReader(new Blob([text])));
    await Bun.write(join(folder, name), await zip.close());
  } else await Bun.write(join(folder, name), await new Bun.Archive(files, { compress: "gzip" }).bytes());
  return name;
}

/** Writes the sums of everything in a folder. */
export function writeReleaseSums(folder: string): void {
  const names = readdirSync(folder).filter((name) => !name.startsWith("SHA256SUMS"));
  const lines = names.map((name) => {
    const hash = createHash("sha256").update(readFileSync(join(folder, name)));
    return `${hash.digest("hex")}  ${name}\n`;
  });
  writeFileSync(join(folder, "SHA256SUMS"), lines.join(""));
}

/** Signs the sums in a folder by a key of the test. */
export async function signReleaseSums(folder: string, key: TestKey): Promise<void> {
  const sums = new Uint8Array(readFileSync(join(folder, "SHA256SUMS")));
  await Bun.write(join(folder, "SHA256SUMS.minisig"), await key.sign(sums));
}

/** Installs an executable of version 1.0.0 in a folder of its own. */
export function installOwn(folder: string, name = "satchel"): Own {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, executableText("1.0.0"));
  chmodSync(path, 0o755);
  return { path, isLocked: false };
}

/** Upgrades it, and answers what was said. */
export async function upgradeOwn(
  wanted: Pick<Upgrade, "own" | "publicKey" | "from"> & Partial<Upgrade>,
): Promise<string[]> {
  const lines: string[] = [];
  await upgrade({
    version: "1.0.0",
    system: "linux-x64",
    check: false,
    allowDowngrade: false,
    signal: new AbortController().signal,
    print: (line) => void lines.push(line),
    backUp: async () => void lines.push("backup"),
    ...wanted,
  });
  return lines;
}
