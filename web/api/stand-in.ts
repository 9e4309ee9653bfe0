import type { Endpoint } from "#contract/endpoint";
import { createStore } from "../lib/store.ts";

/** A call as it was made, as far as copies and the queue differ by it. */
export interface Asked {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What stands in for the server while it cannot be reached. None of its functions rejects. */
export interface StandIn {
  /** Hears what the server answered: undefined when there is nothing any more. */
  heard(endpoint: Endpoint, asked: Asked, answer: unknown): void;
  /** The last answer that was kept; undefined when none was. */
  recall(endpoint: Endpoint, asked: Asked): Promise<unknown>;
  /** Keeps a change until the server can be reached again; false when it cannot be kept. */
  queue(endpoint: Endpoint, asked: Asked): Promise<boolean>;
}

/** Set once the offline part of the app has loaded. */
export const standIn = createStore<StandIn | undefined>(undefined);
