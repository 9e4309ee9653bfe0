import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";

/** What something is sealed with. */
export type Lock = { readonly identity: string } | { readonly recipient: string } | { readonly password: string };

/** What something is opened with. A file key opens the one file whose it is (`SealedNames`), and is no secret of its reader. */
export type Key = { readonly identity: string } | { readonly password: string } | { readonly fileKey: Uint8Array };

/** Reports whether this page can seal and open: browsers leave WebCrypto away where a page came over plain http. */
export const canSeal = (): boolean => globalThis.crypto?.subtle !== undefined;

/** Makes a secret key: `AGE-SECRET-KEY-1...`. */
export const newIdentity = (): Promise<string> => generateX25519Identity();

/** The public key of a secret key: `age1...`. */
export const recipientOf = (identity: string): Promise<string> => identityToRecipient(identity);

/** X25519 alone, which each version of age knows: their letters are those of Bech32, 32 bytes and a sum. */
const identityShape = /^AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}$/;
const recipientShape = /^age1[02-9ac-hj-np-z]{58}$/;

/** Reports whether a text is a secret key, its sum right. */
export const isIdentity = (text: string): boolean =>
  identityShape.test(text) && isTaken(() => new Decrypter().addIdentity(text));

/** Reports whether a text is a public key, its sum right. */
export const isRecipient = (text: string): boolean =>
  recipientShape.test(text) && isTaken(() => new Encrypter().addRecipient(text));

/** The library says only by throwing that a key is none. */
function isTaken(give: () => void): boolean {
  try {
    give();
    return true;
  } catch {
    return false;
  }
}
