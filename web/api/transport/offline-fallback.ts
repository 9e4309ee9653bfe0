import type { Endpoint } from "#contract/endpoint";
import { createStore } from "../../lib/store.ts";
import { type Credential, credential, personOf } from "../session/credential.ts";

/** The input of a call, as copies and the queue need it. */
export interface EndpointInput {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Answers in place of the server while it cannot be reached. None of its functions rejects. */
export interface OfflineFallback {
  /** Called with each answer of the server; undefined if the thing no longer exists, or not for who asks. */
  recordAnswer(endpoint: Endpoint, asked: EndpointInput, answer: unknown): void;
  /** Returns the last stored answer; undefined if there is none. */
  recall(endpoint: Endpoint, asked: EndpointInput): Promise<unknown>;
  /** Queues a change until the server can be reached again; false if it cannot be queued. */
  queue(endpoint: Endpoint, asked: EndpointInput): Promise<boolean>;
}

/** A change that was queued, for the page on which it was made. */
interface QueuedChange {
  readonly status: string;
  /** What the server said, once it was sent. */
  readonly answer?: unknown;
}

/** What is in the queue, by Idempotency-Key. Empty until the queue is loaded. */
export const queuedChanges = createStore<ReadonlyMap<string, QueuedChange>>(new Map());

/** How many answers are buffered until the fallback is loaded. */
const EARLY = 20;

/** Holds the fallback, which is loaded after the page, or when a call needs it. */
export function createFallbackHolder({ state }: Pick<Credential, "state">) {
  const early: Parameters<OfflineFallback["recordAnswer"]>[] = [];
  let there: OfflineFallback | undefined;
  let load: (() => Promise<unknown>) | undefined;
  let person = personOf(state.get());
  state.subscribe(() => {
    const before = person;
    person = personOf(state.get());
    // Answers that were buffered for one person are discarded once they have signed out.
    if (person !== before) early.length = 0;
  });
  return {
    recordAnswer(...answer: Parameters<OfflineFallback["recordAnswer"]>): void {
      if (there) there.recordAnswer(...answer);
      else if (early.length < EARLY) early.push(answer);
    },
    /** Returns the fallback, loading it first if necessary; undefined if there is none. */
    async get(): Promise<OfflineFallback | undefined> {
      await load?.();
      return there;
    },
    /** Sets how it is loaded; the loader resolves even if loading fails. */
    loadBy(loader: () => Promise<unknown>): void {
      load = loader;
    },
    set(next: OfflineFallback): void {
      there = next;
      for (const answer of early.splice(0)) next.recordAnswer(...answer);
    },
  };
}

export type FallbackHolder = ReturnType<typeof createFallbackHolder>;

/** The fallback of this page. */
export const offlineFallback = createFallbackHolder(credential);
