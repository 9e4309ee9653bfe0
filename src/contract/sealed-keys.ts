import { endpoint } from "./endpoint.ts";
import { done } from "./fields.ts";
import { MAX_PASSKEY_CHARACTERS, MAX_SEALED_KEY_CHARACTERS } from "./limits.ts";
import * as z from "./schemas.ts";
import { AGE, recipientField } from "./upload-fields.ts";

/**
 * Keys that open what was sealed for links of their owner (docs/sealed.md). Each is kept as an age file that only a passkey opens: the
 * server cannot read it, and answers it to its owner alone.
 */

/** What age's plugin for passkeys calls one: its id, its host and how it is reached, in Bech32. */
const passkeyField = z.string().check(
  z.maxLength(MAX_PASSKEY_CHARACTERS),
  z.refine((text) => /^AGE-PLUGIN-FIDO2PRF-1[02-9AC-HJ-NP-Z]+$/.test(text)),
);

/** The secret key as an age file, in base64. */
const sealedField = z.string().check(
  z.maxLength(MAX_SEALED_KEY_CHARACTERS),
  z.refine((text) => text.startsWith(AGE) && /^[\w+/]+={0,2}$/.test(text)),
);

const sealedKey = z.object({
  id: z.string(),
  /** The public key of it: `age1...`. Whoever has opened the secret one checks that they belong together. */
  recipient: z.string(),
  passkey: z.string(),
  sealed: z.string(),
  created_at: z.string(),
});

export const sealedKeys = {
  list: endpoint({
    method: "GET",
    path: "/sealed-keys",
    access: "mount_view",
    summary: "The caller's own keys that a passkey opens, newest first; the server can read none of them",
    response: z.object({ data: z.object({ keys: z.array(sealedKey) }) }),
  }),
  create: endpoint({
    method: "POST",
    path: "/sealed-keys",
    access: "mount_view",
    summary: "Keep a secret key of age that was sealed to a passkey in a browser",
    body: z.object({ recipient: recipientField, passkey: passkeyField, sealed: sealedField }),
    status: 201,
    response: z.object({ data: sealedKey }),
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/sealed-keys/:id",
    access: "mount_view",
    summary: "Delete a kept key; what was sealed for it opens with the secret key itself only",
    params: z.object({ id: z.string().check(z.maxLength(64)) }),
    response: done,
  }),
};

export type SealedKey = z.output<typeof sealedKey>;
export type NewSealedKey = Pick<SealedKey, "recipient" | "passkey" | "sealed">;
