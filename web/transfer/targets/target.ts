import type { FileRecord } from "#contract/files";
import type { PartUrl } from "#contract/uploads";
import type { Call } from "../../api/call.ts";
import type { Payload } from "../payload.ts";
import type { UploadOptions } from "../uploads.ts";

/** A file to upload, with its options. */
export interface Sent {
  readonly file: Payload;
  readonly options: () => UploadOptions;
}

/** The server's ids of an upload. */
export interface Ids {
  readonly file_id: string;
  readonly upload_id: string;
  /** Of an upload by a link: the receipt that it was begun with, and goes on with. */
  readonly receipt?: string | undefined;
}

/** An upload that was begun in one piece. */
export interface SingleStart {
  readonly ids: Ids;
  /** The last part of the share's link; empty where there is none. */
  readonly slug: string;
  readonly url: string;
  /** The server's address, which passes the file on to the storage. */
  readonly relayUrl: string;
  readonly contentType: string;
  /** Headers that the storage needs in addition to the type. */
  readonly headers: Readonly<Record<string, string>>;
}

/** How a file is divided. */
export interface Division {
  readonly partSize: number;
  readonly partCount: number;
}

/** An upload that was begun in parts, with the first addresses. */
export interface PartsStart extends Division {
  readonly ids: Ids;
  readonly slug: string;
  readonly urls: readonly PartUrl[];
}

/** What has arrived of a file, and the addresses that were asked for. */
export interface UploadedParts extends Division {
  readonly totalSize: number;
  readonly parts: readonly { readonly partNumber: number; readonly etag: string; readonly size: number }[];
  readonly urls: readonly PartUrl[];
}

interface PartsQuestion {
  readonly part_numbers: number[];
  readonly relay: boolean;
}

/** A part in the list that completes an upload. */
interface Claimed {
  readonly partNumber: number;
  readonly etag: string;
}

/**
 * Where files go: into shares, or into the tree of mounts. All functions call the server and throw ApiFailure. `commit` and
 * `complete` return the share, if there is one.
 */
export interface Target {
  beginSingle(call: Call, sent: Sent, key: string): Promise<SingleStart>;
  commit(call: Call, ids: Ids): Promise<FileRecord | undefined>;
  /** Drops an upload in one piece, even if it was just finished. */
  dropSingle(call: Call, ids: Ids): Promise<void>;
  beginParts(call: Call, sent: Sent, key: string): Promise<PartsStart>;
  /** Returns what has arrived; with a question only the addresses that it asks for. */
  parts(call: Call, ids: Ids, question?: PartsQuestion): Promise<UploadedParts>;
  complete(call: Call, ids: Ids, parts: readonly Claimed[]): Promise<FileRecord | undefined>;
  /** Drops an upload in parts, even if it was just finished. */
  giveUp(call: Call, ids: Ids): Promise<void>;
}

/** Returns the header by which the server recognizes a repeated request. */
export const repeatable = (key: string) => ({ "idempotency-key": key });
