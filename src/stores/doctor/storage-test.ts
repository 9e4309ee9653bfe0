import { Failure } from "#contract/failures";
import type { Language } from "#contract/languages";
import { isLocal } from "#contract/providers";
import type { Examination } from "#contract/storage-report";
import { type Resolve, resolveByMachine } from "../../lib/addresses.ts";
import type { Clock } from "../../lib/clock.ts";
import { parseHttpDate } from "../../lib/conditional.ts";
import { type Log, logUnhandled, unforeseen } from "../../lib/log.ts";
import { type Fetch, unlessAborted } from "../../lib/pinned-fetch.ts";
import type { StorageRow } from "../configs-table.ts";
import { loadSdk } from "../s3/client.ts";
import { createS3Store } from "../s3/store.ts";
import type { Stores } from "../stores.ts";
import { copy, head, list, multipart, read, readRange, remove, type Target, type TestFiles, write } from "./checks.ts";
import { clockSkew, cors, etagExposed, pathStyle, type Remote, reachable } from "./remote.ts";
import { failed, failedWith, notNeeded, notTried, type Result, speak } from "./words.ts";

/** One check of a storage. Its name and sentences are in words.ts; it ends with a result or a Failure of the store. */
type Check = {
  readonly id: Examination;
  /** The checks that must have passed before. */
  readonly needs?: readonly Examination[];
  /** Not tried when `write` got no answer: it would only wait as long again. */
  readonly needsAnswer?: true;
  /** The file that it leaves. */
  readonly leaves?: keyof TestFiles;
} & (
  | { readonly run: (target: Target) => Promise<Result>; readonly runRemote?: undefined }
  /** Has no meaning for the built-in disk. */
  | { readonly runRemote: (target: Remote) => Result | Promise<Result> }
);

/** Every check, in the order in which they run. */
const checks: readonly Check[] = [
  { id: "write", leaves: "file", run: write },
  { id: "head", needs: ["write"], run: head },
  { id: "read", needs: ["write"], run: read },
  { id: "range", needs: ["write"], run: readRange },
  { id: "list", needsAnswer: true, run: list },
  { id: "copy", needs: ["write"], leaves: "copy", run: copy },
  { id: "multipart", needs: ["write"], leaves: "parts", run: multipart },
  { id: "delete", needs: ["write"], run: remove },
  { id: "cors", needsAnswer: true, runRemote: cors },
  { id: "etag_exposed", needs: ["write", "cors"], leaves: "page", runRemote: etagExposed },
  { id: "clock_skew", runRemote: clockSkew },
  { id: "path_style", runRemote: pathStyle },
  { id: "public", runRemote: reachable },
];

/** Time limits in milliseconds. A check that could not end within `whole` is not started; `parts` is for `multipart`. */
export type Limits = Readonly<Record<"step" | "parts" | "whole" | "cleaning", number>>;

/** A test takes a minute at most. */
const LIMITS: Limits = { step: 10_000, parts: 30_000, whole: 50_000, cleaning: 10_000 };

export interface TestDeps {
  readonly stores: Pick<Stores, "of" | "connection">;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Limits;
  readonly resolve?: Resolve;
}

export interface Call {
  /** The origin of the administrator's page. */
  readonly origin: string;
  readonly language: Language;
}

/** A test while it runs. */
interface Run extends Required<TestDeps> {
  readonly config: StorageRow;
  readonly origin: string;
  readonly words: ReturnType<typeof speak>;
  readonly files: TestFiles;
  readonly results: Map<Examination, Result>;
  /** The milliseconds by which the storage's clock is ahead. */
  clockOffset: number | undefined;
}

/** A finished check, in the language of the caller. */
type Step = Awaited<ReturnType<typeof examine>>;

/** Runs every check on one storage. */
export async function testStorage(deps: TestDeps, config: StorageRow, { origin, language }: Call) {
  const file = `${config.default_folder}.satchel-test-${crypto.randomUUID().slice(0, 13)}`;
  const run: Run = {
    ...deps,
    limits: deps.limits ?? LIMITS,
    resolve: deps.resolve ?? resolveByMachine,
    config,
    origin,
    words: speak(language),
    files: { file, copy: `${file}-copy`, parts: `${file}-parts`, page: `${file}-page` },
    results: new Map(),
    clockOffset: undefined,
  };
  // Loading it takes seconds on a small machine, which no check should be charged for.
  if (!isLocal(config)) await loadSdk();
  const end = performance.now() + run.limits.whole;
  const steps: Step[] = [];
  for (const check of checks) steps.push(await examine(run, check, end - performance.now()));
  const cleaned = await cleanUp(run);
  return { config, message: summary(run, steps, cleaned), steps, files: run.files, cleaned };
}

