import { expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  executableText,
  installOwn,
  upgradeOwn,
  writeReleaseArchive,
  writeReleaseSums,
} from "../support/releases/release-folder.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

function minisign(folder: string, ...words: string[]): void {
  const { success, stderr } = Bun.spawnSync(["minisign", ...words], { cwd: folder });
  expect({ success, said: stderr.toString() }).toEqual({ success: true, said: "" });
}

test("an upgrade takes what minisign has signed, in both of its forms, and nothing else", async () => {
  using folder = temporaryFolder();
  const release = join(folder.path, "release");
  mkdirSync(release);
  await writeReleaseArchive(release);
  writeReleaseSums(release);
  const own = installOwn(join(folder.path, "bin"));
  for (const name of ["right", "wrong"]) minisign(folder.path, "-G", "-W", "-p", `${name}.pub`, "-s", `${name}.key`);
  const publicKey = readFileSync(join(folder.path, "right.pub"), "utf8");
  const upgrading = () => upgradeOwn({ own, publicKey, from: release, allowDowngrade: true });
  const sums = join(release, "SHA256SUMS");

  minisign(folder.path, "-S", "-s", "wrong.key", "-m", sums, "-t", "satchel 9.9.9");
  await expect(upgrading()).rejects.toThrow("The signature is of the key");
  for (const form of [[], ["-l"]]) {
    minisign(folder.path, "-S", ...form, "-s", "right.key", "-m", sums, "-t", "satchel 9.9.9");
    expect(await upgrading()).toContain("backup");
    expect(readFileSync(own.path, "utf8")).toBe(executableText("9.9.9"));
  }
  await Bun.write(sums, `${readFileSync(sums, "utf8")} `);
  await expect(upgrading()).rejects.toThrow("The signature is wrong: what it signs was changed since.");
});
