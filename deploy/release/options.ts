import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Target, targetsNamed } from "./targets.ts";

/** What `bun run release` was told. */
export interface Options {
  readonly targets: readonly Target[];
  /** The minisign secret key that signs; none leaves the checksums unsigned. */
  readonly key: string | undefined;
  /** Where the files will be found for download, without a slash at its end. */
  readonly url: string | undefined;
  readonly image: boolean;
  /** The folder in which the release becomes a folder that bears its version. */
  readonly out: string;
}

/** What --help prints. */
export const usage = `bun run release (--key FILE | --unsigned) [--target NAME]... [--no-image] [--url URL] [--out DIR]

  --key FILE      minisign's secret key that belongs to deploy/minisign.pub; it signs the checksums
  --unsigned      signs nothing
  --target NAME   makes only the files of this system (linux-x64, darwin-arm64, ...); may be repeated
  --no-image      makes no image for containers, for which apt gets Debian's libc6
  --url URL       where the files will be found for download; without it there are no formula and no manifest
  --out DIR       where the folder with the files is made (dist/release)
`;

/** Reads the command line. Throws a sentence for whoever typed it; returns undefined when they asked for help. */
export function readOptions(words: readonly string[], root: string): Options | undefined {
  const { values } = parseArgs({
    args: [...words],
    options: {
      target: { type: "string", multiple: true, default: [] },
      key: { type: "string" },
      unsigned: { type: "boolean", default: false },
      "no-image": { type: "boolean", default: false },
      url: { type: "string" },
      out: { type: "string", default: join(root, "dist/release") },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  if (values.unsigned === (values.key !== undefined)) {
    throw new Error("Name the secret key that signs (--key FILE), or say that nothing is to be signed (--unsigned).");
  }
  if (values.url !== undefined && !/^https:\/\/[^\s"']+$/.test(values.url))
    throw new Error(`--url wants an address that begins with https://, not ${values.url}.`);
  const url = values.url?.replace(/\/+$/, "");
  const { target, key, out } = values;
  return { targets: targetsNamed(target), key, image: !values["no-image"], url, out: resolve(out) };
}
