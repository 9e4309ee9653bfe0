/** Secrets and signatures of Standard Webhooks 1.0. */
import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** A new secret, as receivers are given it. */
export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString("base64");

interface Signed {
  /** The id of the message. */
  readonly id: string;
  /** Seconds, of this try. */
  readonly timestamp: number;
  /** The very bytes that are sent. */
  readonly body: Uint8Array;
}

const signature = (secret: string, { id, timestamp, body }: Signed): string =>
  createHmac("sha256", Buffer.from(secret.slice(PREFIX.length), "base64"))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest("base64");

/** The headers of a message, signed with each of these secrets: with two of them during a rotation. */
export const signedHeaders = (secrets: readonly string[], message: Signed): Record<string, string> => ({
  "webhook-id": message.id,
  "webhook-timestamp": String(message.timestamp),
  "webhook-signature": secrets.map((secret) => `v1,${signature(secret, message)}`).join(" "),
});
