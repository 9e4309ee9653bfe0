import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Dependency, dependencies } from "./dependencies.ts";
import type { Release } from "./release.ts";
import { runtimeHash } from "./runtimes.ts";
import type { Target } from "./targets.ts";

/** Writes what is in the executables of these targets, as CycloneDX 1.6 has it. */
export async function writeBill({ version, source, out, time }: Release, targets: readonly Target[]): Promise<void> {
  const lock = readFileSync(join(source, "bun.lock"), "utf8");
  const satchel = { type: "application", "bom-ref": "satchel", name: "satchel", version };
  const components = dependencies(source).map((dependency) => componentOf(dependency, lock));
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { timestamp: new Date(time * 1000).toISOString(), component: { ...satchel, licenses: licences("MIT") } },
    components: [...targets.map((target) => runtimeOf(target, source)), ...components],
  };
  await Bun.write(join(out, `satchel_${version}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
}

function runtimeOf(target: Target, source: string) {
  const purl = `pkg:npm/${target.runtime.replace("@", "%40")}@${Bun.version}`;
  const base = { type: "platform", "bom-ref": purl, name: target.runtime, version: Bun.version, purl };
  return { ...base, licenses: licences("MIT"), hashes: hashesOf(runtimeHash(source, target)) };
}

function componentOf({ name, version, licence }: Dependency, lock: string) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const base = { type: "library", "bom-ref": purl, name, version, purl, licenses: licences(licence) };
  const hash = lockedHash(lock, `${name}@${version}`);
  return hash === undefined ? base : { ...base, hashes: hashesOf(hash) };
}

const licences = (expression: string | undefined) => (expression === undefined ? [] : [{ expression }]);

/** A hash in the form of lock files, in hexadecimal digits. */
const hashesOf = (hash: string) => [
  { alg: "SHA-512", content: Buffer.from(hash.replace(/^sha512-/, ""), "base64").toString("hex") },
];

/** The hash of a package in the lock file. */
function lockedHash(lock: string, name: string): string | undefined {
  const line = lock.split("\n").find((text) => text.includes(`["${name}",`));
  return /"(sha512-[^"]+)"/.exec(line ?? "")?.[1];
}
