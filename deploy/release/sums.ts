import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { run } from "./release.ts";

/** A secret key of minisign and the public one that people check by. */
interface SigningKey {
  readonly secret: string;
  readonly public: string;
}

/** The keys to sign with; undefined for an unsigned release. Throws a sentence when it is not said which, or they are no pair. */
export async function requireKey(
  root: string,
  { key, unsigned }: { readonly key?: string | undefined; readonly unsigned?: boolean | undefined },
): Promise<SigningKey | undefined> {
  if (unsigned) return undefined;
  const found = join(root, "deploy/minisign.pub");
  if (key === undefined) throw new Error("Name the secret key with --key FILE, or say --unsigned.");
  if (!existsSync(key)) throw new Error(`There is no key ${key}.`);
  if (!existsSync(found)) throw new Error("deploy/minisign.pub is missing. CONTRIBUTING.md says how a key is made.");
  const pair = { secret: resolve(key), public: found };
  const folder = mkdtempSync(join(tmpdir(), "satchel-key-"));
  try {
    await Bun.write(join(folder, "sample"), "sample");
    await sign(join(folder, "sample"), pair, "a sample");
  } finally {
    rmSync(folder, { recursive: true });
  }
  return pair;
}

/** Writes SHA256SUMS over all files of a release, in the form that `sha256sum -c` reads. */
export async function writeSums(out: string): Promise<void> {
  const names = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(out.length + 1))
    .sort();
  const lines = [];
  for (const name of names) {
    const hash = createHash("sha256");
    for await (const bytes of Bun.file(join(out, name)).stream()) hash.update(bytes);
    lines.push(`${hash.digest("hex")}  ${name}\n`);
  }
  await Bun.write(join(out, "SHA256SUMS"), lines.join(""));
}

/** Signs a file into one beside it. Throws a sentence when the secret key is not that of the public one. */
export async function sign(file: string, key: SigningKey, comment: string): Promise<void> {
  await run(["minisign", "-S", "-s", key.secret, "-m", file, "-t", comment], dirname(file));
  try {
    await run(["minisign", "-V", "-q", "-p", key.public, "-m", file], dirname(file));
  } catch {
    throw new Error("The secret key is not the one that deploy/minisign.pub belongs to.");
  }
}
