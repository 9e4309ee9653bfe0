import type { FileRecord } from "#contract/files";
import type { PartUrl } from "#contract/uploads";
import type { Call } from "../api/call.ts";
import type { Payload } from "./payload.ts";
import type { UploadOptions } from "./uploads.ts";

/** A file that is to go there. */
export interface Sent {
  readonly file: Payload;
  readonly options: () => UploadOptions;
}

/** How the server calls what was begun. */
export interface Ids {
  readonly file_id: string;
  readonly upload_id: string;
}

/** A file that was begun in one piece. */
export interface SingleStart {
  readonly ids: Ids;
  /** The last part of the share's link; empty where there is none. */
  readonly slug: string;
  readonly url: string;
  /** Takes the file in its place, through the server. */
  readonly relayUrl: string;
  readonly contentType: string;
  /** What its storage wants to be told beside the type. */
  readonly headers: Readonly<Record<string, string>>;
}

/** How a file is divided. */
export interface Division {
  readonly partSize: number;
  readonly partCount: number;
}

/** A file that was begun in parts, with the first addresses. */
interface PartsStart extends Division {
  readonly ids: Ids;
  readonly slug: string;
  readonly urls: readonly PartUrl[];
}

/** What has arrived of a file, and addresses of parts that were asked for. */
export interface PartsStanding extends Division {
  readonly totalSize: number;
  readonly parts: readonly { readonly partNumber: number; readonly etag: string; readonly size: number }[];
  readonly urls: readonly PartUrl[];
}

interface PartsQuestion {
  readonly part_numbers: number[];
  readonly relay: boolean;
}

/** A part as it is claimed at the end. */
interface Claimed {
  readonly partNumber: number;
  readonly etag: string;
}

/**
 * Where files go, in calls of the server: into shares, or into the tree of mounts. All of them throw ApiFailure. A file that is
 * there answers its share, where it has one.
 */
export interface Target {
  beginSingle(call: Call, sent: Sent, key: string): Promise<SingleStart>;
  commit(call: Call, ids: Ids): Promise<FileRecord | undefined>;
  /** Gives up what was begun in one piece, even when it was just being finished. */
  dropSingle(call: Call, ids: Ids): Promise<void>;
  beginParts(call: Call, sent: Sent, key: string): Promise<PartsStart>;
  /** What has arrived; with a question only the addresses that it asks for. */
  parts(call: Call, ids: Ids, question?: PartsQuestion): Promise<PartsStanding>;
  complete(call: Call, ids: Ids, parts: readonly Claimed[]): Promise<FileRecord | undefined>;
  /** The same for what was begun in parts. */
  giveUp(call: Call, ids: Ids): Promise<void>;
}

/** The name under which the server knows a repeated beginning for the same. */
export const repeatable = (key: string) => ({ "idempotency-key": key });
