import { CryptoHasher } from "bun";

/** A public key of minisign. */
interface PublicKey {
  /** Hexadecimal digits by which people tell keys apart. */
  readonly id: string;
  readonly key: Uint8Array<ArrayBuffer>;
}

const [ALGORITHM, ID, KEY, SIGNATURE] = [2, 8, 32, 64];

/** Reads a key as minisign writes it: a line of comment, then the key in base64; the second line alone will do. Throws a sentence for others. */
export function readPublicKey(text: string): PublicKey {
  const line = text.trim().split(/\r?\n/).at(-1) ?? "";
  const bytes = fromBase64(line);
  if (bytes?.length !== ALGORITHM + ID + KEY || algorithmOf(bytes) !== "Ed")
    throw new Error("The public key is none of minisign.");
  return { id: idOf(bytes), key: bytes.subarray(ALGORITHM + ID) };
}

/**
 * Checks the signature of minisign over a text, hashed beforehand or not, and the one over the comment in it. Returns that comment. Throws a
 * sentence when one of them is not of this key.
 */
export async function verifySignature(signed: Uint8Array<ArrayBuffer>, text: string, key: PublicKey): Promise<string> {
  const [, main = "", comment = "", global = ""] = text.split(/\r?\n/);
  const bytes = fromBase64(main);
  const whole = fromBase64(global);
  const algorithm = bytes && algorithmOf(bytes);
  const isWhole = bytes?.length === ALGORITHM + ID + SIGNATURE && whole?.length === SIGNATURE;
  if (!isWhole || !comment.startsWith(COMMENT) || (algorithm !== "Ed" && algorithm !== "ED"))
    throw new Error("The signature is none of minisign.");
  if (idOf(bytes) !== key.id)
    throw new Error(`The signature is of the key ${idOf(bytes)}, and releases are signed with ${key.id}.`);
  const signature = bytes.subarray(ALGORITHM + ID);
  const message = algorithm === "ED" ? hash(signed) : signed;
  const trusted = comment.slice(COMMENT.length);
  const checks = await Promise.all([
    isSignedBy(key, signature, message),
    isSignedBy(key, whole, Buffer.concat([signature, Buffer.from(trusted)])),
  ]);
  if (checks.includes(false)) throw new Error("The signature is wrong: what it signs was changed since.");
  return trusted;
}

const COMMENT = "trusted comment: ";

const hash = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
  const digest = new CryptoHasher("blake2b512").update(bytes).digest();
  return new Uint8Array(digest);
};

async function isSignedBy(
  { key }: PublicKey,
  signature: Uint8Array<ArrayBuffer>,
  message: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const imported = await crypto.subtle.importKey("raw", key, "Ed25519", false, ["verify"]);
  return crypto.subtle.verify("Ed25519", imported, signature, message);
}

const algorithmOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes.subarray(0, ALGORITHM));

/** minisign writes the number of a key with its last byte first. */
const idOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.slice(ALGORITHM, ALGORITHM + ID).reverse())
    .toString("hex")
    .toUpperCase();

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  return Uint8Array.from(Buffer.from(text, "base64"));
}
