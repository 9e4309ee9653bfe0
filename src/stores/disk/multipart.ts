import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "#contract/failures";
import type { Clock } from "../../lib/clock.ts";
import { checksumsOfParts } from "../../lib/digests/part-checksums.ts";
import { createLocks, type Locks, type Turn } from "../../lib/locks.ts";
import {
  type ClaimedPart,
  type CompleteOptions,
  type FindPlace,
  isMd5,
  type MultipartName,
  notingPlace,
  type ObjectHead,
  type ObjectStore,
  type RunEnd,
  tagOfParts,
} from "../store.ts";
import { assemble, choose, OBJECT } from "./assemble.ts";
import { keptText, sizesOf, storedPart } from "./attributes.ts";
import type { DiskTable, MultipartRow, PartRow } from "./disk-table.ts";
import { asFailure } from "./files.ts";
import { createPartWriter, folderOf, isUploadId, type PartsDeps, uploadOf } from "./parts.ts";
import { isMissing } from "./paths.ts";
import type { Publish } from "./publish.ts";

/** Parts that are read at once of a run. */
const RUN = 500;

interface MultipartOptions extends Omit<PartsDeps, "locks" | "isCompleting"> {
  readonly clock: Clock;
  /** Throws for a key that no file can have. */
  readonly fileOfKey: (key: string) => string;
  readonly publish: Publish;
  readonly head: (key: string) => Promise<ObjectHead | undefined>;
}

type Multiparts = Pick<
  ObjectStore,
  | "createMultipart"
  | "putPart"
  | "listParts"
  | "nextParts"
  | "completeMultipart"
  | "completed"
  | "abortMultipart"
  | "abortMultiparts"
>;

/**
 * Multipart uploads. While all parts have one size, each is written to its position in the file that becomes the object, so that
 * completing an upload of any size is a rename. A part of another size, or one that is sent again, has a file of its own and is
 * copied to its position then.
 */
export function createMultiparts(options: MultipartOptions): Multiparts {
  const { table, areaOf, publish, head } = options;
  const partsOf = (key: string): string => areaOf(key).parts;
  const locks = createLocks();
  const completing = new Map<string, Promise<ObjectHead>>();
  const writePart = createPartWriter({ ...options, locks, isCompleting: (id) => completing.has(id) });
  const { stopParts, forget } = createEnd(options, locks);

  /** The object of these parts, while nothing else has come to its key. */
  const madeOf: Multiparts["completed"] = async ({ key, upload }, parts) => {
    const found = await head(key);
    return found?.etag === tagOf(upload, parts) ? found : undefined;
  };

  const complete = async (
    name: MultipartName,
    claimed: readonly ClaimedPart[],
    { checksum, findPlace, ...conditions }: CompleteOptions,
  ): Promise<ObjectHead> => {
    const { id, key, content_type, headers } = await uploadOf(table, name);
    choose(await table.parts(id), claimed);
    await stopParts(id);
    // Parts may have been recorded before they were stopped.
    const stored = await table.parts(id);
    const parts = choose(stored, claimed);
    const file = await assemble({ folder: folderOf(areaOf(key), id), parts, stored, space: areaOf(key).space });
    const etag = tagOf(id, parts);
    const checksums = keptText(await checksumsOfParts(parts.map(storedPart), checksum));
    const attributes = { content_type, headers, etag, checksums, parts: JSON.stringify(sizesOf(parts)) };
    const how = { ...conditions, findPlace: renaming(table, { id, key }, findPlace) };
    // With parts but without their file, the upload was published by a process that ended before it could answer, or its file is lost.
    const done = file === undefined ? await madeOf(name, parts) : await publish(file, key, attributes, how);
    if (!done) throw new Failure("upload.missing");
    await forget(id, key);
    return done;
  };

  return {
    createMultipart: createBegin(options),

    async putPart(name, number, body, bounds) {
      const put = ({ signal }: Turn) => writePart({ ...name, number }, body, { ...bounds, signal });
      try {
        return await locks(name.upload, put, { shared: true, signal: bounds.signal });
      } catch (error) {
        throw isMissing(error)
          ? new Failure("upload.missing")
          : await asFailure(error, partsOf(name.key), bounds.length);
      }
    },

    listParts: async (name) => (await table.parts((await uploadOf(table, name)).id)).map(storedPart),

    async nextParts({ key, upload }, { number, end }) {
      const path = join(folderOf(areaOf(key), upload), OBJECT);
      return { path, parts: runOf(await table.partsAfter(upload, number, RUN), { number, end }).map(storedPart) };
    },

    /** Two calls at the same time complete the upload once and get the same answer. */
    async completeMultipart(name, claimed, options = {}) {
      const id = name.upload;
      const running = completing.get(id) ?? complete(name, claimed, options);
      completing.set(id, running);
      try {
        return await running;
      } catch (error) {
        throw await asFailure(error, partsOf(name.key), undefined);
      } finally {
        if (completing.get(id) === running) completing.delete(id);
      }
    },

    completed: madeOf,

    async abortMultipart({ key, upload }) {
      if (!isUploadId(upload)) return;
      const row = await table.multipart(upload);
      if (!row || row.key === key) await forget(upload, key);
    },

    async abortMultiparts(key) {
      for (const { id } of await table.multipartsOf(key)) await forget(id, key);
    },
  };
}

/** Notes under which key an upload goes on before its file gets there. */
const renaming = (table: DiskTable, { id, key }: Pick<MultipartRow, "id" | "key">, findPlace: FindPlace | undefined) =>
  notingPlace(findPlace, key, (to) => table.renameMultipart(id, to));

/** Begins uploads. */
const createBegin =
  ({ table, clock, areaOf, fileOfKey, head, flush }: MultipartOptions): Multiparts["createMultipart"] =>
  async (key, { type, headers, partSize }) => {
    fileOfKey(key);
    // Throws for a key that leads outside.
    await head(key);
    const id = Bun.randomUUIDv7();
    const folder = areaOf(key).parts;
    await mkdir(join(folder, id));
    await flush([folder]);
    const row = { id, key, content_type: type, part_size: partSize ?? null, headers: keptText(headers) };
    await table.addMultipart(row, clock());
    return id;
  };

/** The parts that follow a run where the object will have them. One that has a file of its own ends it: it is copied when all are there. */
function runOf(parts: readonly PartRow[], after: RunEnd): PartRow[] {
  let [last, end] = [after.number, after.end];
  const run: PartRow[] = [];
  for (const part of parts) {
    if (part.number !== last + 1 || part.file !== OBJECT || part.start !== end) break;
    run.push(part);
    [last, end] = [part.number, end + part.size];
  }
  return run;
}

/** Ends uploads. */
function createEnd({ table, areaOf }: Pick<MultipartOptions, "table" | "areaOf">, locks: Locks) {
  /** Stops the parts that are being written, and returns when they no longer touch the files of the upload. */
  const stopParts = (id: string) => locks(id, async () => undefined, { stop: new Failure("upload.missing") });

  return {
    stopParts,

    async forget(id: string, key: string): Promise<void> {
      await table.removeMultipart(id);
      await stopParts(id);
      await rm(folderOf(areaOf(key), id), { recursive: true, force: true });
    },
  };
}

/** The ETag of the object that an upload makes of its parts: as that of S3, or one that no other upload can have. */
const tagOf = (id: string, parts: readonly ClaimedPart[]): string =>
  parts.every(({ etag }) => isMd5(etag)) ? tagOfParts(parts) : `${id.replaceAll("-", "")}-${parts.length}`;
