import { isFailure } from "../../api/failure.ts";
import { isForgottenUpload } from "../failures.ts";
import { tryToDelete } from "../network/with-retries.ts";
import type { Payload } from "../payload.ts";
import type { Division, Ids, UploadedParts } from "../targets/target.ts";
import type { UploadContext, UploadTask } from "../uploader.ts";
import { type Addresses, createAddresses } from "./addresses.ts";
import { createParts, type Parts } from "./parts.ts";

/** How the server is called, for shares or for the tree. */
type Server = Pick<UploadContext, "call" | "target">;

/** An upload in parts as this page knows it. */
export interface OpenUpload {
  readonly ids: Ids;
  readonly slug: string;
  readonly parts: Parts;
  readonly addresses: Addresses;
  /** The share exists already: the answer that said so was lost. */
  readonly finished: boolean;
}

/** An upload that may be open on the server. */
interface KnownUpload {
  readonly ids: Ids;
  readonly slug: string;
  /** Bytes. */
  readonly size: number;
}

function opened({ call, target }: Server, known: KnownUpload, division: Division): OpenUpload {
  const { ids, slug, size } = known;
  const parts = createParts({ size, ...division });
  const ask = async (part_numbers: number[], relay: boolean) =>
    (await target.parts(call, ids, { part_numbers, relay })).urls;
  return { ids, slug, parts, addresses: createAddresses({ ask, missing: parts.missing }), finished: false };
}

/** Makes an upload whose file has already arrived whole. */
function finished(server: Server, known: KnownUpload): OpenUpload {
  const whole = opened(server, known, { partSize: known.size, partCount: 1 });
  whole.parts.complete(1, undefined);
  return { ...whole, finished: true };
}

/** Asks the server what has arrived, and marks those parts as complete. Throws ApiFailure. */
export async function noteArrived(
  { call, target }: Server,
  { ids, parts }: Pick<OpenUpload, "ids" | "parts">,
): Promise<void> {
  note(parts, await target.parts(call, ids));
}

function note(parts: Parts, listing: UploadedParts): void {
  for (const { partNumber, etag, size } of listing.parts) {
    if (size === parts.lengthOf(partNumber)) parts.complete(partNumber, etag.replaceAll('"', ""));
  }
}

/** Begins an upload in parts; a repeated call with the same key returns the same upload. Throws ApiFailure. */
export async function beginUpload(server: Server, task: UploadTask<Payload>, key: string): Promise<OpenUpload> {
  const { ids, slug, urls, ...division } = await server.target.beginParts(server.call, task, key);
  const begun = opened(server, { ids, slug, size: task.file.size }, division);
  begun.addresses.add(urls);
  return begun;
}

/** Resumes an upload from what the server has of it; undefined if it cannot be resumed. Throws ApiFailure. */
export async function takeUp(server: Server, known: KnownUpload): Promise<OpenUpload | undefined> {
  try {
    const listing = await server.target.parts(server.call, known.ids);
    if (listing.totalSize !== known.size) return undefined;
    const taken = opened(server, known, listing);
    note(taken.parts, listing);
    return taken;
  } catch (error) {
    if (isFailure(error, "upload.finished")) return finished(server, known);
    if (isForgottenUpload(error)) return undefined;
    throw error;
  }
}

/** Aborts an upload in parts. If the server cannot be reached, it sweeps the upload a day later. Never rejects. */
export const abortUpload = (server: Server & Pick<UploadContext, "withRetries">, ids: Ids): Promise<void> =>
  tryToDelete(server.withRetries, () => server.target.giveUp(server.call, ids));
