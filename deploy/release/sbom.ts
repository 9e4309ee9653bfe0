import { createHash } from "node:crypto";
import type { Package } from "./packages.ts";
import type { Runtime } from "./runtimes.ts";
import type { Source } from "./source.ts";

/** A software bill of materials in CycloneDX 1.6 (ECMA-424): Satchel, the Bun that runs it, and every package in the executable. */
export function billOfMaterials(source: Source, packages: readonly Package[], runtimes: readonly Runtime[]): string {
  const satchel = `pkg:generic/satchel@${source.version}`;
  const runtime = `pkg:npm/bun@${Bun.version}`;
  const first = new Map([...packages].reverse().map((one) => [one.name, purl(one)]));
  const dependencies = packages.map((one) => ({
    ref: purl(one),
    dependsOn: one.dependencies.flatMap((name) => inner(packages, one, name) ?? first.get(name) ?? []),
  }));
  const document = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidOf(`${source.version} ${source.commit}`)}`,
    version: 1,
    metadata: {
      timestamp: new Date(source.time * 1000).toISOString(),
      component: {
        type: "application",
        "bom-ref": satchel,
        name: "satchel",
        version: source.version,
        licenses: [{ license: { id: "MIT" } }],
        purl: satchel,
        properties: [{ name: "satchel:commit", value: source.commit }],
      },
    },
    components: [bunComponent(runtime, runtimes), ...packages.map(component)],
    dependencies: [{ ref: satchel, dependsOn: [runtime, ...packages.map(purl)] }, { ref: runtime }, ...dependencies],
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

const purl = ({ name, version }: Package): string => `pkg:npm/${name.replace("@", "%40")}@${version}`;

const hexOf = (integrity: string): string => Buffer.from(integrity, "base64").toString("hex");

/** The package of this name that another one has in its own node_modules. */
const inner = (packages: readonly Package[], { folder }: Package, name: string): string | undefined =>
  packages.filter((one) => one.folder === `${folder}/node_modules/${name}`).map(purl)[0];

function component(one: Package) {
  return {
    type: "library",
    "bom-ref": purl(one),
    name: one.name,
    version: one.version,
    hashes: [{ alg: "SHA-512", content: hexOf(one.integrity) }],
    ...(one.license && { licenses: [licenseOf(one.license)] }),
    purl: purl(one),
  };
}

/** CycloneDX tells identifiers of SPDX from expressions of several. */
const licenseOf = (license: string) => (/[ ()]/.test(license) ? { expression: license } : { license: { id: license } });

function bunComponent(ref: string, runtimes: readonly Runtime[]) {
  return {
    type: "platform",
    "bom-ref": ref,
    name: "bun",
    version: Bun.version,
    licenses: [{ license: { id: "MIT" } }],
    purl: ref,
    components: runtimes.map(({ name, integrity }) => ({
      type: "platform",
      "bom-ref": `pkg:npm/${name.replace("@", "%40")}@${Bun.version}`,
      name,
      version: Bun.version,
      hashes: [{ alg: "SHA-512", content: hexOf(integrity) }],
      purl: `pkg:npm/${name.replace("@", "%40")}@${Bun.version}`,
    })),
  };
}

/** A UUID of version 8 (RFC 9562) that always is the same for the same text. */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
