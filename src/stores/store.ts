import { hash } from "node:crypto";
import { Failure } from "#contract/failures";
import { sizeText } from "#contract/limits";
import type { ByteRange } from "../lib/conditional.ts";
import type { Checksums, Digesting } from "../lib/digests/digests.ts";
import type { ChecksumPlan } from "../lib/digests/part-checksums.ts";
import type { KeptHeaders } from "../lib/kept-headers.ts";
import type { StoredBody } from "../lib/open-file.ts";
import { inOrder } from "../lib/turns.ts";

/** Where an object is: the id of its storage, and its key there. */
export interface Place {
  readonly storage: string;
  readonly key: string;
}

/** The attributes of one object. */
export interface ObjectHead {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Without quotes; changes whenever the content does. */
  readonly etag: string;
  /** In the lists of an S3 storage, which leave it out, the type of the key's extension. */
  readonly type: string;
  /** Epoch milliseconds. */
  readonly modified: number;
  /** Lists leave them out. */
  readonly headers?: KeptHeaders | undefined;
  /** Of all bytes, if their sender had them checked. Lists leave them out, and storages elsewhere keep none. */
  readonly checksums?: Checksums | undefined;
  /** The parts that it came in. Lists leave them out, and storages elsewhere keep none. */
  readonly parts?: PartSizes | undefined;
}

/** Parts in their order, as sizes in bytes with how many in a row have each. */
export type PartSizes = readonly (readonly [size: number, count: number])[];

export interface StoredObject {
  readonly head: ObjectHead;
  /** The stream fetches nothing before it is read, and ends with an error if not all of it arrives. */
  readonly body: StoredBody;
}

/** An incoming body; streams are wrapped in a Response. */
export type Incoming = Request | Response;

/**
 * Called when all bytes have arrived, right before an object becomes visible, moves or goes. Its error stops that and is
 * passed on; then nothing changes.
 */
export type Recheck = () => Promise<void>;

/**
 * Called when all bytes have arrived, before `beforeCommit`: answers once nothing else changes what is there, and what it answers is
 * called when the object is visible or never will be. Its error stops that as the one of `beforeCommit` does.
 */
export type TakeTurn = () => Promise<() => void>;

/** A key that bytes may go to, and nothing else before `pass` is called. */
export interface FreePlace {
  readonly key: string;
  readonly beforeCommit: Recheck;
  readonly pass: () => void;
}

/**
 * Called in place of `turn` and `beforeCommit` for what never takes the place of something: answers a free key of the same folder, which is
 * the one that was meant unless somebody has taken that. It is called again when its `beforeCommit` finds it taken. Stores that cannot choose the key so late are never asked: transfers/waiting.ts.
 */
export type FindPlace = () => Promise<FreePlace>;

/** Has each other key noted before something gets there, so that whoever looks after a crash finds it. */
export function notingPlace(
  findPlace: FindPlace | undefined,
  meant: string,
  note: (key: string) => Promise<unknown>,
): FindPlace | undefined {
  let known = meant;
  return (
    findPlace &&
    (async () => {
      const place = await findPlace();
      try {
        if (place.key !== known) await note(place.key);
        known = place.key;
        return place;
      } catch (error) {
        place.pass();
        throw error;
      }
    })
  );
}

/** What its writer says of an object. */
export interface Described {
  readonly type: string;
  readonly headers?: KeptHeaders | undefined;
}

