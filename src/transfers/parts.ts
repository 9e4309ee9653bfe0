/** Uploads in parts: begins them at the store, checks and lists their parts, and makes the file of them. */
import { Failure } from "#contract/failures";
import { MAX_PARTS, PART_SIZE, partCountFor, partLength } from "#contract/limits";
import { STAGING } from "#contract/paths";
import { planIn } from "../lib/digests/part-checksums.ts";
import type { KeptHeaders } from "../lib/kept-headers.ts";
import type {
  ClaimedPart,
  CompleteOptions,
  MultipartName,
  ObjectHead,
  ObjectStore,
  StoredPart,
} from "../stores/store.ts";
import type { UploadRow, UploadsTable } from "./uploads-table.ts";

/** Identifies one state of an object, also if the same bytes were written again. */
export const versionOf = ({ etag, modified }: Pick<ObjectHead, "etag" | "modified">): string => `${etag} ${modified}`;

/** Reports whether an upload has parts of any size, whose sum nobody knows before: then `size` is what they reserve so far. */
export const isOpenEnded = ({ part_size }: Pick<UploadRow, "part_size">): boolean => part_size === 0;

/** The bytes that an upload must have; null when nobody said. */
export const declaredSize = (row: Pick<UploadRow, "part_size" | "size" | "total_size">): number | null =>
  isOpenEnded(row) ? row.total_size : row.size;

/** Where what is less than a part waits of a resumable upload: beside the place of its file, under a name that nobody sees. */
export const tailKey = ({ key, id }: Pick<UploadRow, "key" | "id">): string =>
  `${key.slice(0, key.lastIndexOf("/") + 1)}${STAGING}${id}`;

interface Assembly {
  readonly row: UploadRow;
  readonly store: ObjectStore;
  readonly table: Pick<UploadsTable, "claim">;
}

interface Beginning {
  readonly table: Pick<UploadsTable, "begun">;
  readonly headers: KeptHeaders | undefined;
}

/** A part as its sender names it: the store's id of the upload, and a number from 1. */
export interface PartName {
  readonly upload: string;
  readonly number: number;
}

/** Begins an upload in parts at its store. Its record exists by then and leads to the parts, whenever this process ends. */
export async function beginParts(
  row: UploadRow,
  { store, table, headers }: Pick<Assembly, "store"> & Beginning,
): Promise<UploadRow> {
  const { id, key, content_type: type, part_size: partSize } = row;
  if (partSize === null) return row;
  const multipart = await store.createMultipart(key, { type, headers, partSize: partSize || undefined });
  if (!(await table.begun(id, multipart))) throw new Failure("upload.missing");
  return { ...row, multipart };
}

/** Checks that a part belongs to an upload, and returns how it is stored. 404 upload.missing, 400 upload.parts, upload.length. */
export function checkPart(
  row: UploadRow,
  part: PartName | undefined,
  length: number | undefined,
): { name: MultipartName; number: number; length: number } {
  const { key, size, part_size, multipart } = row;
  if (!part || part.upload !== multipart || part_size === null || size === null) throw new Failure("upload.missing");
  const { upload, number } = part;
  if (isOpenEnded(row)) {
    if (number > MAX_PARTS) throw new Failure("upload.parts");
    if (length === undefined) throw new Failure("upload.length");
    return { name: { key, upload }, number, length };
  }
  if (number > partCountFor(size, part_size)) throw new Failure("upload.parts");
  const expected = partLength(size, part_size, number);
  if (length !== undefined && length !== expected) throw new Failure("upload.length");
  return { name: { key, upload }, number, length: expected };
}

/** Removes what waits beside the parts of an upload. */
export async function forgetTail(row: UploadRow, store: Pick<ObjectStore, "remove">): Promise<void> {
  if (row.tail_part !== null) await store.remove([tailKey(row)]);
}

/** Removes the parts of a dropped upload. */
export async function forgetParts(row: UploadRow, store: ObjectStore): Promise<void> {
  const { key, multipart, part_size } = row;
  // A crash can come between what waits and the note of it.
  if (row.append_size !== null) await store.remove([tailKey(row)]);
  if (multipart !== null) await store.abortMultipart({ key, upload: multipart });
  // A crash can come between the upload in parts and the note of its id.
  else if (part_size !== null) await store.abortMultiparts(key);
}

/**
 * Makes the file of its parts, unless that was done before a crash, and answers its key. The store forgets the parts as soon as it has made the file,
 * so they are recorded first. 404 upload.missing, 409 upload.incomplete, 400 upload.parts.
 */
