import { Failure } from "#contract/failures";
import { PART_SIZE } from "#contract/limits";
import { combinedChecksums } from "../../lib/crc-combine.ts";
import { type ChecksumName, type Checksums, checksumNames } from "../../lib/digests.ts";
import type { ClaimedPart, PartsUpload } from "../../vfs/uploads.ts";
import type { Call } from "./call.ts";
import { say } from "./failures.ts";

/** Checksums of objects and parts, as requests and answers carry them (S3 API, "Checking object integrity"). */

/** The header that has a checksum. */
export const headerOf = (name: ChecksumName): string => `x-amz-checksum-${name}`;

/** All of ours are of the whole object, not of the checksums of its parts. */
const OF_ALL = "FULL_OBJECT";

const entriesOf = (checksums: Checksums) =>
  checksumNames.flatMap((name) => (checksums[name] === undefined ? [] : [[name, checksums[name]] as const]));

/** Headers that tell checksums of a part. */
export const partHeaders = (checksums: Checksums = {}): Record<string, string> =>
  Object.fromEntries(entriesOf(checksums).map(([name, value]) => [headerOf(name), value]));

/** Headers that tell checksums of an object. */
export const checksumHeaders = (checksums: Checksums = {}): Record<string, string> => ({
  ...partHeaders(checksums),
  ...(entriesOf(checksums).length > 0 && { "x-amz-checksum-type": OF_ALL }),
});

/** The element that has a checksum. */
export const elementOf = (name: ChecksumName): string => `Checksum${name.toUpperCase()}`;

/** Elements that tell checksums of a part. */
export const partElements = (checksums: Checksums = {}): Record<string, string> =>
  Object.fromEntries(entriesOf(checksums).map(([name, value]) => [elementOf(name), value]));

/** Elements that tell checksums of an object. */
export const checksumElements = (checksums: Checksums = {}): Record<string, string> => ({
  ...partElements(checksums),
  ...(entriesOf(checksums).length > 0 && { ChecksumType: OF_ALL }),
});

/** Whether a request wants to be told checksums. */
export const wantsChecksums = ({ headers }: Request): boolean =>
  headers.get("x-amz-checksum-mode")?.toUpperCase() === "ENABLED";

/** The checksums that headers say. */
const saidIn = (headers: Headers): Checksums =>
  Object.fromEntries(
    checksumNames.flatMap((name) => {
      const value = headers.get(headerOf(name));
      return value === null ? [] : [[name, value.trim()]];
    }),
  );

/** A part as CompleteMultipartUpload names it. */
export interface SentPart extends ClaimedPart {
  readonly checksums: Checksums;
}

/** The parts of an upload; one that is over has none, and answers again what it came to. */
async function storedIn(upload: PartsUpload) {
  try {
    return await upload.list();
  } catch (error) {
    if (error instanceof Failure && error.code === "upload.missing") return [];
    throw error;
  }
}

/**
 * Requires of an upload that its parts, and the object that is made of them, have the checksums that CompleteMultipartUpload says, and
 * the object its size. 400 InvalidPart, BadDigest, InvalidRequest.
 */
export async function demandParts({ request }: Call, upload: PartsUpload, sent: readonly SentPart[]): Promise<void> {
  const { headers } = request;
  // That of checksums of parts, which has their number behind it, says nothing that those of the parts do not.
  const whole = entriesOf(saidIn(headers)).filter(([, value]) => !value.includes("-"));
  const size = headers.get("x-amz-mp-object-size");
  if (whole.length === 0 && size === null && sent.every(({ checksums }) => entriesOf(checksums).length === 0)) return;
  const stored = new Map((await storedIn(upload)).map((part) => [part.number, part]));
  const parts = sent.flatMap(({ number }) => stored.get(number) ?? []);
  // Which of them are missing is said where they are put together.
  if (parts.length < sent.length) return;
  for (const { number, checksums } of sent) {
    const known = stored.get(number)?.checksums;
    if (known && entriesOf(checksums).some(([name, value]) => known[name] !== undefined && known[name] !== value))
      throw say("InvalidPart");
  }
  const sum = parts.reduce((all, part) => all + part.size, 0);
  if (size !== null && size !== String(sum)) throw say("InvalidRequest", "The object has not the size that is said.");
  // Which of them are too small is said where they are put together, too: very many of odd sizes would be work for seconds.
  if (parts.slice(0, -1).some((part) => part.size < PART_SIZE)) return;
  const combined = whole.length > 0 ? await combinedChecksums(parts) : {};
  for (const [name, value] of whole) {
    if (combined[name] === undefined) throw say("InvalidRequest", `The parts came without ${headerOf(name)}.`);
    if (combined[name] !== value) throw say("BadDigest", `The ${name.toUpperCase()} is not that of the parts.`);
  }
}
