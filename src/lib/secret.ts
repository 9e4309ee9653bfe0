import { createHmac, hkdfSync, randomBytes, randomInt, timingSafeEqual } from "node:crypto";

/** A 256-bit key for one purpose, derived from the server's secret (HKDF-SHA256, RFC 5869). */
export const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "satchel", purpose, 32));

/** HMAC-SHA256 of a text. */
export const mac = (key: Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** Whether two texts are equal, in time that does not tell where they differ. */
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
