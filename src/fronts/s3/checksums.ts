import { Failure } from "#contract/failures";
import { PART_SIZE } from "#contract/limits";
import { type CheckedPart, combinedChecksums } from "../../lib/digests/crc-combine.ts";
import { type ChecksumName, type Checksums, checksumNames } from "../../lib/digests/digests.ts";
import {
  type ChecksumPlan,
  type ChecksumType,
  compositeOf,
  isComposite,
  planIn,
} from "../../lib/digests/part-checksums.ts";
import type { ClaimedPart, PartsUpload } from "../../vfs/view.ts";
import type { Call } from "./call.ts";
import { say } from "./failures.ts";

/** Checksums of objects and parts, as requests and answers carry them (S3 API, "Checking object integrity"). */

/** The header that has a checksum. */
export const headerOf = (name: ChecksumName): string => `x-amz-checksum-${name}`;

const entriesOf = (checksums: Checksums) =>
  checksumNames.flatMap((name) => (checksums[name] === undefined ? [] : [[name, checksums[name]] as const]));

/** Of all bytes, or of the checksums of parts; an object has checksums of one type. */
const typeOf = (entries: ReturnType<typeof entriesOf>): ChecksumType =>
  entries.some(([, value]) => isComposite(value)) ? "COMPOSITE" : "FULL_OBJECT";

/** Headers that tell checksums of a part. */
export const partHeaders = (checksums: Checksums = {}): Record<string, string> =>
  Object.fromEntries(entriesOf(checksums).map(([name, value]) => [headerOf(name), value]));

/** Headers that tell checksums of an object. */
export const checksumHeaders = (checksums: Checksums = {}): Record<string, string> => ({
  ...partHeaders(checksums),
  ...(entriesOf(checksums).length > 0 && { "x-amz-checksum-type": typeOf(entriesOf(checksums)) }),
});

/** The element that has a checksum. */
export const elementOf = (name: ChecksumName): string => `Checksum${name.toUpperCase()}`;

/** Elements that tell checksums of a part. */
export const partElements = (checksums: Checksums = {}): Record<string, string> =>
  Object.fromEntries(entriesOf(checksums).map(([name, value]) => [elementOf(name), value]));