export interface PutOptions extends Described {
  /** The exact length of the body in bytes; 400 upload.length otherwise. Undefined if unknown. */
  readonly length?: number | undefined;
  /** Bytes that a body of unknown length may have; 413 file.tooLarge beyond. */
  readonly limit?: number | undefined;
  /** Whether the chunks of the body have no other owner, so that their memory may be released once they are written. */
  readonly disposable?: boolean | undefined;
  /** Whether a store elsewhere gets a long body in parts, each of which is sent again when that fails; else in one piece. */
  readonly inParts?: boolean | undefined;
  /**
   * An aborted write is not published. An S3 storage may still publish it if the abort falls between the last byte of
   * the body and the storage's answer.
   */
  readonly signal?: AbortSignal | undefined;
  readonly beforeCommit?: Recheck | undefined;
  readonly turn?: TakeTurn | undefined;
  readonly findPlace?: FindPlace | undefined;
  /** Checked before `beforeCommit` is asked. The built-in store takes an MD5 for the ETag. */
  readonly digesting?: Digesting | undefined;
  /** Told the file of this machine to which the bytes are written one after another. A store elsewhere writes to none. */
  readonly begun?: ((file: BegunFile) => void) | undefined;
}

/** A file in which the bytes of a body come. */
export interface BegunFile {
  readonly path: string;
  /** Bytes that it will have; undefined if unknown. A file that has as many may have none of them yet. */
  readonly length: number | undefined;
}

export interface ListRequest {
  readonly prefix: string;
  /** Keys with the same text up to the next `/` are returned as one folder. */
  readonly delimiter?: "/" | undefined;
  /** Returns only keys and folders after this one, in order of UTF-8 bytes. */
  readonly after?: string | undefined;
  /** Objects and folders together. */
  readonly limit: number;
  /** Whether what waits in the trash is listed too; only the index wants that, which counts it. */
  readonly trash?: boolean | undefined;
}

export interface ListPage {
  readonly objects: ObjectHead[];
  /** Prefixes, each ending in `/`. */
  readonly folders: string[];
  /** What to go on after; undefined at the end. */
  readonly next: string | undefined;
}

export interface PresignRequest {
  readonly method: "GET" | "PUT";
  readonly key: string;
  /** Seconds. */
  readonly expires: number;
  /** Where this server is reached, scheme, host and base path; only the built-in store's addresses begin with it. */
  readonly base: string;
  /** Of a PUT: the upload that it is for, which the built-in store's addresses name. */
  readonly ticket?: string | undefined;
  /** Of a PUT: the exact length of the body; the built-in store knows it from the upload. */
  readonly length?: number | undefined;
  /** Of a PUT: the part it writes. */
  readonly part?: { readonly upload: string; readonly number: number } | undefined;
  /** Of a GET: the headers that a storage of S3 answers with; the built-in one always says its own. */
  readonly answer?: { readonly disposition?: string; readonly type?: string } | undefined;
}

/** An upload in parts, which takes both to name. */
export interface MultipartName {
  readonly key: string;
  readonly upload: string;
}

export interface PartOptions {
  /** Bytes that the body must have; 400 upload.length otherwise. */
  readonly length: number;
  readonly signal?: AbortSignal | undefined;
  /** The built-in store takes an MD5 for the ETag of the part. */
  readonly digesting?: Digesting | undefined;
}

export interface StoredPart {
  readonly number: number;
  readonly etag: string;
  readonly size: number;
  /** Of its bytes, if their sender had them checked. Storages elsewhere keep none. */
  readonly checksums?: Checksums | undefined;
}

/** Where parts that have come without a gap end. */
export interface RunEnd {
  /** Of the last part; 0 before the first. */
  readonly number: number;
  /** Offset in the object, in bytes. */
  readonly end: number;
}

/** Parts in a row that have come without a gap. */
interface PartRun {
  /** A file of this machine in which they are where the object will have them, and stay so. */
  readonly path: string;
  readonly parts: readonly StoredPart[];
}

/** A part as a client names it when it completes an upload. */
export type ClaimedPart = Pick<StoredPart, "number" | "etag">;

/** How an object is made of its parts. */
export interface CompleteOptions {
  readonly beforeCommit?: Recheck | undefined;
  readonly turn?: TakeTurn | undefined;
  readonly findPlace?: FindPlace | undefined;
  /** The checksum that it is to have; storages elsewhere keep none. */
  readonly checksum?: ChecksumPlan | undefined;
}

