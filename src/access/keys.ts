import { Failure } from "#contract/failures";
import type { KeyChange, NewKey } from "#contract/keys";
import type { Database } from "../database/database.ts";
import { cacheOf } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { createLastUses } from "../lib/last-uses.ts";
import type { Log } from "../lib/log.ts";
import { Lru } from "../lib/lru.ts";
import { createSeals } from "../lib/seal.ts";
import { deriveKey, mac } from "../lib/secret.ts";
import { basePathOf, editedKeyExpiry, newKeyExpiry, newKeyText, newS3Name } from "./key-rules.ts";
import { type KeyRow, type KeyUpdate, keysTable } from "./keys-table.ts";
import type { Caller, KeyCaller } from "./principal.ts";

interface KeysRoom {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly secret: string;
}

/** An API key as the administrator sees it, with the key itself. */
export interface ApiKey extends Omit<KeyRow, "key_hash" | "sealed_key"> {
  /** Empty when what is stored of it was altered. */
  readonly key: string;
  readonly expired: boolean;
}

const MOST_KEPT = 1000;
/** Under this name the visitors' key is kept in memory; no hash looks like it, nor like an id with a word before it. */
const GUEST = "guest";

/** API keys: made and changed by the administrator, found by who calls with one. */
export function createKeys({ db, clock, log, secret }: KeysRoom) {
  const table = keysTable(db);
  const seals = createSeals(secret);
  const hashKey = deriveKey(secret, "api keys");
  /** Looking up an HMAC tells nobody by its time how much of a guess was right. */
  const hashOf = (key: string) => mac(hashKey, key).toString("base64url");
  const purposeOf = (id: string) => `api key ${id}`;
  const uses = createLastUses({ name: "uses of keys", clock, log, write: table.addUses });

  // This process is the only one that writes keys, so forgetting all of them after a change is exact.
  const kept = new Lru<string, KeyRow>(MOST_KEPT);
  let names: ReadonlyMap<string, string> | undefined;
  let changes = 0;
  const forget = () => {
    changes += 1;
    kept.clear();
    names = undefined;
  };

  const isExpired = ({ expires_at }: KeyRow) => expires_at !== null && expires_at <= clock();

  const keptOr = async (name: string, find: () => Promise<KeyRow | undefined>): Promise<KeyRow | undefined> => {
    const known = kept.get(name);
    if (known) return known;
    const before = changes;
    const found = await find();
    // What was found before a change must not be kept after it.
    if (before === changes && found) kept.set(name, found);
    return found;
  };

  /** The key as its bearer acts, unless it has expired. */
  const caller = (row: KeyRow | undefined, visitor: boolean): KeyCaller | undefined => {
    if (!row || isExpired(row)) return undefined;
    const { id, name, permissions, basic_path: basePath } = row;
    return { kind: "key", id, name, permissions, basePath, visitor };
  };

  /** As `caller`, and notes that the key was used. */
  const used = (row: KeyRow | undefined, visitor: boolean): KeyCaller | undefined => {
    const bearer = caller(row, visitor);
    if (row && bearer) uses.note(row);
    return bearer;
  };

  const shown = (row: KeyRow): ApiKey => {
    const { key_hash: _hash, sealed_key, ...rest } = row;
    return { ...rest, key: seals.open(sealed_key, purposeOf(row.id)) ?? "", expired: isExpired(row) };
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

  /** As whom the owner of a record acts now, which is no use of the key; undefined when it is gone or has expired. */
  const holder = async (id: string): Promise<KeyCaller | undefined> => {
    const row = await keptOr(`id ${id}`, () => table.find(id));
    return caller(row, row?.is_guest === 1);
  };

  return {
    /** Newest first, expired ones too. */
    async list(): Promise<ApiKey[]> {
      await uses.flush();
      return (await table.all()).map(shown);
    },

    /** 404 key.missing. */
    read: async (id: string): Promise<ApiKey> => shown(await get(id)),

    /** 400 key.characters, key.length, basePath.invalid, expiry.past; 409 key.nameTaken, key.taken, key.guestTaken. */
    async create(wish: NewKey): Promise<ApiKey> {
      const now = clock();
      const id = Bun.randomUUIDv7();
      const key = newKeyText(wish.custom_key);
      const row: KeyRow = {
        id,
        name: wish.name,
        key_hash: hashOf(key),
        sealed_key: seals.seal(key, purposeOf(id)),
        permissions: wish.permissions,
        role: wish.role,
        basic_path: basePathOf(wish.basic_path),
        is_guest: Number(wish.is_guest),
        s3_access_key_id: newS3Name(),
        expires_at: newKeyExpiry(wish.expires_at, now),
        last_used: null,
        created_at: now,
        updated_at: now,
      };
      const written = await table.insert(row);
      forget();
      if (!written) throw (await conflict(id, row)) ?? new Failure("key.taken");
      return shown(row);
    },

    /**
     * Changes what is given, keeps the rest, and answers what the key was. 404 key.missing; 400 key.nothingToChange and, as 409,
     * those of `create`.
     */
    async update(id: string, wish: KeyChange): Promise<Pick<KeyRow, "name">> {
      const before = await get(id);
      if (Object.values(wish).every((value) => value === undefined)) throw new Failure("key.nothingToChange");
      const change = {
        name: wish.name,
        permissions: wish.permissions,
        role: wish.role,
        basic_path: wish.basic_path === undefined ? undefined : basePathOf(wish.basic_path),
        is_guest: wish.is_guest === undefined ? undefined : Number(wish.is_guest),
        expires_at: editedKeyExpiry(before.expires_at, wish.expires_at, clock()),
      };
      const written = await table.update(id, change, clock());
      forget();
      if (!written) throw (await conflict(id, change)) ?? new Failure("key.missing");
      return before;
    },

    /** Stops the key at once and answers what it was; what it shared stays. 404 key.missing. */
    async remove(id: string): Promise<Pick<KeyRow, "name">> {
      const before = await get(id);
      const removed = await table.remove(id);
      forget();
      if (!removed) throw new Failure("key.missing");
      return before;
    },

    /** Who calls with this key; undefined when there is none such or it has expired. */
    async bearer(key: string): Promise<KeyCaller | undefined> {
      const hash = hashOf(key);
      return used(await keptOr(hash, () => table.findByHash(hash)), false);
    },

    /** As whom somebody without a credential acts where visitors may; undefined when the administrator made no such key. */
    visitor: async (): Promise<KeyCaller | undefined> => used(await keptOr(GUEST, table.findGuest), true),

    /** The same to look at, which is no use of the key. */
    visitors: async (): Promise<KeyCaller | undefined> => caller(await keptOr(GUEST, table.findGuest), true),

    /** As whom somebody acts now whom a record names; undefined when that is no more. */
    callerOf: async (owner: string): Promise<Caller | undefined> =>
      owner === "admin" ? { kind: "admin", sessionId: null } : await holder(owner.replace(/^apikey:/, "")),

    /** Tells the name of the key that a record was created by; undefined for others and for deleted keys. */
    async creators(): Promise<(createdBy: string) => string | undefined> {
      const before = changes;
      const known = names ?? new Map((await table.names()).map(({ id, name }) => [id, name]));
      if (before === changes) names = known;
      return (createdBy) => known.get(createdBy.replace(/^apikey:/, ""));
    },

    cache: cacheOf("keys", kept),

    /** Writes what is only noted in memory so far. */
    close: () => uses.flush(),
  };
}

export type Keys = ReturnType<typeof createKeys>;
