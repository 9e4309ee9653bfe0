import { Failure, type FailureCode } from "#contract/failures";
import { nameOf } from "#contract/paths";
import { bearerOf } from "../access/callers.ts";
import { ownerName } from "../access/principal.ts";
import type { Digesting } from "../lib/digests/digests.ts";
import type { ChecksumPlan } from "../lib/digests/part-checksums.ts";
import type { KeptHeaders } from "../lib/kept-headers.ts";
import { plainType, typeOf, typeOfName } from "../lib/mime.ts";
import type { ClaimedPart, FindPlace, Incoming, ObjectHead, Place, StoredPart } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import type { SenderDetails } from "../transfers/arrivals.ts";
import type { UploadRow } from "../transfers/uploads-table.ts";
import { waitingKey } from "../transfers/waiting.ts";
import { all, type ResolvedPath, type ResolvePath } from "./access.ts";
import { type Entry, filePath, isFile, type MountedLocation } from "./entry.ts";
import { entryNear, recheckNew, recheckVersion, requireNew, type Target, targetOf, turnAt } from "./write.ts";

/** A file that somebody is about to upload to an address: it takes the place of what is there. */
export interface UploadRequest {
  readonly type?: string | null | undefined;
  /** Bytes; undefined when nobody knows. */
  readonly size: number | undefined;
  /** Bytes of all parts but the last, for an upload in parts; 0 when each part says its own. */
  readonly partSize?: number;
  /** Kept with the file. */
  readonly headers?: KeptHeaders | undefined;
  /** The checksum that a file in parts is to have. */
  readonly checksum?: ChecksumPlan | undefined;
  /** As the header `x-amz-tagging` writes them. */
  readonly tags?: string | undefined;
  /** Whether it goes to the next name that is free when its own is taken. */
  readonly isPlaced?: boolean | undefined;
  /** What whoever sends it by a link says. */
  readonly said?: SenderDetails | undefined;
}

/** A part on its way through this server. */
interface IncomingPart {
  readonly number: number;
  readonly body: Incoming;
  /** Bytes. */
  readonly length: number;
  readonly digesting?: Digesting | undefined;
}

/** An upload on its way to a path. */
export interface TreeUpload {
  readonly row: UploadRow;
  readonly path: string;
  readonly location: MountedLocation;
  readonly storage: Storage;
  /** Gives it up. */
  drop(): Promise<void>;
}

/** An upload in parts as whoever began it names it. */
export interface PartsName {
  /** Of the file, or of its folder when the name is given as well. */
  readonly path: string;
  readonly name?: string | undefined;
  readonly upload: string;
  /** Of what comes by a link. */
  readonly receipt?: string | undefined;
  /** Whether the request is signed by the secret of a link, all whose signers are one sender. */
  readonly isSigned?: boolean | undefined;
}

/** An upload in parts, under way or not. */
export interface PartsUpload {
  /** Its record while it is under way. 404 upload.missing. */
  pending(): UploadRow;
  /** The parts that have arrived. 404 upload.missing. */
  list(): Promise<StoredPart[]>;
  /** Takes a part. 404 upload.missing; 400 upload.length, upload.parts; 413 file.tooLarge, 507 storage.full. */
  put(part: IncomingPart): Promise<StoredPart>;
  /**
   * Ends it, or answers again what it came to. `still` is the version that it may replace, undefined for none. 404 upload.missing; 400
   * upload.parts, upload.partSize; 409 upload.incomplete; 412 path.changed.
   */
  complete(claimed: readonly ClaimedPart[], still?: { readonly etag: string | undefined }): Promise<UploadedFile>;
  /** Gives it up if it is under way. */
  abort(): Promise<void>;
}

/** A file that has arrived. */
export interface UploadedFile {
  readonly entry: Entry;
  /** Of the object. */
  readonly key: string;
}

/** What whoever sent a file says of it. */
export interface Claim {
  readonly id?: string | undefined;
  /** Without quotes, as the storage answered it. */
  readonly etag?: string | null | undefined;
}

/** 400 path.isFolder beside those of `targetOf`. */
async function fileTarget(at: ResolvedPath, isPlaced = false): Promise<Target> {
  const there = await targetOf(at, "write");
  if (there.location.folder || (!isPlaced && there.found && !isFile(there.found))) throw new Failure("path.isFolder");
  return isPlaced ? { ...there, found: undefined } : there;
}

const placeOf = ({ location }: Target): Place => ({ storage: location.mount.storage, key: location.key });

export const arrived = ({ location }: Target, head: ObjectHead): UploadedFile => ({
  entry: entryNear(location, head),
  key: head.key,
});