/** How an object is copied. */
export interface CopyOptions {
  readonly beforeCommit?: Recheck | undefined;
  /** The object's attributes if the caller knows them: a remote store does not request them again. */
  readonly found?: ObjectHead | undefined;
  /** Copies only this version: an ETag without quotes. */
  readonly ifMatch?: string | undefined;
  /** What is said of the copy in place of what is said of the object. An object that is its own copy is only described anew. */
  readonly described?: Described | undefined;
}

/**
 * Objects under keys, as S3 has them. Keys are paths without a leading slash; one that ends in `/` is an empty folder.
 * Failures of every verb: path.invalid and path.conflict for a key that cannot be, storage.full, storage.denied of the built-in
 * one, and those of a storage elsewhere: storage.unreachable, refused, bucketMissing, region, clock, busy, broken.
 */
export interface ObjectStore {
  head(key: string): Promise<ObjectHead | undefined>;
  /**
   * Returns the object or a range of it, which must lie within. With `found`, returns undefined if the object has changed since; a remote
   * store does not request the attributes again.
   */
  get(key: string, range?: ByteRange, found?: ObjectHead): Promise<StoredObject | undefined>;
  /** Writes the whole object or nothing, and replaces an existing one. */
  put(key: string, body: Incoming, options: PutOptions): Promise<ObjectHead>;
  /**
   * Removes these objects; a missing one is no failure. The built-in store lets nobody write to them between `beforeCommit` and their
   * removal; others ask right before each request.
   */
  remove(keys: readonly string[], options?: { readonly beforeCommit?: Recheck | undefined }): Promise<void>;
  /** Undefined when there is nothing to copy, or another version than the one that is wanted. */
  copy(from: string, to: string, options?: CopyOptions): Promise<ObjectHead | undefined>;
  list(request: ListRequest): Promise<ListPage>;
  /** Free bytes; undefined if unknown. */
  free(): Promise<number | undefined>;
  /** Bytes of the volume of the objects, used or not; undefined if unknown. */
  capacity(): Promise<number | undefined>;
  /** Returns an address that lets its holder do one thing with one object for a while. */
  presign(request: PresignRequest): string;

  /** Begins an upload in parts and answers its id; `partSize` is the size of all but the last, when that is known. */
  createMultipart(key: string, options: Described & { readonly partSize?: number | undefined }): Promise<string>;
  /** Writes one part in place of an earlier one. 404 upload.missing. */
  putPart(name: MultipartName, number: number, body: Incoming, options: PartOptions): Promise<StoredPart>;
  /** In order of their numbers. 404 upload.missing. */
  listParts(name: MultipartName): Promise<StoredPart[]>;
  /** The parts that follow a run of them, none of an upload that is unknown. Undefined of a store elsewhere, which lets nobody read them before they are an object. */
  nextParts(name: MultipartName, after: RunEnd): Promise<PartRun | undefined>;
  /** Makes the object of these parts, which must be ordered and have arrived. 404 upload.missing, 400 upload.parts. */
  completeMultipart(name: MultipartName, parts: readonly ClaimedPart[], options?: CompleteOptions): Promise<ObjectHead>;
  /** The object that was made of these parts, while it is what is at the key. A storage elsewhere knows it by the MD5s of the parts. */
  completed(name: MultipartName, parts: readonly ClaimedPart[]): Promise<ObjectHead | undefined>;
  /** Forgets an upload and its parts; an absent one is no failure. */
  abortMultipart(name: MultipartName): Promise<void>;
  /** Forgets every upload in parts of a key. */
  abortMultiparts(key: string): Promise<void>;

  /**
   * Watches what is directly in a folder where other programs may change it and the system tells: `changed` is called once, with the first
   * change, and then the watch has ended. Returns what ends it before; undefined where there is no such folder. Throws what the system refuses.
   */
  readonly watch?: (folder: string, changed: () => void) => (() => void) | undefined;

  /** Operations that a store with real folders does at once; others work file by file. */
  readonly tree?: TreeVerbs;
}

