import { createHash } from "node:crypto";
import type { ThumbWidth } from "#contract/limits";
import type { ObjectHead, StoredObject } from "../stores/store.ts";
import { isHash, type PicturePlace } from "./known.ts";

/** A file whose thumbnail somebody may see. */
export interface ThumbSource {
  readonly storage: string;
  readonly head: Pick<ObjectHead, "key" | "etag" | "size">;
  /** Its bytes as they were found; undefined when they have changed since. */
  readonly read: () => Promise<StoredObject["body"] | undefined>;
}

/** Changes when thumbnails are made otherwise. */
const MAKING = 2;

/**
 * The name of a thumbnail, and its ETag. Where the ETag of a file is not the hash of its content, two files may have the same one: then the
 * key belongs to the name, or somebody would see the picture of another.
 */
export function thumbName({ storage, head: { key, etag, size } }: ThumbSource, width: ThumbWidth): string {
  return digest([MAKING, storage, isHash(etag) ? "" : key, etag, size, width]);
}

/**
 * The name of a thumbnail that somebody offered. It is about one file and no other with the same content: who may write the one may say
 * what it looks like, and nobody else's picture changes with it.
 */
export const offeredName = ({ storage, head: { key, etag, size } }: ThumbSource, width: ThumbWidth): string =>
  digest([MAKING, "offered", storage, key, etag, size, width]);

const digest = (parts: readonly (string | number)[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex");

export const placeOf = ({ storage, head: { key, etag } }: ThumbSource): PicturePlace => ({ storage, key, etag });
