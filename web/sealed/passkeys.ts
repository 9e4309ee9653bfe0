import { Decrypter, Encrypter, webauthn } from "age-encryption";
import type { NewSealedKey } from "#contract/sealed-keys";
import { isIdentity, recipientOf } from "./locks.ts";

/**
 * Secret keys that passkeys seal: small age files, whose stanza is that of age's own plugin (fido2prf). What a passkey answers never leaves the
 * browser, and nobody makes such a file without it.
 */

type PasskeyCode =
  /** Somebody said no, took too long, or has not this passkey here. */
  | "cancelled"
  /** The browser, or where it keeps passkeys, encrypts with none (PRF). */
  | "unable"
  /** It was made where this server had another name. */
  | "otherHost"
  /** What was kept is not what this passkey has sealed. */
  | "unfit"
  /** It opens, and the public key beside it is another's. */
  | "swapped";

/** Why a passkey has not sealed or opened a key. */
export class PasskeyFailure extends Error {
  readonly code: PasskeyCode;
  constructor(code: PasskeyCode) {
    super(code);
    this.name = "PasskeyFailure";
    this.code = code;
  }
}

/** Whether this page may ask for passkeys that encrypt. Some browsers say so only once one is made. */
export async function hasPasskeys(): Promise<boolean> {
  // Passkeys belong to names: a server that is reached by its number has none.
  if (globalThis.PublicKeyCredential === undefined || /^[\d.]+$|:/.test(location.hostname)) return false;
  const { getClientCapabilities } = PublicKeyCredential as Partial<typeof PublicKeyCredential>;
  if (getClientCapabilities === undefined) return true;
  return (await getClientCapabilities.call(PublicKeyCredential))["extension:prf"] !== false;
}

/** Makes a passkey that encrypts. Throws a PasskeyFailure. */
export const newPasskey = (keyName: string): Promise<string> => asking(() => webauthn.createCredential({ keyName }));

/** Seals a secret key to a passkey, in base64. Throws a PasskeyFailure. */
export async function sealToPasskey(identity: string, passkey: string): Promise<string> {
  const recipient = new webauthn.WebAuthnRecipient({ identity: passkey });
  const encrypter = new Encrypter();
  encrypter.addRecipient({ wrapFileKey: (fileKey) => asking(() => recipient.wrapFileKey(fileKey)) });
  return (await encrypter.encrypt(identity)).toBase64();
}

/** Opens a kept key, and makes sure that it is the one whose public key stands beside it. Throws a PasskeyFailure. */
export async function openWithPasskey({ recipient, passkey, sealed }: NewSealedKey): Promise<string> {
  const identity = await openedBy(passkey, sealed);
  if (!isIdentity(identity)) throw new PasskeyFailure("unfit");
  if ((await recipientOf(identity)) !== recipient) throw new PasskeyFailure("swapped");
  return identity;
}

async function openedBy(passkey: string, sealed: string): Promise<string> {
  try {
    const holder = new webauthn.WebAuthnIdentity({ identity: passkey });
    const decrypter = new Decrypter();
    decrypter.addIdentity({ unwrapFileKey: (stanzas) => asking(() => holder.unwrapFileKey(stanzas)) });
    return await decrypter.decrypt(Uint8Array.fromBase64(sealed), "text");
  } catch (error) {
    // The library and the browser say in their own words what is wrong with the text that was kept.
    throw error instanceof PasskeyFailure ? error : new PasskeyFailure("unfit");
  }
}

/** Asks the browser, and says in our words why it refuses. */
async function asking<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    const name = error instanceof DOMException ? error.name : "";
    if (name === "NotAllowedError" || name === "AbortError") throw new PasskeyFailure("cancelled");
    throw new PasskeyFailure(name === "SecurityError" ? "otherHost" : "unable");
  }
}
