import { createSeals, deriveKey, mac } from "../lib/secret.ts";
import type { KeyRow } from "./keys-table.ts";

/** Hashes keys, to find them by, and seals them for the administrator who copies one. */
export function createKeySecrets(secret: string) {
  const seals = createSeals(secret);
  const hashKey = deriveKey(secret, "api keys");
  const purposeOf = (id: string) => `api key ${id}`;

  return {
    /** The time to look up an HMAC does not reveal how much of a guess was right. */
    hashOf: (key: string): string => mac(hashKey, key).toString("base64url"),

    seal: (id: string, key: string): string => seals.seal(key, purposeOf(id)),

    /** The key itself; undefined if the stored value was altered. */
    open: ({ id, sealed_key }: Pick<KeyRow, "id" | "sealed_key">) => seals.open(sealed_key, purposeOf(id)),
  };
}

export type KeySecrets = ReturnType<typeof createKeySecrets>;
