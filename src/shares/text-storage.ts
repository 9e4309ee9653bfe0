import { Failure } from "#contract/failures";
import { TEXTS } from "../access/principal.ts";
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { ByteRange } from "../lib/conditional.ts";
import type { ObjectHead, ObjectStore, StoredObject } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import { type PasteRow, type PastesTable, pastesTable } from "./pastes-table.ts";
import { isGone } from "./share-state.ts";

interface TextStorageDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** Bytes that a reader of a long text holds at once: the next ones are read from the database when they are asked for. */
const PIECE = 1024 * 1024;

/** As a storage would be configured that has nothing but texts and takes nothing. */
const config: Storage["config"] = {
  ...{ id: TEXTS, name: TEXTS, provider_type: "built-in", bucket_name: TEXTS, default_folder: "" },
  ...{ endpoint_url: "", region: "", path_style: 0, access_key_id: "", sealed_secret: "", custom_host: null },
  ...{ is_public: 0, is_default: 0, total_storage_bytes: null, signature_expires_in: 3600 },
  ...{ last_used: null, tested_at: null, passed: null, created_at: 0, updated_at: 0 },
};

/**
 * Shared texts as files of a storage that nobody writes to: a link leads to them by their ids. Neither their password nor their views count
 * here, because whoever put a text behind a link has given it away; one that has expired or is used up is not there.
 */
export function createTextStorage({ db, clock }: TextStorageDeps): Storage {
  const table = pastesTable(db);

  const find = async (id: string): Promise<PasteRow | undefined> => {
    const row = await table.findById(id);
    return row && !isGone(row, clock()) ? row : undefined;
  };

  const store: ObjectStore = {
    ...refusing,

    head: async (id) => {
      const row = await find(id);
      return row && headOf(row);
    },

    async get(id, range, found): Promise<StoredObject | undefined> {
      const row = await find(id);
      if (!row || (found && headOf(row).etag !== found.etag)) return undefined;
      const asked = range ?? { start: 0, end: row.size - 1 };
      return { head: headOf(row), body: await bodyOf(table, row, asked) };
    },
  };
  return { config, store, readOnly: true };
}

const headOf = ({ id, size, plain, version, updated_at }: PasteRow): ObjectHead => ({
  key: id,
  size,
  // Each change of a text raises its version.
  etag: `text-${version}-${updated_at.toString(36)}`,
  type: plain === 1 ? "text/plain" : "text/markdown",
  modified: updated_at,
});

/** The bytes of a range; undefined when the text has changed since it was found. */
async function bytesOf(table: PastesTable, row: PasteRow, { start, end }: ByteRange): Promise<Uint8Array | undefined> {
  const content = await table.content(row);
  // A copy, so that the rest of a long text need not stay in memory with it.
  return content === undefined
    ? undefined
    : Buffer.from(content)
        .subarray(start, end + 1)
        .slice();
}

async function bodyOf(table: PastesTable, row: PasteRow, range: ByteRange): Promise<StoredObject["body"]> {
  let at = range.start;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (at > range.end) return controller.close();
        const bytes = await bytesOf(table, row, { start: at, end: Math.min(at + PIECE - 1, range.end) });
        if (!bytes || bytes.length === 0) return controller.error(new Failure("share.changed"));
        at += bytes.length;
        controller.enqueue(bytes);
      },
    },
    { highWaterMark: 0 },
  );
}

const refuse = (): never => {
  throw new Failure("storage.readOnly");
};

const refused = async (): Promise<never> => refuse();

/** What nobody does to texts by a link. */
const refusing = {
  ...{ put: refused, remove: refused, copy: refused, presign: refuse, createMultipart: refused, putPart: refused },
  ...{ listParts: refused, completeMultipart: refused, completed: refused, abortMultipart: refused },
  abortMultiparts: refused,
  list: async () => ({ objects: [], folders: [], next: undefined }),
  free: async () => undefined,
  nextParts: async () => undefined,
  capacity: async () => undefined,
} as const satisfies Partial<ObjectStore>;