/** Begins an upload whose bytes go to presigned URLs. 400 upload.parts, path.isFolder; 409 path.reserved; 413; 507. */
export async function beginUpload(at: ResolvedPath, wanted: UploadRequest): Promise<TreeUpload> {
  const { type, size, partSize, headers, checksum, tags = "" } = wanted;
  const { location, storage, found } = await fileTarget(at, wanted.isPlaced);
  requireNew(at, found);
  await at.deps.properties.requireTags(storage.config.id, tags);
  const { uploads } = at.deps.transfers;
  const row = await uploads.begin({
    policy: "replace",
    storage,
    key: wanted.isPlaced ? waitingKey(storage, location.key) : location.key,
    type: typeFor(at, nameOf(location.path), type),
    size,
    partSize,
    headers,
    checksum,
    tags,
    found: found && isFile(found) ? found.head : undefined,
    by: bearerOf(at.caller),
  });
  return { row, path: location.path, location, storage, drop: () => uploads.drop(row.id) };
}

/** S3 keeps the type that it is told. */
const typeFor = ({ protocol }: ResolvedPath, name: string, said: string | null | undefined): string =>
  protocol === "s3" ? (plainType(said) ?? typeOfName(name)) : typeOf(name, said);

/** Completes an upload of one piece, or answers a completed one again. 404 upload.missing, 409 upload.incomplete. */
export async function commitUpload(at: ResolvedPath, { id, etag: sent }: Claim): Promise<UploadedFile> {
  const { uploads } = at.deps.transfers;
  const there = await fileTarget(at);
  const place = placeOf(there);
  const etag = sent?.replaceAll('"', "") || undefined;
  const owner = ownerName(at.caller);
  const row = await (id === undefined ? uploads.findLatest(place, owner) : uploads.findReplacing(id));
  if (row && (row.storage !== place.storage || row.key !== place.key)) throw new Failure("upload.missing");
  if (row) {
    const beforeCommit = at.recheck("write", there.location);
    return arrived(there, await uploads.finish(row.id, { etag, beforeCommit }));
  }
  const ended = await uploads.ended(place, id ?? owner);
  if (ended && (etag === undefined || etag === ended.etag)) return arrived(there, ended);
  if (etag === undefined || !there.found || !isFile(there.found) || there.found.head.etag !== etag)
    throw new Failure("upload.missing");
  return arrived(there, there.found.head);
}

/** Aborts an unfinished upload of this path; does nothing when there is none with this id. */
export async function giveUpUpload(at: ResolvedPath, id: string): Promise<void> {
  const there = await targetOr(at);
  if (!there) return;
  const { uploads } = at.deps.transfers;
  const place = placeOf(there);
  const row = await uploads.findReplacing(id);
  if (row?.storage === place.storage && row.key === place.key) await uploads.drop(row.id);
}

/** Returns a multipart upload, whether it is under way or not. Clients name the file's folder and its name, or its path. */
export async function findParts(resolve: ResolvePath, { path, name, upload }: PartsName): Promise<PartsUpload> {
  const paths = name === undefined ? [path] : [filePath(path, name), path];
  for (const one of paths) {
    const at = resolve(one.replace(/\/+$/, "") || "/");
    const there = await targetOr(at);
    if (!there) continue;
    const { uploads } = at.deps.transfers;
    const row = await uploads.findParts(placeOf(there), upload);
    const ended = row ? undefined : await uploads.ended(placeOf(there), upload);
    if (row) return pendingParts(at, there, row);
    if (ended) return overParts(arrived(there, ended));
  }
  return overParts();
}

/** An upload in parts that is under way to a path. */
export function pendingParts(at: ResolvedPath, there: Target, row: UploadRow, findPlace?: FindPlace): PartsUpload {
  const { uploads, parts } = at.deps.transfers;
  const mayWrite = at.recheck("write", there.location);
  return {
    pending: () => row,
    list: () => parts(row),
    put: async ({ number, ...received }) => {
      const part = { upload: row.multipart ?? "", number };
      const stored = await uploads.receive(row, { ...received, part });
      return { number, etag: stored.etag, size: stored.size };
    },
    async complete(claimed, still) {
      const targetCheck = still ? recheckVersion(at, still.etag) : recheckNew(at);
      const beforeCommit = targetCheck ? all(mayWrite, targetCheck) : mayWrite;
      const turn = targetCheck && turnAt(at);
      return arrived(there, await uploads.finish(row.id, { parts: claimed, beforeCommit, turn, findPlace }));
    },
    abort: () => uploads.drop(row.id),
  };
}

/** An upload in parts that is not under way, and the file that it came to if it is known. */
export function overParts(file?: UploadedFile): PartsUpload {
  const missing = (): never => {
    throw new Failure("upload.missing");
  };
  return {
    pending: missing,
    list: async () => missing(),
    put: async () => missing(),
    complete: async () => file ?? missing(),
    abort: async () => undefined,
  };
}

/** Undefined where no file could be, and so no upload is. */
export async function targetOr(at: ResolvedPath): Promise<Target | undefined> {
  try {
    return await targetOf(at, "write");
  } catch (error) {
    if (error instanceof Failure && NOWHERE.includes(error.code)) return undefined;
    throw error;
  }
}

/** What says of a path that no file could be there. */
const NOWHERE: readonly FailureCode[] = ["path.root", "path.mount", "path.conflict", "mount.none"];
