import { createHash } from "node:crypto";
import { MIN_S3_SECRET_CHARACTERS } from "#contract/limits";
import type { Clock } from "../lib/clock.ts";
import type { KeptKeys } from "./kept-keys.ts";
import type { KeySecrets } from "./key-secrets.ts";
import type { KeyRow, KeysTable } from "./keys-table.ts";
import type { Caller, KeyCaller } from "./principal.ts";

/** Who signs S3 requests. */
interface Signer {
  readonly secret: string;
  readonly caller: KeyCaller;
}

/** The cache entry of the visitors' key. No hash and no id looks like it. */
const GUEST = "guest";

interface KeyCallersDeps {
  readonly table: KeysTable;
  readonly clock: Clock;
  readonly secrets: KeySecrets;
  readonly kept: Pick<KeptKeys, "getOr">;
  readonly noteUse: (row: KeyRow) => void;
}

/** Finds callers by their keys, and the present callers for the owners of records. */
export function createKeyCallers({ table, clock, secrets, kept, noteUse }: KeyCallersDeps) {
  /** Returns the caller that a key identifies; undefined when the key has expired or is suspended. */
  const caller = (row: KeyRow | undefined, visitor: boolean): KeyCaller | undefined => {
    if (!row || !isValid(row, clock())) return undefined;
    const { id, name, permissions, basic_path: basePath } = row;
    return { kind: "key", id, name, permissions, basePath, isVisitor: visitor };
  };

  /** Like `caller`, and notes the use of the key. */
  const used = (row: KeyRow | undefined, visitor: boolean): KeyCaller | undefined => {
    const bearer = caller(row, visitor);
    if (row && bearer) noteUse(row);
    return bearer;
  };

  const idOf = (owner: string): string => owner.replace(/^apikey:/, "");

  /** Returns the present caller for the owner of a record without noting a use; undefined when the key is gone or admits nobody. */
  const holder = async (id: string): Promise<KeyCaller | undefined> => {
    const row = await kept.getOr(`id ${id}`, () => table.find(id));
    return caller(row, row?.is_guest === 1);
  };

  return {
    /** Returns the caller with this key; undefined when no such key exists, or it has expired or is suspended. */
    async bearer(key: string): Promise<KeyCaller | undefined> {
      const hash = secrets.hashOf(key);
      return used(await kept.getOr(hash, () => table.findByHash(hash)), false);
    },

    /**
     * Returns who signs S3 requests under an access key id, and the key itself, which is the secret; undefined for none, one that has
     * expired or is suspended, and one that is too short to sign with: a signature lets anybody try keys on machines of their own.
     */
    async signer(s3Name: string): Promise<Signer | undefined> {
      const row = await kept.getOr(`s3 ${s3Name}`, () => table.findByS3Name(s3Name));
      const secret = row && secrets.open(row);
      const bearer = secret && secret.length >= MIN_S3_SECRET_CHARACTERS ? used(row, false) : undefined;
      return secret !== undefined && bearer ? { secret, caller: bearer } : undefined;
    },

    /** Returns the caller for requests without a credential, where visitors may call; undefined without a visitors' key that admits them. */
    visitor: async (): Promise<KeyCaller | undefined> => used(await kept.getOr(GUEST, table.findGuest), true),

    /** Like `visitor`, without noting a use of the key. */
    visitors: async (): Promise<KeyCaller | undefined> => caller(await kept.getOr(GUEST, table.findGuest), true),

    /** Returns the present caller for the owner that a record names; undefined when the owner is gone. */
    callerOf: async (owner: string): Promise<Caller | undefined> =>
      owner === "admin" ? { kind: "admin", sessionId: null } : await holder(idOf(owner)),

    /** A text that changes with every edit of the key that a record names; undefined when it is gone or admits nobody. */
    async epoch(owner: string): Promise<string | undefined> {
      const row = await kept.getOr(`id ${idOf(owner)}`, () => table.find(idOf(owner)));
      return row && isValid(row, clock()) ? epochOf(row) : undefined;
    },

    /** A text that changes with the value of the key that a record names, and reveals nothing of it; undefined as for `epoch`. */
    async credential(owner: string): Promise<string | undefined> {
      const row = await kept.getOr(`id ${idOf(owner)}`, () => table.find(idOf(owner)));
      return row && isValid(row, clock()) ? createHash("sha256").update(row.key_hash).digest("base64url") : undefined;
    },
  };
}

/** Reports whether a key has expired. */
export const isExpired = ({ expires_at }: Pick<KeyRow, "expires_at">, now: number): boolean =>
  expires_at !== null && expires_at <= now;

/** Reports whether a key admits whoever has it: it has not expired and is not suspended. */
const isValid = (row: KeyRow, now: number): boolean => !isExpired(row, now) && row.suspended_at === null;

/** The edited fields are part of it, because two edits may fall within one millisecond. */
function epochOf({ key_hash, permissions, basic_path, is_guest, expires_at, updated_at }: KeyRow): string {
  const fields = [key_hash, permissions, basic_path, is_guest, expires_at, updated_at];
  return createHash("sha256").update(JSON.stringify(fields)).digest("base64url");
}
