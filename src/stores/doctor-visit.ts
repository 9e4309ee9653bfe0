import { Failure, type FailureCode } from "#contract/failures";
import { type Examination, examinations } from "#contract/storage";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { unforeseen } from "../lib/unforeseen.ts";
import type { StorageRow } from "./configs-table.ts";
import type { Bench, Resolve, Result, TestKeys } from "./doctor-bench.ts";
import { cleanUp } from "./doctor-objects.ts";
import { createReach, type Reach } from "./doctor-reach.ts";
import { examination, keyOf, whyNot } from "./doctor-steps.ts";
import { remedyFor, say } from "./doctor-words.ts";
import { loadSdk } from "./s3-control.ts";
import { troubleOf } from "./s3-trouble.ts";
import { createWatch } from "./s3-watch.ts";
import { isBuiltIn, type Stores } from "./stores.ts";

/** Milliseconds. */
export interface Limits {
  readonly step: number;
  /** For the upload in parts, which has 5 MiB to send. */
  readonly parts: number;
  /** For all examinations; none begins that could not end within. */
  readonly whole: number;
  /** For removing what they left. */
  readonly cleaning: number;
}

export interface Finding extends Result {
  readonly id: Examination;
  /** Milliseconds. */
  readonly duration: number;
  readonly failure?: FailureCode | undefined;
}

/** What a test of one storage found. */
export interface Visit {
  readonly config: StorageRow;
  readonly findings: ReadonlyMap<Examination, Finding>;
  readonly keys: TestKeys;
  /** Whether nothing of the test is left. */
  readonly cleaned: boolean;
}

export interface VisitNeeds {
  readonly config: StorageRow;
  readonly stores: Pick<Stores, "of" | "connection">;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
  readonly resolve: Resolve;
  readonly origin: string;
}

/** Tries everything in its order, each within its time, and removes whatever that left. */
export async function visit(needs: VisitNeeds): Promise<Visit> {
  const { config, limits } = needs;
  const reach = createReach(needs);
  const keys = keysBelow(config.default_folder);
  const findings = new Map<Examination, Finding>();
  // What that costs is no fault of the storage.
  if (!isBuiltIn(config)) await loadSdk();
  const began = performance.now();
  for (const id of examinations) {
    const left = began + limits.whole - performance.now();
    findings.set(id, await examine(id, { ...needs, reach, keys, findings, left }));
  }
  const cleaned = await clean({ ...needs, reach, keys, findings, left: limits.cleaning });
  return { config, findings, keys, cleaned };
}

interface Round extends VisitNeeds {
  readonly reach: Reach;
  readonly keys: TestKeys;
  readonly findings: ReadonlyMap<Examination, Finding>;
  /** Milliseconds. */
  readonly left: number;
}

const LATE: Result = { outcome: "untried", found: say("late") };

async function examine(id: Examination, round: Round): Promise<Finding> {
  const { config, findings, limits, left } = round;
  const reason = whyNot(id, findings, isBuiltIn(config)) ?? (left < limits.step ? LATE : undefined);
  if (reason) return { id, duration: 0, ...reason };
  const began = performance.now();
  const within = Math.min(left, id === "multipart" ? limits.parts : limits.step);
  const result = await inTime(within, (signal) => examination(id, benchOf(round, signal, within))).catch((error) =>
    troubled(error, id, round),
  );
  return { id, duration: Math.round(performance.now() - began), ...result };
}

function benchOf({ config, reach, keys, findings }: Round, signal: AbortSignal, within: number): Bench {
  return { config, keys, wrote: findings.get("write")?.outcome === "passed", ...reach(signal, within) };
}

/** What a step failed with, as a finding. */
function troubled(error: unknown, id: Examination, { config, log }: Round): Result & Pick<Finding, "failure"> {
  const { failure } = troubleOf(error);
  if (failure instanceof Failure)
    return { outcome: "failed", found: failure, advice: remedyFor(failure), failure: failure.code };
  log.error("bug", { storage: config.id, examination: id, ...unforeseen(failure) });
  return { outcome: "failed", found: say("unforeseen") };
}

/** Removes what was begun; answers whether it is gone for certain. */
async function clean(round: Round): Promise<boolean> {
  const { findings, left, config, log } = round;
  const begun = [...findings.values()].flatMap(({ id, outcome }) => (outcome === "untried" ? [] : (keyOf[id] ?? [])));
  try {
    await inTime(left, (signal) => cleanUp(benchOf(round, signal, left), begun));
    return true;
  } catch (error) {
    const { failure } = troubleOf(error);
    const why = failure instanceof Failure ? { error: failure.code } : unforeseen(failure);
    log.warn("a test of a storage could not be cleaned up", { storage: config.id, ...why });
    return false;
  }
}

/** A task that ends after a while at the latest, and nothing of it after that. 502 storage.unreachable. */
async function inTime<Done>(milliseconds: number, task: (signal: AbortSignal) => Promise<Done>): Promise<Done> {
  const watch = createWatch(milliseconds, undefined);
  const { promise: late, reject } = Promise.withResolvers<never>();
  watch.signal.addEventListener("abort", () => reject(watch.signal.reason), { once: true });
  try {
    return await Promise.race([task(watch.signal), late]);
  } finally {
    watch.stop();
  }
}

function keysBelow(folder: string): TestKeys {
  const name = `${folder}.satchel-test-${crypto.randomUUID().slice(0, 13)}`;
  return { whole: name, copy: `${name}-copy`, parts: `${name}-parts`, page: `${name}-page` };
}
