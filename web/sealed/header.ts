import { Decrypter, Encrypter, type Identity, type Recipient, type Stanza } from "age-encryption";
import { SealedFailure } from "./failures.ts";
import { isIdentity, type Key, type Lock, recipientOf } from "./locks.ts";
import { MAX_WORK_FACTOR, passwordStanza } from "./password-stanza.ts";

/** The most that is read of a file to find its header's end. */
export const MAX_HEADER_BYTES = 64 * 1024;
const MAX_STANZAS = 16;

const VERSION_LINE = "age-encryption.org/v1\n";
const STANZA = "\n-> ";
const LAST_LINE = "\n--- ";

/** The header of a new file and the file's key. */
interface NewHeader {
  readonly header: Uint8Array<ArrayBuffer>;
  readonly fileKey: Uint8Array<ArrayBuffer>;
}

/** Makes the header of a file that is to be sealed. With a password this is hard work, which `off-thread.ts` has done elsewhere. */
export async function newHeader(lock: Lock): Promise<NewHeader> {
  const encrypter = new Encrypter();
  let fileKey: Uint8Array<ArrayBuffer> | undefined;
  // The library tells file keys to recipients alone: this one reads it, and adds nothing to the header.
  const keyReader: Recipient = {
    wrapFileKey(key) {
      fileKey = new Uint8Array(key);
      return [];
    },
  };
  encrypter.addRecipient(keyReader);
  if ("password" in lock) encrypter.addRecipient({ wrapFileKey: (key) => [passwordStanza(key, lock.password)] });
  else encrypter.addRecipient("recipient" in lock ? lock.recipient : await recipientOf(lock.identity));
  const nothing = await encrypter.encrypt(new Uint8Array());
  const end = headerEnd(nothing);
  if (fileKey === undefined || end === undefined) throw new Error("The library has written no header.");
  return { header: nothing.slice(0, end), fileKey };
}

/**
 * Where the header at the beginning of these bytes ends; undefined where they are too few to say. It is measured before anything in it is
 * read: a hostile one is as long as its writer likes.
 */
export function headerEnd(bytes: Uint8Array): number | undefined {
  // Each byte becomes one letter, so places in the text are places in the file.
  const text = Array.from(chunksOf(bytes.subarray(0, MAX_HEADER_BYTES)), (some) => String.fromCharCode(...some)).join(
    "",
  );
  if (!text.startsWith(VERSION_LINE.slice(0, text.length))) throw new SealedFailure("notAge");
  const last = text.indexOf(LAST_LINE);
  const stanzas = text.slice(0, last === -1 ? undefined : last).split(STANZA).length - 1;
  const end = last === -1 ? -1 : text.indexOf("\n", last + 1);
  if (stanzas > MAX_STANZAS) throw new SealedFailure("tooManyStanzas");
  if (end !== -1) return end + 1;
  if (bytes.length >= MAX_HEADER_BYTES) throw new SealedFailure("tooManyStanzas");
  return undefined;
}

function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 4096) yield bytes.subarray(at, at + 4096);
}

/** Finds the file key in a header that `headerEnd` has measured. The header proves by the file key that it is whole and of this file. */
export async function fileKeyOf(header: Uint8Array, key: Key): Promise<Uint8Array<ArrayBuffer>> {
  // One that was mistyped or cut short is a wrong key like any other, to who has typed it.
  if ("identity" in key && !isIdentity(key.identity)) throw new SealedFailure("wrongKey");
  const decrypter = new Decrypter();
  decrypter.addIdentity({ unwrapFileKey: (stanzas) => checked(stanzas, key) });
  if ("password" in key) decrypter.addPassphrase(key.password);
  else decrypter.addIdentity("fileKey" in key ? { unwrapFileKey: () => key.fileKey } : key.identity);
  decrypter.addIdentity(nobody);
  try {
    return new Uint8Array(await decrypter.decryptHeader(header));
  } catch (error) {
    throw error instanceof SealedFailure ? error : new SealedFailure("damaged");
  }
}

/** Is asked before any key is tried. */
function checked(stanzas: readonly Stanza[], key: Key): null {
  const scrypt = stanzas.filter(({ args }) => args[0] === "scrypt");
  // A file under a password is for nobody else: who knows the password knows then who has written it.
  if (scrypt.length > 0 && stanzas.length > 1) throw new SealedFailure("damaged");
  const work = scrypt[0]?.args[2] ?? "";
  if ("password" in key && /^[1-9]\d*$/.test(work) && Number(work) > MAX_WORK_FACTOR)
    throw new SealedFailure("tooMuchWork");
  return null;
}

/** Is asked when no key has opened any stanza. */
const nobody: Identity = {
  unwrapFileKey() {
    throw new SealedFailure("wrongKey");
  },
};
