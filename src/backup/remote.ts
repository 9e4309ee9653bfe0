import { CryptoHasher } from "bun";
import { z } from "zod/mini";
import type { Row } from "../database/snapshot.ts";
import { parseJson } from "../lib/json.ts";
import { isKeptHeader, type KeptHeaders } from "../lib/kept-headers.ts";
import { bodyStream } from "../lib/open-file.ts";
import { isWholeKey } from "../stores/disk/moment.ts";
import type { ObjectStore } from "../stores/store.ts";
import { Damaged, type ReadEntry, shown } from "./archive-reader.ts";
import type { ArchiveWriter } from "./archive-writer.ts";
import { openStorage, type RemoteStorage } from "./bucket.ts";
import { isBackupName } from "./destination.ts";
import { remoteEntry } from "./format.ts";
import type { Copied } from "./objects.ts";

/** Names under which an entry has the type of an object, and its other headers as JSON, in the extended header of POSIX (pax). */
const PAX = { type: "SATCHEL.type", headers: "SATCHEL.headers" } as const;

interface CopyRemote {
  readonly archive: ArchiveWriter;
  readonly storages: readonly RemoteStorage[];
  readonly copied: Copied;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes the objects of storages on S3 as they are found, because such a storage has no moment. Left out are backups themselves and keys that no tree can
 * have; what goes between the list and the reading is counted as gone.
 */
export async function copyRemote({ archive, storages, copied, signal }: CopyRemote): Promise<void> {
  for (const { id, store } of storages) {
    for (let after: string | undefined; ; ) {
      const page = await store.list({ prefix: "", after, limit: 1000 });
      for (const { key } of page.objects) {
        signal?.throwIfAborted();
        if (isWholeKey(key) && !isBackupName(key)) await addRemote(archive, store, remoteEntry(id, key), key, copied);
      }
      after = page.next;
      if (after === undefined) break;
    }
  }
}

async function addRemote(
  archive: ArchiveWriter,
  store: ObjectStore,
  name: string,
  key: string,
  copied: Copied,
): Promise<void> {
  if (key.endsWith("/")) {
    await archive.addFolder(name);
    copied.folders += 1;
    return;
  }
  const found = await store.get(key);
  if (!found) {
    copied.gone += 1;
    return;
  }
  const { size, modified, type, headers } = found.head;
  const described = { [PAX.type]: type, ...(headers && { [PAX.headers]: JSON.stringify(headers) }) };
  const body = bodyStream(found.body);
  await archive.addFile({ name, size, modified, described }, body);
  copied.files += 1;
  copied.bytes += size;
}

/** Writes objects back to the buckets of the storages that an archive has, which were read before them. */
export function createRemoteRestore(rows: readonly Row[], secretKey: () => Promise<string>) {
  const opened = new Map<string, RemoteStorage>();

  const storageOf = async (id: string): Promise<RemoteStorage> => {
    const known = opened.get(id);
    if (known) return known;
    const row = rows.find((one) => one.id === id);
    if (!row) throw new Damaged(`The archive is damaged: it has objects of a storage ${shown(id)}, which it has not.`);
    const storage = openStorage(row, await secretKey());
    opened.set(id, storage);
    return storage;
  };

  return {
    /**
     * Writes one unless the very same is there already, as after an earlier run that was killed. Throws a sentence when another object is at its key, of
     * whatever size: a damaged archive may have brought it.
     */
    async add(read: ReadEntry, id: string, name: string): Promise<void> {
      const { store, bucket } = await storageOf(id);
      const key = read.isFolder && !name.endsWith("/") ? `${name}/` : name;
      if (!isWholeKey(key)) throw new Damaged(`The archive has an object ${shown(key)}, which no backup has.`);
      const found = await store.head(key);
      const there = found?.size === read.size ? await digestIn(store, key) : undefined;
      if (there !== undefined && there === (await digestOf(read.chunks()))) return;
      if (there !== undefined || (found && found.size !== read.size))
        throw new Error(
          `Another object is at ${shown(key)} of the bucket ${bucket}. Remove it, or restore without --with s3. Nothing else was changed.`,
        );
      const { type = OCTETS, headers } = describedBy(read);
      const body = new Response(read.size === 0 ? "" : streamOf(read.chunks()));
      await store.put(key, body, { type, headers, length: read.size, inParts: true });
    },
  };
}

/** The SHA-256 of an object of a bucket; undefined when it has gone meanwhile. */
async function digestIn(store: ObjectStore, key: string): Promise<string | undefined> {
  const found = await store.get(key);
  if (!found) return undefined;
  return await digestOf(bodyStream(found.body));
}

async function digestOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hasher = new CryptoHasher("sha256");
  for await (const chunk of chunks) hasher.update(chunk);
  return hasher.digest("hex");
}

/** What an archive says of an object, whoever has made it. */
function describedBy({ described, name }: ReadEntry): { readonly type?: string; readonly headers?: KeptHeaders } {
  const { [PAX.type]: type = OCTETS, [PAX.headers]: text } = described ?? {};
  if (text === undefined) return { type };
  const headers = headersSchema.safeParse(parseJson(text));
  if (!headers.success || !Object.keys(headers.data).every(isKeptHeader))
    throw new Damaged(`The archive is damaged: the headers of ${shown(name)} are none that a storage keeps.`);
  return { type, headers: headers.data };
}

const OCTETS = "application/octet-stream";

const headersSchema = z.record(z.string(), z.string());

const streamOf = (chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
