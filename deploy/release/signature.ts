import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./command.ts";

/** Signs a file by minisign: writes FILE.minisig beside it. */
export type Sign = (file: string, comment: string) => Promise<void>;

const publicKey = (root: string) => join(root, "deploy/minisign.pub");

/**
 * Makes sure of the key that signs before anything is built: signs a small file with it, and verifies that by the project's public key.
 * minisign asks for the password of a key that has one. Throws a sentence when there is no public key, or the two do not belong together.
 */
export async function openSigner(root: string, secretKey: string): Promise<Sign> {
  if (!existsSync(publicKey(root)))
    throw new Error(
      "The project has no key yet: CONTRIBUTING.md says how its owner makes one. --unsigned makes a release without a signature.",
    );
  if (!existsSync(secretKey)) throw new Error(`There is no secret key ${secretKey}.`);
  const sign: Sign = async (file, comment) => {
    const comments = ["-c", "signature of a release of Satchel", "-t", comment];
    await run(["minisign", "-S", "-s", secretKey, ...comments, "-m", file]);
  };
  const folder = await mkdtemp(join(tmpdir(), "satchel-key-"));
  try {
    const trial = join(folder, "trial");
    await Bun.write(trial, "trial\n");
    await sign(trial, "trial");
    await run(["minisign", "-V", "-q", "-p", publicKey(root), "-m", trial]).catch((error: unknown) => {
      throw new Error("The secret key does not belong to deploy/minisign.pub.", { cause: error });
    });
  } finally {
    await rm(folder, { recursive: true });
  }
  return sign;
}
