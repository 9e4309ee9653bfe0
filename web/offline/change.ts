import type { Endpoint } from "#contract/endpoint";

/** The shape of an entry; one of another shape was queued by another version of these pages. */
export const SHAPE = 1;

/** A change that waits for the server. */
export interface QueuedChange {
  /** Given by the database, in the order of the changes. */
  readonly id?: number;
  readonly shape: typeof SHAPE;
  /** The name of the call in the contract, its `offline`. */
  readonly type: string;
  readonly method: Endpoint["method"];
  /** Below the address of the API, parameters filled in. */
  readonly endpoint: string;
  readonly data: unknown;
  /** Makes sending twice harmless where the server creates something. */
  readonly requestKey: string;
  /** Who made it, as records name their maker; nobody else sends it. Absent for visitors: it goes without a credential, whoever is here. */
  readonly person: string | undefined;
  /** Epoch milliseconds. */
  readonly timestamp: number;
  /** A sent one stays until somebody has seen its answer, where that matters: the link of a new share. */
  readonly status: "pending" | "rejected" | "sent";
  /** Why the server refused it, in the person's language. */
  readonly refusal?: string;
  readonly answer?: unknown;
}