/** How a file or a folder is moved. */
export interface MoveOptions {
  readonly beforeCommit?: Recheck | undefined;
  /**
   * Replaces what is at the target, so that a reader sees the old or the new: a file gives way to a file in one step, anything else
   * gets this name without a slash at its end, from which its caller removes it. Without this nothing is replaced.
   */
  readonly aside?: string | undefined;
}

/** Changes of a file, or of a folder (a key that ends in a slash) with all below it, that are atomic for readers. */
export interface TreeVerbs {
  /**
   * Answers whether there was something to move. Both keys are of a file or both of a folder; 400 path.invalid for a folder into
   * itself, 409 path.conflict in place of something that may not be replaced.
   */
  move(from: string, to: string, options?: MoveOptions): Promise<boolean>;
  /**
   * Removes a folder with all below it, which has gone from the lists before this returns; its bytes may be given back later. An
   * absent one is no failure.
   */
  remove(folder: string, beforeCommit?: Recheck): Promise<void>;
  /** Removes a folder if there is nothing in it; answers whether it did. */
  removeEmpty(folder: string, beforeCommit?: Recheck): Promise<boolean>;
  /** Answers whether there is a file, or a folder, at a key, without what is known of it. */
  has(key: string): Promise<boolean>;
  /** Answers whether a file is where one of the folders above a key would be. */
  isBelowFile(key: string): Promise<boolean>;
}

/** The keys of the folders above a key as those of files, outermost first. */
export const keysAbove = (key: string): string[] => {
  const names = key.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
};

/** Questions to a storage that are asked at once. */
const ASKED_AT_ONCE = 16;

/** Reports whether a file is where one of the folders above a key would be; one that only knows keys is asked for each. */
export async function isBelowFile(store: Pick<ObjectStore, "head" | "tree">, key: string): Promise<boolean> {
  if (store.tree) return await store.tree.isBelowFile(key);
  const asked = inOrder(keysAbove(key), ASKED_AT_ONCE, (one) => store.head(one));
  for await (const file of asked) if (file !== undefined) return true;
  return false;
}

/** The limits of a body while it is written. */
export type Bounds = Omit<PutOptions, "type" | "headers">;

/** Yields a body chunk by chunk. It ends as soon as it is aborted, not at the next chunk: a broken connection may never end. */
export async function* chunksOf({ body }: Incoming, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  const cancel = () => void reader?.cancel().catch(() => undefined);
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    for (;;) {
      signal?.throwIfAborted();
      const next = await reader?.read();
      signal?.throwIfAborted();
      if (!next || next.done) return;
      yield next.value;
    }
  } finally {
    signal?.removeEventListener("abort", cancel);
    cancel();
  }
}

/** 400 upload.length and 413 file.tooLarge for a body that has grown beyond its bounds. */
export function checkSize({ length, limit }: Bounds, size: number): void {
  if (length !== undefined && size > length) throw new Failure("upload.length");
  if (limit !== undefined && size > limit) throw new Failure("file.tooLarge", { limit: sizeText(limit) });
}

/**
 * Reports whether a body ended with its connection: however that was cut, Bun throws an AbortError (1.4.5, closed or reset, in chunks or
 * not). Its message decides nothing, for that of a disk's error has a path in it, and the path may say anything.
 */
export const isCut = (error: unknown): boolean => error instanceof Error && error.name === "AbortError";

const MD5 = /^[\da-f]{32}$/;

/** Reports whether an ETag is an MD5, as that of an S3 object that was put in one piece. */
export const isMd5 = (etag: string): boolean => MD5.test(etag);

/** The ETag of an object of these parts where theirs are MD5s: the MD5 of those, and their number. */
export const tagOfParts = (parts: readonly ClaimedPart[]): string =>
  `${hash("md5", Buffer.concat(parts.map(({ etag }) => Buffer.from(etag, "hex"))), "hex")}-${parts.length}`;
