import { chacha20poly1305 } from "@noble/ciphers/chacha.js";
import { scrypt } from "@noble/hashes/scrypt.js";
import { Stanza } from "age-encryption";

/** The base-2 logarithm of the work of one guess when something is sealed: half a second, 64 MiB. */
const WORK_FACTOR = 16;
/** Of the work that is done for a file of others: more would hold a phone for minutes and take gigabytes. */
export const MAX_WORK_FACTOR = 20;

const LABEL = new TextEncoder().encode("age-encryption.org/v1/scrypt");
const SALT_BYTES = 16;

const unpadded = (bytes: Uint8Array): string => bytes.toBase64({ omitPadding: true });

/**
 * A file key under a password, as age's scrypt recipient writes it. The library's own can be told no work to do without keeping the file key
 * to itself, which costs the same work again to be had.
 */
export function passwordStanza(fileKey: Uint8Array, password: string): Stanza {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const salted = new Uint8Array([...LABEL, ...salt]);
  const key = scrypt(password, salted, { N: 2 ** WORK_FACTOR, r: 8, p: 1, dkLen: 32 });
  // The key is this file key's alone, so its nonce may be always the same.
  const body = chacha20poly1305(key, new Uint8Array(12)).encrypt(fileKey);
  return new Stanza(["scrypt", unpadded(salt), String(WORK_FACTOR)], body);
}
