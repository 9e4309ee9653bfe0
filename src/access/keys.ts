import { createHash } from "node:crypto";
import { Failure } from "#contract/failures";
import { basePathOf, keyProblem } from "#contract/key-rules";
import { type KeyChange, NEVER, type NewKey } from "#contract/keys";
import { GENERATED_KEY_CHARACTERS, KEY_LIFE, MIN_S3_SECRET_CHARACTERS } from "#contract/limits";
import type { Cluster } from "../cluster/cluster.ts";
import type { Database } from "../database/database.ts";
import { cacheOf, Lru } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { createSeals, deriveKey, mac, randomText } from "../lib/secret.ts";
import { createSnapshot } from "../lib/snapshot.ts";
import { createLastUses } from "../lib/write-behind.ts";
import { type KeyRow, type KeyUpdate, keysTable } from "./keys-table.ts";
import type { Caller, KeyCaller } from "./principal.ts";

interface KeysDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly secret: string;
  readonly cluster: Pick<Cluster, "follow">;
}

/** An API key as the administrator sees it, with the key itself. */
export interface ApiKey extends Omit<KeyRow, "key_hash" | "sealed_key"> {
  /** Empty if the stored value was altered. */
  readonly key: string;
  readonly expired: boolean;
}

/** Who signs S3 requests. */
interface Signer {
  readonly secret: string;
  readonly caller: KeyCaller;
}

const MAX_KEPT = 1000;
/** The cache entry of the visitors' key. No hash and no id looks like it. */
const GUEST = "guest";

