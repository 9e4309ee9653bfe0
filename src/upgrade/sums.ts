import { semver } from "bun";

/** The archive of a release for one system. */
export interface Archive {
  readonly name: string;
  readonly version: string;
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string;
}

/** The file of sums, as sha256sum reads it; a signature lies beside it. */
export const SUMS = "SHA256SUMS";
export const SUMS_SIGNATURE = "SHA256SUMS.minisig";

/** Finds the archive for a system in the sums of a release; it must have this name when one is given. Throws a sentence when it is not there. */
export function findArchive(sums: string, system: string, name?: string): Archive {
  const rows = sums.split(/\r?\n/).flatMap((line) => {
    const [, hash = "", file = ""] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
    return file === "" ? [] : [{ name: file, hash }];
  });
  const pattern = new RegExp(
    `^satchel_(\\d+\\.\\d+\\.\\d+[\\w.+-]*?)_${system.replaceAll("-", "_")}\\.(?:tar\\.gz|zip)$`,
  );
  const archives = rows.flatMap((row) => {
    const version = pattern.exec(row.name)?.[1];
    return version === undefined ? [] : [{ ...row, version }];
  });
  if (name !== undefined && !rows.some((row) => row.name === name)) throw new Error(`${SUMS} has no sum of ${name}.`);
  const wanted = name === undefined ? archives : archives.filter((row) => row.name === name);
  const [archive] = wanted;
  if (!archive) throw new Error(`${name ?? "The release"} is not for this system, ${system}.`);
  if (wanted.length > 1) throw new Error(`${SUMS} has more than one archive for ${system}. Name one of them.`);
  return archive;
}

/** Compares two versions: above 0 when the first is the newer one. */
export const compareVersions = (one: string, other: string): number => semver.order(one, other);
