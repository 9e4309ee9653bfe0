import { type FileRecord, files } from "#contract/files";
import { uploads } from "#contract/uploads";
import type { Call } from "../api/call.ts";
import { isFailure } from "../api/failure.ts";
import type { Connection } from "./connection.ts";
import { isForgottenUpload } from "./failures.ts";
import type { Insist } from "./insist.ts";
import type { Kept } from "./kept.ts";
import type { UploadPorts } from "./ports.ts";
import type { Reach } from "./reach.ts";
import type { Send } from "./send.ts";
import type { Turns, Waits } from "./turns.ts";
import type { UploadOptions } from "./uploads.ts";

/** What all uploads of a page share. */
export interface Surroundings extends Pick<UploadPorts, "account" | "tabs" | "digest" | "newKey"> {
  readonly call: Call;
  readonly send: Send;
  readonly connection: Connection;
  readonly reach: Reach;
  readonly insist: Insist;
  readonly turns: Turns;
  readonly kept: Kept;
}

/** A file to send, and its listeners. */
export interface Load {
  readonly file: File;
  /** Its place among all. */
  readonly order: number;
  readonly options: () => UploadOptions;
  readonly waits: Waits;
  /** Told of bytes that have just left. */
  readonly onMoved: (bytes: number) => void;
  /** Told when something changed that a person should see at once. */
  readonly onChange: () => void;
}

/** How far it has got. */
interface Progress {
  readonly sent: number;
  readonly resumed: number;
  readonly slug: string | undefined;
  readonly continues: boolean;
  readonly finishing: boolean;
  /** The bytes pass through the server, because this browser cannot reach the storage. */
  readonly relayed: boolean;
}

/** Sends one file to the server, in one piece or in parts. One `carry` at a time; each continues where the last one ended. */
export interface Carrier {
  /** Throws ApiFailure; `aborted` when the signal aborted. */
  carry(signal: AbortSignal): Promise<FileRecord>;
  progress(): Progress;
  /** Deletes the upload on the server, if it can be reached; else the server sweeps it a day later. Never rejects. */
  undo(): Promise<void>;
  /** Drops the upload, so that no unfinished rest stays that nobody can continue. Never rejects. */
  leave(): Promise<void>;
}

/** The request for a new file. */
export function newFile({ file, options }: Load) {
  const { storageId, path, slug, remark, password, expiresAt, maxViews, useProxy } = options();
  return {
    filename: file.name,
    size: file.size,
    mimetype: file.type || null,
    ...(storageId ? { s3_config_id: storageId } : {}),
    ...(path ? { path } : {}),
    ...(slug ? { slug } : {}),
    ...(remark ? { remark } : {}),
    ...(password ? { password } : {}),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
    expires_in: null,
    max_views: maxViews ?? null,
    ...(useProxy === undefined ? {} : { use_proxy: useProxy }),
  };
}

/** The header under which the server recognizes a repeated request. */
export const repeatable = (key: string) => ({ "idempotency-key": key });

/** Runs a deletion without waiting for its result: the server sweeps a day later what it cannot reach. */
export async function sweep({ insist }: Pick<Surroundings, "insist">, act: () => Promise<unknown>): Promise<void> {
  const { signal } = new AbortController();
  try {
    await insist(act, { signal, waits: { sending: 0, turn: 0, connection: 0 } });
  } catch {
    return;
  }
}

/** The server's ids of an upload; only one in parts has an upload id of its own. */
export interface Begun {
  readonly file_id: string;
  readonly upload_id?: string;
}

/** Drops the upload, even while it is being finished. Throws ApiFailure. */
export async function giveUp(call: Call, { file_id, upload_id }: Begun): Promise<void> {
  try {
    await call(uploads.abort, { body: { file_id, ...(upload_id === undefined ? {} : { upload_id }) } });
  } catch (error) {
    if (isForgottenUpload(error)) return;
    if (!isFailure(error, "upload.finished")) throw error;
    await removeFinished(call, file_id);
  }
}

async function removeFinished(call: Call, id: string): Promise<void> {
  try {
    await call(files.remove, { body: { ids: [id] } });
  } catch (error) {
    // It may have been deleted already. Visitors delete nothing: an upload that became a share at the same moment
    // stays one.
    if (!isFailure(error, "auth.required") && !isFailure(error, "share.missing")) throw error;
  }
}
