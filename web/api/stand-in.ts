import type { Endpoint } from "#contract/endpoint";
import { type Credential, credential, personOf } from "./credential.ts";

/** The input of a call, as copies and the queue need it. */
export interface Asked {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Answers in place of the server while it cannot be reached. None of its functions rejects. */
export interface StandIn {
  /** Called with each answer of the server; undefined if the thing no longer exists. */
  heard(endpoint: Endpoint, asked: Asked, answer: unknown): void;
  /** Returns the last stored answer; undefined if there is none. */
  recall(endpoint: Endpoint, asked: Asked): Promise<unknown>;
  /** Queues a change until the server can be reached again; false if it cannot be queued. */
  queue(endpoint: Endpoint, asked: Asked): Promise<boolean>;
}

/** How many answers are buffered until the stand-in is loaded. */
const EARLY = 20;

/** Holds the stand-in, which is loaded after the page, or when a call needs it. */
export function createStandInPlace({ state }: Pick<Credential, "state">) {
  const early: Parameters<StandIn["heard"]>[] = [];
  let there: StandIn | undefined;
  let load: (() => Promise<unknown>) | undefined;
  let person = personOf(state.get());
  state.subscribe(() => {
    const before = person;
    person = personOf(state.get());
    // Answers that were buffered for one person are discarded once they have signed out.
    if (person !== before) early.length = 0;
  });
  return {
    heard(...answer: Parameters<StandIn["heard"]>): void {
      if (there) there.heard(...answer);
      else if (early.length < EARLY) early.push(answer);
    },
    /** Returns the stand-in, loading it first if necessary; undefined if there is none. */
    async get(): Promise<StandIn | undefined> {
      await load?.();
      return there;
    },
    /** Sets how it is loaded; the loader resolves even if loading fails. */
    loadBy(loader: () => Promise<unknown>): void {
      load = loader;
    },
    set(next: StandIn): void {
      there = next;
      for (const answer of early.splice(0)) next.heard(...answer);
    },
  };
}

export type StandInPlace = ReturnType<typeof createStandInPlace>;

/** The stand-in of this page. */
export const standIn = createStandInPlace(credential);
