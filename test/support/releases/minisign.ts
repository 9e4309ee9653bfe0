import { CryptoHasher } from "bun";

/** A pair of keys as minisign has it, made for a test. */
export interface TestKey {
  /** The text of the file with the public key. */
  readonly public: string;
  /** The text of a signature; over the text itself, or over its hash as minisign does today. */
  sign(signed: Uint8Array<ArrayBuffer>, comment?: string, algorithm?: "ED" | "Ed"): Promise<string>;
}

/** Makes a pair of keys. */
export async function makeTestKey(): Promise<TestKey> {
  const { publicKey, privateKey } = (await crypto.subtle.generateKey("Ed25519", true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const id = crypto.getRandomValues(new Uint8Array(8));
  const raw = new Uint8Array(await crypto.subtle.exportKey("raw", publicKey));
  const base64 = (...parts: (Uint8Array | string)[]) =>
    Buffer.concat(parts.map((part) => Buffer.from(part as string))).toString("base64");
  const signOver = async (bytes: Uint8Array<ArrayBuffer>) =>
    new Uint8Array(await crypto.subtle.sign("Ed25519", privateKey, bytes));
  return {
    public: `untrusted comment: minisign public key\n${base64("Ed", id, raw)}\n`,
    async sign(signed, comment = "satchel", algorithm = "ED") {
      const hash = new Uint8Array(new CryptoHasher("blake2b512").update(signed).digest());
      const signature = await signOver(algorithm === "ED" ? hash : signed);
      const whole = await signOver(new Uint8Array(Buffer.concat([signature, Buffer.from(comment)])));
      return `untrusted comment: of a test\n${base64(algorithm, id, signature)}\ntrusted comment: ${comment}\n${base64(whole)}\n`;
    },
  };
}
