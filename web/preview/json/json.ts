import type { Opening } from "../file/use-worker-session.ts";
import type { JsonProblem, JsonValue } from "./json-index.ts";

/** What the worker of a JSON text is asked: to read it, or what is in the list or object that begins at a place. */
export type JsonQuestion = Opening | JsonStretch;

export interface JsonStretch {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** What it found, or where the text is no JSON. */
export type OpenedJson = { readonly root: JsonValue; readonly depth: number } | { readonly problem: JsonProblem };