/** Opens the API keys. The administrator creates and changes them, and callers are found by them. */
export function createKeys({ db, clock, log, secret, cluster }: KeysDeps) {
  const table = keysTable(db);
  const seals = createSeals(secret);
  const hashKey = deriveKey(secret, "api keys");
  /** The time to look up an HMAC does not reveal how much of a guess was right. */
  const hashOf = (key: string) => mac(hashKey, key).toString("base64url");
  const purposeOf = (id: string) => `api key ${id}`;
  const uses = createLastUses({ name: "uses of keys", clock, log, write: table.addUses });

  // Other servers tell of their changes, so forgetting all of them after one is exact.
  const kept = new Lru<string, KeyRow>(MAX_KEPT);
  const names = createSnapshot(async () => new Map((await table.names()).map(({ id, name }) => [id, name])));
  let changes = 0;
  const forget = () => {
    changes += 1;
    kept.clear();
    names.forget();
  };
  cluster.follow("keys", forget);

  const isExpired = ({ expires_at }: KeyRow) => expires_at !== null && expires_at <= clock();

  const keptOr = async (name: string, find: () => Promise<KeyRow | undefined>): Promise<KeyRow | undefined> => {
    const known = kept.get(name);
    if (known) return known;
    const before = changes;
    const found = await find();
    // A key found before a change must not be cached after it.
    if (before === changes && found) kept.set(name, found);
    return found;
  };

  /** Returns the caller that a key identifies; undefined when the key has expired. */
  const caller = (row: KeyRow | undefined, visitor: boolean): KeyCaller | undefined => {
    if (!row || isExpired(row)) return undefined;
    const { id, name, permissions, basic_path: basePath } = row;
    return { kind: "key", id, name, permissions, basePath, visitor };
  };

  /** Like `caller`, and notes the use of the key. */
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

  const idOf = (owner: string): string => owner.replace(/^apikey:/, "");

  /** Returns the present caller for the owner of a record without noting a use; undefined when the key is gone or has expired. */
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

    count: table.count,

    /** Those that expire within so many milliseconds, the first to do so first. */
    expiring: (within: number, limit: number) => table.expiring(clock(), clock() + within, limit),

    /** 404 key.missing. */
    read: async (id: string): Promise<ApiKey> => shown(await get(id)),

    /** 400 key.characters, key.length, basePath.invalid, expiry.past; 409 key.nameTaken, key.taken, key.guestTaken. */
    async create(request: NewKey): Promise<ApiKey> {
      const now = clock();
      const id = Bun.randomUUIDv7();
      const key = newKeyText(request.custom_key);
      const row: KeyRow = {
        id,
        name: request.name,
        key_hash: hashOf(key),
        sealed_key: seals.seal(key, purposeOf(id)),
        permissions: request.permissions,
        role: request.role,
        basic_path: newBasePath(request.basic_path),
        is_guest: Number(request.is_guest),
        s3_access_key_id: newS3Name(),
        expires_at: newKeyExpiry(request.expires_at, now),
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

    /** Revokes the key at once and returns it as it was; its shares stay. 404 key.missing. */
    async remove(id: string): Promise<Pick<KeyRow, "name">> {
      const before = await get(id);
      const removed = await table.remove(id);
      forget();
      if (!removed) throw new Failure("key.missing");
      return before;
    },

    /** Returns the caller with this key; undefined when no such key exists or it has expired. */
    async bearer(key: string): Promise<KeyCaller | undefined> {
      const hash = hashOf(key);
      return used(await keptOr(hash, () => table.findByHash(hash)), false);
    },

    /**
     * Returns who signs S3 requests under an access key id, and the key itself, which is the secret; undefined for none, one that has
     * expired, and one that is too short to sign with: a signature lets anybody try keys on machines of their own.
     */
    async signer(s3Name: string): Promise<Signer | undefined> {
      const row = await keptOr(`s3 ${s3Name}`, () => table.findByS3Name(s3Name));
      const secret = row && seals.open(row.sealed_key, purposeOf(row.id));
      const bearer = secret && secret.length >= MIN_S3_SECRET_CHARACTERS ? used(row, false) : undefined;
      return secret !== undefined && bearer ? { secret, caller: bearer } : undefined;
    },

    /** Returns the caller for requests without a credential, where visitors may call; undefined without a visitors' key. */
    visitor: async (): Promise<KeyCaller | undefined> => used(await keptOr(GUEST, table.findGuest), true),

    /** Like `visitor`, without noting a use of the key. */
    visitors: async (): Promise<KeyCaller | undefined> => caller(await keptOr(GUEST, table.findGuest), true),

    /** Returns the present caller for the owner that a record names; undefined when the owner is gone. */
    callerOf: async (owner: string): Promise<Caller | undefined> =>
      owner === "admin" ? { kind: "admin", sessionId: null } : await holder(idOf(owner)),

    /** A text that changes with every edit of the key that a record names; undefined when it is gone or has expired. */
    async epoch(owner: string): Promise<string | undefined> {
      const row = await keptOr(`id ${idOf(owner)}`, () => table.find(idOf(owner)));
      return row && !isExpired(row) ? epochOf(row) : undefined;
    },

    /** A text that changes with the value of the key that a record names, and reveals nothing of it; undefined as for `epoch`. */
    async credential(owner: string): Promise<string | undefined> {
      const row = await keptOr(`id ${idOf(owner)}`, () => table.find(idOf(owner)));
      return row && !isExpired(row) ? createHash("sha256").update(row.key_hash).digest("base64url") : undefined;
    },

    /** Returns the function that finds the name of the key that created a record; undefined for other owners and deleted keys. */
    async creators(): Promise<(createdBy: string) => string | undefined> {
      const known = await names.get();
      return (createdBy) => known.get(createdBy.replace(/^apikey:/, ""));
    },

    cache: cacheOf("keys", kept),

    /** Writes the last uses that are still in memory. */
    close: () => uses.flush(),
  };
}

/** The edited fields are part of it, because two edits may fall within one millisecond. */
function epochOf({ key_hash, permissions, basic_path, is_guest, expires_at, updated_at }: KeyRow): string {
  const fields = [key_hash, permissions, basic_path, is_guest, expires_at, updated_at];
  return createHash("sha256").update(JSON.stringify(fields)).digest("base64url");
}

/** Returns the present caller for the owner of a record; undefined when the owner may no longer act. */
export type CallerOf = Keys["callerOf"];

export type Keys = ReturnType<typeof createKeys>;

const CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS = "0123456789";
const S3_NAME_CHARACTERS = 20;

/** Returns the chosen key, or a generated one without a choice. 400 key.length, key.characters. */
function newKeyText(chosen: string | null | undefined): string {
  if (!chosen) return randomText(CAPITALS + CAPITALS.toLowerCase() + DIGITS, GENERATED_KEY_CHARACTERS);
  const problem = keyProblem(chosen);
  if (problem) throw new Failure(problem);
  return chosen;
}

/** Returns a random access key id for S3 requests, in the shape that S3 tools expect. */
const newS3Name = (): string => randomText(CAPITALS + DIGITS, S3_NAME_CHARACTERS);

/** 400 basePath.invalid. */
function newBasePath(path: string): string {
  const clean = basePathOf(path);
  if (clean === undefined) throw new Failure("basePath.invalid");
  return clean;
}

/** When a new key expires; null is never, undefined a day from now. 400 expiry.past. */
function newKeyExpiry(expiresAt: string | null | undefined, now: number): number | null {
  if (expiresAt === undefined) return now + KEY_LIFE;
  if (expiresAt === null || Date.parse(expiresAt) >= Date.parse(NEVER)) return null;
  const instant = Date.parse(expiresAt);
  if (instant <= now) throw new Failure("expiry.past");
  return instant;
}

/** When an edited key expires: a form sends the old expiry back, which is no new one even when it has passed. */
function editedKeyExpiry(
  before: number | null,
  expiresAt: string | null | undefined,
  now: number,
): number | null | undefined {
  if (expiresAt === undefined) return undefined;
  if (expiresAt !== null && Date.parse(expiresAt) === before) return before;
  return newKeyExpiry(expiresAt, now);
}
