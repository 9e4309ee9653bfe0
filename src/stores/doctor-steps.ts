import type { FailureCode } from "#contract/failures";
import type { Examination } from "#contract/storage";
import type { Bench, Result, Step, StepElsewhere, TestKeys } from "./doctor-bench.ts";
import { cors, etagExposed } from "./doctor-browser.ts";
import { copy, head, list, multipart, range, read, remove, write } from "./doctor-objects.ts";
import { clockSkew, pathStyle, reachable } from "./doctor-place.ts";
import { say } from "./doctor-words.ts";

/** For the built-in disk these have no meaning: it is reached as this server is. */
const away = { cors, etag_exposed: etagExposed, clock_skew: clockSkew, path_style: pathStyle, public: reachable };
type Away = keyof typeof away;

const anywhere: Readonly<Record<Exclude<Examination, Away>, Step>> = {
  write,
  head,
  read,
  range,
  list,
  copy,
  multipart,
  delete: remove,
};

const isAway = (id: Examination): id is Away => Object.hasOwn(away, id);
const needless: Result = { outcome: "needless", found: say("builtIn") };

/** Runs one examination. Failures are those of the store. */
export function examination(id: Examination, bench: Bench): Promise<Result> {
  if (!isAway(id)) return anywhere[id](bench);
  const step: StepElsewhere = away[id];
  return bench.elsewhere ? step(bench, bench.elsewhere) : Promise.resolve(needless);
}

/** What each writes. */
export const keyOf: Partial<Readonly<Record<Examination, keyof TestKeys>>> = {
  write: "whole",
  copy: "copy",
  multipart: "parts",
  etag_exposed: "page",
};

/** What must have passed before an examination says anything. */
const stands: Partial<Readonly<Record<Examination, readonly Examination[]>>> = {
  head: ["write"],
  read: ["write"],
  range: ["write"],
  copy: ["write"],
  multipart: ["write"],
  delete: ["write"],
  etag_exposed: ["write", "cors"],
};

/** What would only wait as long again when nothing answers. */
const asks: readonly Examination[] = ["list", "cors"];

type Earlier = Pick<Result, "outcome"> & { readonly failure?: FailureCode | undefined };

/** Why there is no sense in trying this; undefined when there is. */
export function whyNot(
  id: Examination,
  earlier: ReadonlyMap<Examination, Earlier>,
  builtIn: boolean,
): Result | undefined {
  if (builtIn && isAway(id)) return needless;
  const bad = (step: Examination) => ["failed", "untried"].includes(earlier.get(step)?.outcome ?? "");
  const silent = earlier.get("write")?.failure === "storage.unreachable" && asks.includes(id);
  const step = stands[id]?.find(bad) ?? (silent ? "write" : undefined);
  return step && { outcome: "untried", found: say("after", { step }) };
}
