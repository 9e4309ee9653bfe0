import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Dependency, dependencies } from "./dependencies.ts";
import type { Release } from "./release.ts";

/** Writes what is in the executable, as CycloneDX 1.6 has it. */
export async function writeBill({ version, source, out, time }: Release): Promise<void> {
  const lock = readFileSync(join(source, "bun.lock"), "utf8");
  const satchel = { type: "application", "bom-ref": "satchel", name: "satchel", version };
  const components = dependencies(source).map((dependency) => componentOf(dependency, lock));
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { timestamp: new Date(time * 1000).toISOString(), component: { ...satchel, licenses: licences("MIT") } },
    components: [runtime(), ...components],
  };
  await Bun.write(join(out, `satchel_${version}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
}

const runtime = () => ({
  type: "platform",
  "bom-ref": `bun@${Bun.version}`,
  name: "bun",
  version: Bun.version,
  purl: `pkg:github/oven-sh/bun@bun-v${Bun.version}`,
  licenses: licences("MIT"),
});

function componentOf({ name, version, licence }: Dependency, lock: string) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const base = { type: "library", "bom-ref": purl, name, version, purl, licenses: licences(licence) };
  const hash = hashOf(lock, `${name}@${version}`);
  return hash === undefined ? base : { ...base, hashes: [{ alg: "SHA-512", content: hash }] };
}

const licences = (expression: string | undefined) => (expression === undefined ? [] : [{ expression }]);

/** The hash of a package in the lock file, in hexadecimal digits. */
function hashOf(lock: string, name: string): string | undefined {
  const line = lock.split("\n").find((text) => text.includes(`["${name}",`));
  const hash = /"sha512-([^"]+)"/.exec(line ?? "")?.[1];
  return hash && Buffer.from(hash, "base64").toString("hex");
}
