import { unshared } from "./bytes.ts";
import { type ChunkCipher, nativeCipher } from "./chunks.ts";
import { offThread } from "./off-thread.ts";
import { runTasks } from "./run-tasks.ts";

const PAYLOAD = new TextEncoder().encode("payload");

/** What seals and opens the content of one file. */
export async function payloadCipher(fileKey: Uint8Array, nonce: Uint8Array): Promise<ChunkCipher> {
  const secret = await crypto.subtle.importKey("raw", unshared(fileKey), "HKDF", false, ["deriveBits"]);
  const derived = { name: "HKDF", hash: "SHA-256", salt: unshared(nonce), info: PAYLOAD };
  const key = new Uint8Array(await crypto.subtle.deriveBits(derived, secret, 256));
  const native = await nativeKey(key);
  if (native) return nativeCipher(native);
  return {
    seal: (run) => (offThread ?? runTasks).seal(key, run),
    open: (run) => (offThread ?? runTasks).open(key, run),
  };
}

/** A key for the browser's own ChaCha20-Poly1305; undefined where there is none, which older ones tell in many ways. */
async function nativeKey(key: Uint8Array<ArrayBuffer>): Promise<CryptoKey | undefined> {
  try {
    // The types know formats of keys that are older than this one.
    const format = "raw-secret" as "raw";
    return await crypto.subtle.importKey(format, key, "ChaCha20-Poly1305", false, ["encrypt", "decrypt"]);
  } catch {
    return undefined;
  }
}