export async function assemble(
  { row, store, table }: Assembly,
  claimed: readonly ClaimedPart[],
  conditions: Pick<CompleteOptions, "beforeCommit" | "turn" | "findPlace">,
): Promise<ObjectHead> {
  const { id, key, multipart } = row;
  const size = declaredSize(row);
  if (multipart === null) throw new Failure("upload.missing");
  const name = { key, upload: multipart };
  try {
    const stored = await store.listParts(name);
    const sizes = new Map(stored.map((part) => [part.number, part.size]));
    // A part that is claimed twice came once; the store refuses the claim.
    const numbers = new Set(claimed.map(({ number }) => number));
    const arrived = [...numbers].reduce((sum, number) => sum + (sizes.get(number) ?? 0), 0);
    if (size !== null && arrived !== size) throw new Failure("upload.incomplete", { arrived, size });
    const isSmall = ({ number }: ClaimedPart) => (sizes.get(number) ?? PART_SIZE) < PART_SIZE;
    if (isOpenEnded(row) && claimed.slice(0, -1).some(isSmall)) throw new Failure("upload.partSize");
    await table.claim(id, JSON.stringify(claimed.map(({ number, etag }) => [number, etag, sizes.get(number)])));
    return await store.completeMultipart(name, claimed, { ...conditions, checksum: planIn(row.checksum) });
  } catch (error) {
    const made = isUnknown(error) ? await madeOf(row, store, claimed) : undefined;
    if (!made) throw error;
    return made;
  }
}

/**
 * Lists the parts that have arrived, or those that the store has made the file of. The upload can be finished with them, also
 * after a crash. 404 upload.missing.
 */
export async function arrivedParts(row: UploadRow, store: ObjectStore): Promise<StoredPart[]> {
  const { key, size, part_size, multipart, claimed } = row;
  if (multipart === null) throw new Failure("upload.missing");
  try {
    return await store.listParts({ key, upload: multipart });
  } catch (error) {
    if (!isUnknown(error) || claimed === null) throw error;
    const parts = claimedIn(claimed);
    if (!(await madeOf(row, store, named(parts)))) throw error;
    const known = (number: number) => partLength(size ?? 0, part_size ?? 0, number);
    return parts.map(([number, etag, bytes]) => ({ number, etag, size: bytes ?? known(number) }));
  }
}

type Claimed = [number: number, etag: string, size?: number];

const claimedIn = (claimed: string) => JSON.parse(claimed) as Claimed[];

const named = (parts: readonly Claimed[]): ClaimedPart[] => parts.map(([number, etag]) => ({ number, etag }));

/** The file that the store has made of the parts that were claimed, if it is there and nobody has said so. */
export const madeFrom = async (row: UploadRow, store: ObjectStore): Promise<ObjectHead | undefined> =>
  row.claimed === null ? undefined : await completed(row, store, named(claimedIn(row.claimed)));

/** What is at the key, if it is the object of these parts. */
async function completed(
  { key, multipart, found }: UploadRow,
  store: ObjectStore,
  parts: readonly ClaimedPart[],
): Promise<ObjectHead | undefined> {
  if (multipart === null) return undefined;
  const head = await store.completed({ key, upload: multipart }, parts);
  return head && versionOf(head) !== found ? head : undefined;
}

/** Reports whether the store does not know the upload, or no longer. */
const isUnknown = (error: unknown): boolean => error instanceof Failure && error.code === "upload.missing";

/** As `completed`, when the store has forgotten the parts: what others have written to the key since is no file of this upload. */
async function madeOf(
  row: UploadRow,
  store: ObjectStore,
  parts: readonly ClaimedPart[],
): Promise<ObjectHead | undefined> {
  const made = await completed(row, store, parts);
  const size = declaredSize(row);
  if (made || row.overwrites === 1 || size === null) return made;
  // Nobody else writes to the key of a fresh upload, and storages that encrypt name no object by the MD5s of its parts.
  const head = await store.head(row.key);
  return head?.size === size ? head : undefined;
}

export const incomplete = (head: ObjectHead | undefined, size: number | null): Failure =>
  new Failure("upload.incomplete", { arrived: head?.size ?? 0, size: size ?? "?" });

export const exceeds = (head: ObjectHead, size: number): Failure | undefined =>
  head.size > size ? new Failure("upload.length") : undefined;

/** Checks that the file at the key is the one that was uploaded. 409 upload.incomplete and upload.etag, 400 upload.length. */
export function checkReplaced(
  row: UploadRow,
  head: ObjectHead | undefined,
  etag: string | undefined,
): asserts head is ObjectHead {
  const { found, multipart } = row;
  const size = declaredSize(row);
  const isNamed = etag !== undefined && etag === head?.etag;
  if (!head || !(isNamed || multipart !== null || versionOf(head) !== found)) throw incomplete(undefined, size);
  if (etag !== undefined && !isNamed) throw new Failure("upload.etag");
  if (size === null || size === head.size) return;
  throw exceeds(head, size) ?? incomplete(head, size);
}
