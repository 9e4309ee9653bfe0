import type { Clock } from "../lib/clock.ts";
import type { StorageRow } from "./configs-table.ts";
import { type Phrase, say, type Word } from "./doctor-words.ts";
import type { S3StoreNeeds } from "./s3.ts";
import type { Fetch } from "./s3-wire.ts";
import type { ObjectStore } from "./store.ts";

/** The keys that one test writes, and nothing else. */
export interface TestKeys {
  readonly whole: string;
  readonly copy: string;
  readonly parts: string;
  /** What a page uploads. */
  readonly page: string;
}

/** All addresses of a host by its name; rejects when it has none or nobody knows. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** A storage that is not this server itself. */
export interface Elsewhere {
  readonly connection: S3StoreNeeds;
  /** As everything is asked during an examination: within its time, every answer's Date noted. */
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** That of the page which the administrator looks at. */
  readonly origin: string;
  readonly resolve: Resolve;
  /** Milliseconds that one examination may take. */
  readonly within: number;
  /** How far the storage's clock is ahead of ours, in milliseconds; undefined while no answer told. */
  readonly ahead: () => number | undefined;
}

/** What an examination works with. */
export interface Bench {
  readonly config: StorageRow;
  readonly store: ObjectStore;
  readonly keys: TestKeys;
  /** Undefined for the built-in disk. */
  readonly elsewhere: Elsewhere | undefined;
  /** Whether the file of `write` is there. */
  readonly wrote: boolean;
}

/** What existing clients show of the answer to a preflight. */
export interface Preflight {
  readonly status: number;
  readonly allowOrigin: string | null;
  readonly allowMethods: string | null;
  readonly allowHeaders: string | null;
  readonly maxAge: string | null;
}

export interface Result {
  /** Needless is what has no meaning here, untried what could not be tried. */
  readonly outcome: "passed" | "failed" | "needless" | "untried";
  readonly found: Phrase;
  readonly advice?: Phrase | undefined;
  /** Of `list`: files in the default folder, as many as one answer has. */
  readonly count?: number;
  /** Of `cors`. */
  readonly preflight?: Preflight;
}

/** Of a storage elsewhere, or of any. */
export type Step = (bench: Bench) => Promise<Result>;
export type StepElsewhere = (bench: Bench, elsewhere: Elsewhere) => Promise<Result>;

export const passed = (found: Phrase, advice?: Word): Result => ({
  outcome: "passed",
  found,
  advice: advice && say(advice),
});

export const failed = (found: Phrase, advice?: Word): Result => ({
  outcome: "failed",
  found,
  advice: advice && say(advice),
});

/** A small text: what it says does not matter. */
export const SAMPLE = new TextEncoder().encode("Satchel tests this storage; this file may be removed.\n");
export const SAMPLE_TYPE = "text/plain";
