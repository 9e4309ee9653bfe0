import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "#contract/failures";
import type { FollowFile } from "../../lib/digests/digest-thread.ts";
import { checksumsOf } from "../../lib/digests/digests.ts";
import type { Locks } from "../../lib/locks.ts";
import type { Incoming, MultipartName, PartOptions, StoredPart } from "../store.ts";
import { OBJECT } from "./assemble.ts";
import { keptText, newTag, storedPart } from "./attributes.ts";
import type { Area, AreaOf } from "./bucket.ts";
import type { DiskTable, MultipartRow, PartRow } from "./disk-table.ts";
import { writeBody } from "./files.ts";
import { createHashing } from "./hashing.ts";
import type { FlushFolders } from "./rename.ts";

export interface PartsDeps {
  readonly table: DiskTable;
  /** Its folder of parts holds one folder per unfinished upload. */
  readonly areaOf: AreaOf;
  /** Parts share the id of their upload. A part in the object has its position alone; a second try for it gets its own file. */
  readonly locks: Locks;
  /** Reports whether an upload is being completed. */
  readonly isCompleting: (id: string) => boolean;
  readonly follow: FollowFile;
  readonly flush: FlushFolders;
}

interface PartName extends MultipartName {
  readonly number: number;
}

/** The file and offset that a part is written to. */
interface Target {
  readonly number: number;
  readonly file: string;
  readonly start: number;
}

/**
 * Reports whether an upload may have this id, which names its folder. That which a record names may come from an archive that somebody else has
 * made.
 */
export const isUploadId = (id: string): boolean => /^[\da-f-]{36}$/.test(id);

/** The folder of an upload. 404 upload.missing. */
export function folderOf({ parts }: Pick<Area, "parts">, id: string): string {
  if (!isUploadId(id)) throw new Failure("upload.missing");
  return join(parts, id);
}

/** The upload of this name. 404 upload.missing. */
export async function uploadOf(table: DiskTable, { key, upload }: MultipartName): Promise<MultipartRow> {
  const row = await table.multipart(upload);
  if (row?.key !== key) throw new Failure("upload.missing");
  return row;
}

/** Writes the parts of uploads, in the object that grows or to files of their own. */
export function createPartWriter({ table, areaOf, locks, isCompleting, follow, flush }: PartsDeps) {
  /** The offset of a part in the object; undefined when its length does not fit. */
  const offsetOf = async (name: MultipartName, number: number, length: number): Promise<number | undefined> => {
    if (length > 0) await table.setPartSize(name.upload, length);
    const { part_size } = await uploadOf(table, name);
    return length === 0 || part_size === null || length > part_size ? undefined : (number - 1) * part_size;
  };

  /** Writes a body and records it as the part. An earlier part of the number stays until then. */
  const write = async (
    { key, upload: id }: MultipartName,
    { number, file, start }: Target,
    body: Incoming,
    bounds: PartOptions,
  ): Promise<StoredPart> => {
    const area = areaOf(key);
    const folder = folderOf(area, id);
    // The object has its whole size once the last part is written, so its size does not say how much of this part is there.
    using space = area.space.arriving(bounds.length);
    const path = join(folder, file);
    using hashing = createHashing(follow, bounds.digesting, { path, start, length: bounds.length });
    const size = await writeBody({ path, start }, body, bounds, { hashing, space });
    if (size !== bounds.length) throw new Failure("upload.length");
    const digests = await hashing.finish(size);
    const checksums = checksumsOf(digests, bounds.digesting?.kept);
    await flush([folder]);
    const etag = digests.md5?.toString("hex") ?? newTag();
    const part: PartRow = { number, etag, size, file, start, checksums: keptText(checksums) };
    const before = await table.part(id, number);
    bounds.signal?.throwIfAborted();
    if (!(await table.putPart(id, part))) throw new Failure("upload.missing");
    if (before && before.file !== OBJECT) await rm(join(folder, before.file), { force: true });
    return storedPart(part);
  };

  /** Writes a part to a file of its own. */
  const putAside = async (
    name: MultipartName,
    number: number,
    body: Incoming,
    bounds: PartOptions,
  ): Promise<StoredPart> => {
    const file = `${number}-${Bun.randomUUIDv7()}`;
    try {
      return await write(name, { number, file, start: 0 }, body, bounds);
    } catch (error) {
      await rm(join(folderOf(areaOf(name.key), name.upload), file), { force: true });
      throw error;
    }
  };

  return async ({ number, ...name }: PartName, body: Incoming, bounds: PartOptions): Promise<StoredPart> => {
    const id = name.upload;
    const start = await offsetOf(name, number, bounds.length);
    const position = `${id} ${number}`;
    // The object is left as it is while the upload is completed.
    if (start === undefined || isCompleting(id) || !locks.isFree(position))
      return await putAside(name, number, body, bounds);
    return await locks(position, async () => {
      if (await table.part(id, number)) return await putAside(name, number, body, bounds);
      return await write(name, { number, file: OBJECT, start }, body, bounds);
    });
  };
}
