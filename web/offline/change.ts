import type { Endpoint } from "#contract/endpoint";

/** The version of the entries' format. An entry with another one was queued by another version of the app. */
export const SHAPE = 1;

/** A change that waits for the server. */
export interface QueuedChange {
  /** Given by the database, in the order of the changes. */
  readonly id?: number;
  readonly shape: typeof SHAPE;
  /** The name of the call in the contract, its `offline`. */
  readonly type: string;
  readonly method: Endpoint["method"];
  /** The path below the API's base address, with its parameters filled in. */
  readonly endpoint: string;
  readonly data: unknown;
  /** The Idempotency-Key: sending the change twice creates nothing twice. */
  readonly requestKey: string;
  /** Who made it, as in `created_by`; it is sent only in their session. Undefined for visitors: it is sent without a credential, in any session. */
  readonly person: string | undefined;
  /** Epoch milliseconds. */
  readonly timestamp: number;
  /** A change whose answer matters, such as the link of a new share, stays as `sent` until the person has seen the answer. */
  readonly status: "pending" | "rejected" | "sent";
  /** Why the server refused it, in the person's language. */
  readonly refusal?: string;
  readonly answer?: unknown;
}
