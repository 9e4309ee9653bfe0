import { Failure } from "#contract/failures";
import { MAX_SEALED_KEYS } from "#contract/limits";
import type { NewSealedKey } from "#contract/sealed-keys";
import { type Caller, ownerName } from "../access/principal.ts";
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { type SealedKeyRow, sealedKeysTable } from "./sealed-keys-table.ts";

/** Keys that open what was sealed for links: each sealed to a passkey, and for its owner alone, not even the administrator. */
export function createSealedKeys(db: Database, clock: Clock) {
  const table = sealedKeysTable(db);
  return {
    list: (caller: Caller) => table.of(ownerName(caller)),

    /** 409 sealed.tooManyKeys. */
    async create(caller: Caller, key: NewSealedKey): Promise<SealedKeyRow> {
      const row = { ...key, id: Bun.randomUUIDv7(), owner: ownerName(caller), created_at: clock() };
      if (!(await table.insert(row))) throw new Failure("sealed.tooManyKeys", { limit: MAX_SEALED_KEYS });
      return row;
    },

    /** 404 sealed.keyMissing, also for somebody else's. */
    async remove(caller: Caller, id: string): Promise<void> {
      if (!(await table.remove(ownerName(caller), id))) throw new Failure("sealed.keyMissing");
    },

    sweep: table.sweep,
  };
}