/** Elements that tell checksums of an object. */
export const checksumElements = (checksums: Checksums = {}): Record<string, string> => ({
  ...partElements(checksums),
  ...(entriesOf(checksums).length > 0 && { ChecksumType: typeOf(entriesOf(checksums)) }),
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

/** Algorithms whose checksum of a whole object cannot be made of those of its parts, and the one that is never composite. */
const [SHA, WHOLE_ALONE] = [/^sha/, "crc64nvme"];

/** What CreateMultipartUpload says of the checksum that its object is to have. 400 InvalidRequest. */
export function planOf({ headers }: Request): ChecksumPlan | undefined {
  const algorithm = headers.get("x-amz-checksum-algorithm")?.trim().toLowerCase();
  const said = headers.get("x-amz-checksum-type")?.trim().toUpperCase();
  if (algorithm === undefined && said === undefined) return undefined;
  const name = checksumNames.find((one) => one === algorithm);
  if (!name) throw say("InvalidRequest", "The checksum algorithm is not one of those that there are.");
  const type = said ?? (name === WHOLE_ALONE ? "FULL_OBJECT" : "COMPOSITE");
  if (type !== "FULL_OBJECT" && type !== "COMPOSITE") throw say("InvalidRequest", "There is no such checksum type.");
  if ((type === "FULL_OBJECT" && SHA.test(name)) || (type === "COMPOSITE" && name === WHOLE_ALONE))
    throw say("InvalidRequest", `The checksum type ${type} is not for ${name.toUpperCase()}.`);
  return { name, type };
}

/** Headers of the answer to CreateMultipartUpload. */
export const planHeaders = (plan: ChecksumPlan | undefined): Record<string, string> =>
  plan ? { "x-amz-checksum-algorithm": plan.name.toUpperCase(), "x-amz-checksum-type": plan.type } : {};

/** Elements that tell what an upload was begun with. */
export const planElements = ({ checksum }: { readonly checksum: string | null }): Record<string, string> => {
  const plan = planIn(checksum);
  return plan ? { ChecksumAlgorithm: plan.name.toUpperCase(), ChecksumType: plan.type } : {};
};

/** Refuses a part with another checksum than its upload was begun for. 400 InvalidRequest. */
export function requirePlanned({ headers }: Request, plan: ChecksumPlan | undefined): void {
  const sent = entriesOf(saidIn(headers)).map(([name]) => name);
  const trailing = checksumNames.filter((name) => headers.get("x-amz-trailer")?.toLowerCase().includes(headerOf(name)));
  const other = [...sent, ...trailing].find((name) => plan && name !== plan.name);
  if (other)
    throw say("InvalidRequest", `The upload was begun for ${plan?.name.toUpperCase()}, not ${other.toUpperCase()}.`);
}

/** The record and the parts of an upload; one that is over has none, and answers again what it came to. */
async function storedIn(upload: PartsUpload) {
  try {
    return { plan: planIn(upload.pending().checksum), parts: await upload.list() };
  } catch (error) {
    if (error instanceof Failure && error.code === "upload.missing") return { plan: undefined, parts: [] };
    throw error;
  }
}

/** An object that CompleteMultipartUpload asks for. */
interface Claimed {
  readonly parts: readonly CheckedPart[];
  readonly plan: ChecksumPlan | undefined;
}

/** Requires that an object of parts has a checksum that is said of it. 400 BadDigest, InvalidRequest. */
async function requireWhole({ parts, plan }: Claimed, name: ChecksumName, value: string): Promise<void> {
  const isOfParts = isComposite(value) || (plan?.type === "COMPOSITE" && plan.name === name);
  const own = isOfParts ? compositeOf(name, parts) : (await combinedChecksums(parts))[name];
  if (own === undefined) throw say("InvalidRequest", `The parts came without ${headerOf(name)}.`);
  if (own !== value && (isComposite(value) || own.replace(/-\d+$/, "") !== value))
    throw say("BadDigest", `The ${name.toUpperCase()} is not that of the parts.`);
}

/**
 * Requires of an upload that its parts, and the object that is made of them, have the checksums that CompleteMultipartUpload says, and
 * the object its size. 400 InvalidPart, BadDigest, InvalidRequest.
 */
export async function requireParts(
  { request }: Pick<Call, "request">,
  upload: PartsUpload,
  sent: readonly SentPart[],
): Promise<void> {
  const { headers } = request;
  const whole = entriesOf(saidIn(headers));
  const [size, type] = [headers.get("x-amz-mp-object-size"), headers.get("x-amz-checksum-type")];
  const isPlain = sent.every(({ checksums }) => entriesOf(checksums).length === 0);
  if (whole.length === 0 && size === null && type === null && isPlain) return;
  const { plan, parts: all } = await storedIn(upload);
  if (plan && type !== null && type !== plan.type)
    throw say("InvalidRequest", `The upload was begun for the checksum type ${plan.type}.`);
  const stored = new Map(all.map((part) => [part.number, part]));
  // A storage elsewhere keeps none; those that came with the parts were checked, and are said once more.
  const parts = sent.flatMap(({ number, checksums }) => {
    const part = stored.get(number);
    return part ? [{ ...part, checksums: part.checksums ?? checksums }] : [];
  });
  // Which of them are missing is said where they are put together.
  if (parts.length < sent.length) return;
  for (const { number, checksums } of sent) {
    const known = stored.get(number)?.checksums;
    if (known && entriesOf(checksums).some(([name, value]) => known[name] !== undefined && known[name] !== value))
      throw say("InvalidPart");
  }
  const sum = parts.reduce((before, part) => before + part.size, 0);
  if (size !== null && size !== String(sum)) throw say("InvalidRequest", "The object has not the size that is said.");
  // Which of them are too small is said where they are put together, too: very many of odd sizes would be work for seconds.
  if (parts.slice(0, -1).some((part) => part.size < PART_SIZE)) return;
  for (const [name, value] of whole) await requireWhole({ parts, plan }, name, value);
}
