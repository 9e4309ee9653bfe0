import type { Endpoint } from "#contract/endpoint";
import type { Dice } from "./dice.ts";
import type { Known } from "./known.ts";

/** A request while it is made. Texts hold one byte in each character, so that they can hold bytes that are no UTF-8. */
export interface Draft {
  method: string;
  /** From the root, percent-encoded. */
  path: string;
  /** Without the question mark; undefined when there is none. */
  query: string | undefined;
  version: string;
  headers: [name: string, value: string][];
  body: string | undefined;
}

/** Where requests go: an endpoint of the contract, or one of the fronts beside it. */
export interface TestRoute {
  readonly name: string;
  readonly method: string;
  /** Parameters as `:name`. */
  readonly path: string;
  readonly endpoint?: Endpoint;
}

export interface Making {
  readonly route: TestRoute;
  readonly dice: Dice;
  readonly known: Known;
}

/** One way to break a request. */
export type Breach = (draft: Draft, making: Making) => void;

/** The bytes of a text in UTF-8, one in each character; a lone surrogate becomes the replacement character. */
export const bytesOf = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

/** Percent-encodes also what has no UTF-8. */
export const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

export const header = ({ headers }: Draft, name: string): string | undefined =>
  headers.find(([one]) => one.toLowerCase() === name)?.[1];

export function setHeader(draft: Draft, name: string, value: string): void {
  draft.headers = [...draft.headers.filter(([one]) => one.toLowerCase() !== name), [name, value]];
}

/** The text with something in place of a few of its characters, at a place of the dice's choice. */
export function spliced(text: string, into: string, dice: Dice, remove = 0): string {
  const at = dice.below(text.length + 1);
  return text.slice(0, at) + into + text.slice(at + remove);
}
