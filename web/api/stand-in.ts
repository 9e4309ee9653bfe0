import type { Endpoint } from "#contract/endpoint";
import { type Credential, credential, personOf } from "./credential.ts";

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

/** Answers that are remembered for a stand-in that has not loaded yet. */
const EARLY = 20;

/** The place of the stand-in, which loads after the page, or when a call needs it. */
export function createStandInPlace({ state }: Pick<Credential, "state">) {
  const early: Parameters<StandIn["heard"]>[] = [];
  let there: StandIn | undefined;
  let load: (() => Promise<unknown>) | undefined;
  let person = personOf(state.get());
  state.subscribe(() => {
    const before = person;
    person = personOf(state.get());
    // What was remembered for one person is not kept once they have left.
    if (person !== before) early.length = 0;
  });
  return {
    heard(...answer: Parameters<StandIn["heard"]>): void {
      if (there) there.heard(...answer);
      else if (early.length < EARLY) early.push(answer);
    },
    /** The stand-in, loaded if need be; undefined when there is none. */
    async get(): Promise<StandIn | undefined> {
      await load?.();
      return there;
    },
    /** Says how it is loaded; a load that fails resolves all the same. */
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
