import { type CheckedPart, combinedChecksums } from "./crc-combine.ts";
import { type ChecksumName, type Checksums, checksumNames, createDigests } from "./digests.ts";

/**
 * Checksums of objects in parts (S3 API, "Checking object integrity for multipart uploads"): of all bytes, or of the checksums of the
 * parts, which has their number behind it.
 */

export type ChecksumType = "FULL_OBJECT" | "COMPOSITE";

/** The checksum that whoever begins an upload in parts wants of its object. */
export interface ChecksumPlan {
  readonly name: ChecksumName;
  readonly type: ChecksumType;
}

/** As a record keeps it. */
export const planText = ({ name, type }: ChecksumPlan): string => `${name} ${type}`;

/** The plan of a record; undefined where there is none, or one that a later version wrote. */
export function planIn(text: string | null): ChecksumPlan | undefined {
  const [said, type] = (text ?? "").split(" ");
  const name = checksumNames.find((one) => one === said);
  return name && (type === "COMPOSITE" || type === "FULL_OBJECT") ? { name, type } : undefined;
}

export const isComposite = (value: string): boolean => value.includes("-");

/** The checksum of the checksums of parts in a row; undefined unless each part has one. */
export function compositeOf(name: ChecksumName, parts: readonly CheckedPart[]): string | undefined {
  const digests = createDigests([name]);
  for (const { checksums } of parts) {
    const own = checksums?.[name];
    if (own === undefined) return undefined;
    digests.update(Buffer.from(own, "base64"));
  }
  return parts.length === 0 ? undefined : `${digests.finish()[name]?.toString("base64")}-${parts.length}`;
}

/**
 * The checksums of an object of parts in a row, as far as those of the parts allow. Without a plan, or with one of the whole object,
 * they are of all bytes; SHA cannot be combined and is composite then.
 */
export async function checksumsOfParts(parts: readonly CheckedPart[], plan?: ChecksumPlan): Promise<Checksums> {
  const combined = plan?.type === "COMPOSITE" ? {} : await combinedChecksums(parts);
  if (plan?.type === "FULL_OBJECT" || Object.keys(combined).length > 0) return combined;
  for (const name of plan ? [plan.name] : checksumNames) {
    const composite = compositeOf(name, parts);
    if (composite !== undefined) return { [name]: composite };
  }
  return {};
}

/** Checksums of all bytes, which a copy of those has too. */
export const wholeChecksums = (checksums: Checksums = {}): Checksums =>
  Object.fromEntries(Object.entries(checksums).filter(([, value]) => !isComposite(value)));
