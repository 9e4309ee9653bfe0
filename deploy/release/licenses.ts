import type { Package } from "./packages.ts";

const RULE = `\n${"-".repeat(80)}\n\n`;

/** The licenses of everything in the executable that others wrote: Bun, and the packages; packages with the same text stand together. */
export function thirdPartyLicenses(packages: readonly Package[], bun: string): string {
  const texts = new Map<string, string[]>();
  for (const { name, version, license, text } of packages) {
    const said = text || `This package has no license file. Its package.json names the license ${license}.`;
    texts.set(said, [...(texts.get(said) ?? []), `${name} ${version}${license ? ` (${license})` : ""}`]);
  }
  const groups = [...texts].map(([text, names]) => `${names.join("\n")}\n\n${text}\n`);
  return [BEGIN.replace("VERSION", bun), ...groups].join(RULE);
}

const BEGIN = `Satchel's executable consists of Satchel itself, whose license is in LICENSE, and of what others wrote and is listed here.

Bun VERSION (MIT), with JavaScriptCore (LGPL-2.0-or-later) and the other libraries that https://bun.com/docs/project/license lists.
Whoever wants to use another JavaScriptCore can build Bun with it, as that page says, and Satchel with that Bun.
`;