/** Runs one check, or says why not, in so many milliseconds. A failure of the store is its result; a bug is logged. */
async function examine(run: Run, check: Check, left: number) {
  const { limits, words, results, log, config } = run;
  const { id } = check;
  const began = performance.now();
  const limit = Math.min(left, id === "multipart" ? limits.parts : limits.step);
  const reason = whyNot(run, check, left);
  const result =
    reason ??
    (await withLimit(limit, async (signal) => {
      const target = open(run, signal, limit);
      if (!check.runRemote) return await check.run(target);
      return "connection" in target ? await check.runRemote(target) : notNeeded("notNeeded");
    }).catch((error: unknown): Result => {
      if (error instanceof Failure) return failedWith(error);
      logUnhandled(log, error, { storage: config.id, examination: id });
      return failed("internal");
    }));
  results.set(id, result);
  const { found, advice: word, ...rest } = result;
  const duration = reason ? 0 : Math.round(performance.now() - began);
  const advice = word ? words.tell({ word, details: {} }) : null;
  return { ...rest, id, name: words.nameOf(id), duration, message: words.tell(found), advice };
}

/** Why a check cannot be tried; undefined when it can. */
function whyNot({ config, stores, results, words, limits }: Run, check: Check, left: number): Result | undefined {
  if (isLocal(config) && check.runRemote) return notNeeded("notNeeded");
  if (isLocal(config) && stores.of(config).readOnly && check.id !== "list") return notNeeded("readOnly");
  const written = results.get("write")?.found;
  const unanswered = check.needsAnswer && written instanceof Failure && written.code === "storage.unreachable";
  const needs: readonly Examination[] = unanswered ? ["write"] : (check.needs ?? []);
  const step = needs.find((id) => ["failed", "notTried"].includes(results.get(id)?.outcome ?? ""));
  if (step) return notTried("needsOther", { step: words.nameOf(step) });
  return left < limits.step ? notTried("noTimeLeft") : undefined;
}

/** Opens the storage for one check. No request of it outlives the signal. */
function open(run: Run, signal: AbortSignal, limit: number): Target | Remote {
  const { config, stores, clock, files, origin, resolve } = run;
  const target = {
    files,
    defaultFolder: config.default_folder,
    wrote: run.results.get("write")?.outcome === "passed",
  };
  if (isLocal(config)) return { ...target, store: stores.of(config).store };
  const connection = stores.connection(config);
  const fetch: Fetch = async (url, init) => {
    const began = clock();
    const both = init.signal ? AbortSignal.any([init.signal, signal]) : signal;
    const response = await connection.fetch(url, { ...init, signal: both });
    const date = parseHttpDate(response.headers.get("date") ?? "");
    // An HTTP date has whole seconds: on average, the storage's time is half a second later.
    if (date !== undefined) run.clockOffset = date + 500 - (began + clock()) / 2;
    return response;
  };
  const store = createS3Store({ ...connection, fetch });
  return { ...target, store, connection, fetch, origin, resolve, limit, clockOffset: () => run.clockOffset };
}

/** Removes every file that a check may have left. Reports whether all are gone. */
async function cleanUp(run: Run): Promise<boolean> {
  const { results, files, limits, log, config, stores } = run;
  if (isLocal(config) && stores.of(config).readOnly) return true;
  const names = checks.flatMap(({ id, leaves }) => (results.get(id)?.outcome === "notTried" ? [] : (leaves ?? [])));
  try {
    await withLimit(limits.cleaning, async (signal) => {
      const { store } = open(run, signal, limits.cleaning);
      const outcomes = await Promise.allSettled(
        names.map(async (name) => {
          // First, because an upload that the storage still puts together would make the file again.
          if (name === "parts") await store.abortMultiparts(files.parts);
          await store.remove([files[name]]);
          // Some storages answer with success and keep the file.
          const left = await store.head(files[name]);
          if (left) throw new Failure("storage.broken", { answer: "a removed object is still there" });
        }),
      );
      for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
    });
    return true;
  } catch (error) {
    const why = error instanceof Failure ? { error: error.code } : unforeseen(error);
    log.warn("a test of a storage could not be cleaned up", { storage: config.id, ...why });
    return false;
  }
}

/** What came of the test, in a sentence or two. */
function summary({ results, words, files }: Run, steps: readonly Step[], cleaned: boolean): string {
  const { tell, list, join } = words;
  const of = (outcome: Result["outcome"]) =>
    checks.flatMap(({ id }) => (results.get(id)?.outcome === outcome ? [id] : []));
  const advised = steps.flatMap(({ id, advice }) => (advice === null ? [] : [id]));
  const bad = of("failed").length > 0 ? of("failed") : of("notTried");
  const word = bad.length > 0 ? "failures" : advised.length > 0 ? "advised" : "healthy";
  const sentences = [tell({ word, details: { steps: list(bad.length > 0 ? bad : advised) } })];
  if (!cleaned && results.get("write")?.outcome === "passed")
    sentences.push(tell({ word: "notCleaned", details: { file: `${files.file}*` } }));
  return join(sentences);
}

/** Runs a task and aborts its signal when it ends, or after so many milliseconds: 502 storage.unreachable. */
async function withLimit<Done>(milliseconds: number, task: (signal: AbortSignal) => Promise<Done>): Promise<Done> {
  const stopped = new AbortController();
  const stop = () => stopped.abort(new Failure("storage.unreachable"));
  const timer = setTimeout(stop, milliseconds);
  try {
    return await unlessAborted(stopped.signal, task(stopped.signal));
  } finally {
    clearTimeout(timer);
    stop();
  }
}
