import { Failure } from "#contract/failures";
import type { KeyChange, NewKey } from "#contract/keys";
import type { Cluster } from "../cluster/cluster.ts";
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { createLastUses } from "../lib/write-behind.ts";
import { createKeptKeys } from "./kept-keys.ts";
import { createKeyCallers, isExpired } from "./key-callers.ts";
import { createKeySecrets, type KeySecrets } from "./key-secrets.ts";
import { editedKeyExpiry, newBasePath, newKeyExpiry, newKeyText, newS3Name } from "./key-values.ts";
import { type KeyRow, type KeysTable, type KeyUpdate, keysTable } from "./keys-table.ts";

interface KeysDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly secret: string;
  readonly cluster: Pick<Cluster, "follow">;
}

/** What a key that comes from another server keeps of its own; times in epoch milliseconds. */
interface Origin {
  readonly id: string;
  readonly createdAt: number;
  readonly lastUsed: number | null;
}

/** An API key as the administrator sees it, with the key itself. */
export interface ApiKey extends Omit<KeyRow, "key_hash" | "sealed_key"> {
  /** Empty if the stored value was altered. */
  readonly key: string;
  readonly expired: boolean;
}

/** Opens the API keys. The administrator creates and changes them, and callers are found by them. */
export function createKeys({ db, clock, log, secret, cluster }: KeysDeps) {
  const table = keysTable(db);
  const secrets = createKeySecrets(secret);
  const kept = createKeptKeys(table, cluster);
  const { forget } = kept;
  const uses = createLastUses({ name: "uses of keys", clock, log, write: table.addUses });

  const shown = (row: KeyRow): ApiKey => {
    const { key_hash: _hash, sealed_key: _sealed, ...rest } = row;
    return { ...rest, key: secrets.open(row) ?? "", expired: isExpired(row, clock()) };
  };

  /** 404 key.missing. */
  const get = async (id: string): Promise<KeyRow> => {
    const row = await table.find(id);
    if (!row) throw new Failure("key.missing");
    return row;
  };

  /** Why a key could not be written. */
  const conflict = async (id: string, { name, is_guest }: Pick<KeyUpdate, "name" | "is_guest">) => {
    if (name !== undefined && (await table.nameIsTaken(name, id))) return new Failure("key.nameTaken");
    return is_guest === 1 && (await table.guestIsTaken(id, clock())) ? new Failure("key.guestTaken") : undefined;
  };

  return {
    /** Newest first, expired ones too. */
    async list(): Promise<ApiKey[]> {
      await uses.flush();
      return (await table.all()).map(shown);
    },

    count: table.count,

    /** Those that expire within so many milliseconds, the first to do so first. */
    expiring: (within: number, limit: number) => table.expiring(clock(), clock() + within, limit),

    /** 404 key.missing. */
    read: async (id: string): Promise<ApiKey> => shown(await get(id)),

    /** 400 key.characters, key.length, basePath.invalid, expiry.past; 409 key.nameTaken, key.taken, key.guestTaken. */
    async create(request: NewKey): Promise<ApiKey> {
      const row = newRow(request, secrets, clock());
      const written = await table.insert(row);
      forget();
      if (!written) throw (await conflict(row.id, row)) ?? new Failure("key.taken");
      return shown(row);
    },

    /** The row of a key that another server had, sealed. Throws as `create`. */
    rowOf: (request: NewKey, origin: Origin): KeyRow => newRow(request, secrets, clock(), origin),

    /** Adds keys that another server had, in one transaction; those that are here already stay as they are. */
    async insertAll(rows: readonly KeyRow[]): Promise<void> {
      await table.insertAll(rows);
      forget();
    },

    /**
     * Changes the given fields and returns the key as it was. 404 key.missing; 400 key.nothingToChange and, as 409,
     * those of `create`.
     */
    async update(id: string, request: KeyChange): Promise<Pick<KeyRow, "name">> {
      const before = await get(id);
      if (Object.values(request).every((value) => value === undefined)) throw new Failure("key.nothingToChange");
      const change = {
        name: request.name,
        permissions: request.permissions,
        role: request.role,
        basic_path: request.basic_path === undefined ? undefined : newBasePath(request.basic_path),
        is_guest: request.is_guest === undefined ? undefined : Number(request.is_guest),
        expires_at: editedKeyExpiry(before.expires_at, request.expires_at, clock()),
      };
      const written = await table.update(id, change, clock());
      forget();
      if (!written) throw (await conflict(id, change)) ?? new Failure("key.missing");
      return before;
    },

    ...createSuspending({ table, clock, get, forget }),

    /** Revokes the key at once and returns it as it was; its shares stay. 404 key.missing. */
    async remove(id: string): Promise<Pick<KeyRow, "name">> {
      const before = await get(id);
      const removed = await table.remove(id);
      forget();
      if (!removed) throw new Failure("key.missing");
      return before;
    },

    ...createKeyCallers({ table, clock, secrets, kept, noteUse: uses.note }),

    creators: kept.creators,

    cache: kept.cache,

    /** Writes the last uses that are still in memory. */
    close: () => uses.flush(),
  };
}

/** Returns the present caller for the owner of a record; undefined when the owner may no longer act. */
export type CallerOf = Keys["callerOf"];

export type Keys = ReturnType<typeof createKeys>;

interface SuspendingDeps {
  readonly table: Pick<KeysTable, "suspend" | "resume">;
  readonly clock: Clock;
  readonly get: (id: string) => Promise<KeyRow>;
  readonly forget: () => void;
}

/** Suspends keys and resumes them. */
function createSuspending({ table, clock, get, forget }: SuspendingDeps) {
  const change = async (id: string, write: () => Promise<boolean>): Promise<Pick<KeyRow, "name"> | undefined> => {
    const before = await get(id);
    const changed = await write();
    forget();
    return changed ? before : undefined;
  };
  return {
    /**
     * Has the key admit nobody until it is resumed; links that were made with it are closed as long. Returns its name, undefined when it
     * was suspended already. 404 key.missing.
     */
    suspend: (id: string) => change(id, () => table.suspend(id, clock())),

    /** Ends a suspension and returns the name of the key, undefined when it was not suspended. 404 key.missing. */
    resume: (id: string) => change(id, () => table.resume(id)),
  };
}

/** 400 key.characters, key.length, basePath.invalid, expiry.past. */
function newRow(request: NewKey, secrets: KeySecrets, now: number, origin?: Origin): KeyRow {
  const { id, createdAt, lastUsed } = origin ?? { id: Bun.randomUUIDv7(), createdAt: now, lastUsed: null };
  const key = newKeyText(request.custom_key);
  return {
    id,
    name: request.name,
    key_hash: secrets.hashOf(key),
    sealed_key: secrets.seal(id, key),
    permissions: request.permissions,
    role: request.role,
    basic_path: newBasePath(request.basic_path),
    is_guest: Number(request.is_guest),
    s3_access_key_id: newS3Name(),
    expires_at: newKeyExpiry(request.expires_at, now),
    suspended_at: null,
    last_used: lastUsed,
    created_at: createdAt,
    updated_at: now,
  };
}
