/** Letters and digits that nobody takes for one another when they are read out. */
const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";
const GROUPS = 4;
const GROUP = 4;

/**
 * Four groups of four letters by which two people tell that they have the same recipient (`age1...`): eighty bits of its SHA-256, so that
 * nobody finds another one with the same letters.
 */
export async function fingerprintOf(recipient: string): Promise<readonly string[]> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(recipient)));
  const letters = Array.from(digest.subarray(0, GROUPS * GROUP), (byte) => LETTERS[byte % LETTERS.length]).join("");
  return Array.from({ length: GROUPS }, (_, place) => letters.slice(place * GROUP, (place + 1) * GROUP));
}
