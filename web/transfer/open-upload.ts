import type { CallOutput } from "#contract/endpoint";
import { partSizeFor } from "#contract/limits";
import { uploads } from "#contract/uploads";
import type { Call } from "../api/call.ts";
import { isFailure } from "../api/failure.ts";
import { type Addresses, createAddresses } from "./addresses.ts";
import { giveUp, type Load, newFile, repeatable, type Surroundings, sweep } from "./carrier.ts";
import { isForgottenUpload } from "./failures.ts";
import { createParts, type Parts } from "./parts.ts";

/** How the server calls an upload in parts. */
interface Ids {
  readonly file_id: string;
  readonly upload_id: string;
}

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

type Listing = CallOutput<typeof uploads.parts>["data"];

function opened(call: Call, known: KnownUpload, division: Pick<Listing, "partSize" | "partCount">): OpenUpload {
  const { ids, slug, size } = known;
  const parts = createParts({ size, ...division });
  const ask = async (part_numbers: number[], relay: boolean) =>
    (await call(uploads.parts, { body: { ...ids, part_numbers, list: false, relay } })).data.presigned_urls;
  return { ids, slug, parts, addresses: createAddresses({ ask, missing: parts.missing }), finished: false };
}

/** An upload that is there whole. */
function finished(call: Call, known: KnownUpload): OpenUpload {
  const whole = opened(call, known, { partSize: known.size, partCount: 1 });
  whole.parts.complete(1, undefined);
  return { ...whole, finished: true };
}

/** Asks the server for the parts that arrived, and records the whole ones. Throws ApiFailure. */
export async function noteArrived(call: Call, { ids, parts }: Pick<OpenUpload, "ids" | "parts">): Promise<void> {
  note(parts, (await call(uploads.parts, { body: ids })).data);
}

function note(parts: Parts, listing: Listing): void {
  for (const { partNumber, etag, size } of listing.parts) {
    if (size === parts.lengthOf(partNumber)) parts.complete(partNumber, etag.replaceAll('"', ""));
  }
}

/** Begins an upload in parts; the same key returns the same upload. Throws ApiFailure. */
export async function beginUpload(call: Call, load: Load, key: string): Promise<OpenUpload> {
  const { size } = load.file;
  const body = { ...newFile(load), size, part_size: partSizeFor(size) };
  const { data } = await call(uploads.begin, { body, headers: repeatable(key) });
  const { file_id, upload_id, slug } = data;
  const begun = opened(call, { ids: { file_id, upload_id }, slug, size }, data);
  begun.addresses.add(data.presigned_urls);
  return begun;
}

/** Continues an upload that the server knows; undefined if there is nothing to continue. Throws ApiFailure. */
export async function takeUp(call: Call, known: KnownUpload): Promise<OpenUpload | undefined> {
  try {
    const listing = (await call(uploads.parts, { body: known.ids })).data;
    if (listing.totalSize !== known.size) return undefined;
    const taken = opened(call, known, listing);
    note(taken.parts, listing);
    return taken;
  } catch (error) {
    if (isFailure(error, "upload.finished")) return finished(call, known);
    if (isForgottenUpload(error)) return undefined;
    throw error;
  }
}

/** Gives an upload in parts up, if the server can be reached; else it sweeps a day later. Never rejects. */
export const abortUpload = ({ call, insist }: Pick<Surroundings, "call" | "insist">, ids: Ids): Promise<void> =>
  sweep({ insist }, () => giveUp(call, ids));
