import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from "node:crypto";

/** A 256-bit key for one purpose, derived from the server's secret (HKDF-SHA256, RFC 5869). */
export const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "satchel", purpose, 32));

/** HMAC-SHA256 of a text. */
export const mac = (key: Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** Reports whether two texts are equal, in constant time. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** A random token of `bytes` bytes, safe in URLs. */
export const randomToken = (bytes: number): string => randomBytes(bytes).toString("base64url");

/** Random characters of an alphabet, each as likely as any other. */
export const randomText = (alphabet: string, characters: number): string =>
  Array.from({ length: characters }, () => alphabet[randomInt(alphabet.length)]).join("");

/** Keeps texts so that only this server can read them, and only for what they were sealed for. */
interface Seals {
  /** The same text looks different each time. */
  seal(text: string, purpose: string): string;
  /** The text; undefined when it was not sealed here, not for this purpose, or was altered. */
  open(sealed: string, purpose: string): string | undefined;
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals with AES-256-GCM (NIST SP 800-38D) under a key derived from the server's secret. The purpose is authenticated,
 * so that one sealed value cannot replace another.
 */
export function createSeals(secret: string): Seals {
  const key = deriveKey(secret, "sealing");

  return {
    seal(text, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(purpose));
      const body = [cipher.update(text, "utf8"), cipher.final()];
      return Buffer.concat([nonce, cipher.getAuthTag(), ...body]).toString("base64url");
    },
    open(sealed, purpose) {
      const bytes = Buffer.from(sealed, "base64url");
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString("utf8");
      } catch {
        return undefined;
      }
    },
  };
}
