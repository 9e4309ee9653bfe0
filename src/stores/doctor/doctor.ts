import { Failure } from "#contract/failures";
import type { Language } from "#contract/languages";
import { isBuiltIn } from "#contract/providers";
import type { Examination } from "#contract/storage-report";
import { type Resolve, resolveByMachine } from "../../lib/addresses.ts";
import type { Clock } from "../../lib/clock.ts";
import { parseHttpDate } from "../../lib/conditional.ts";
import { type Log, logUnhandled, unforeseen } from "../../lib/log.ts";
import { type Fetch, unlessAborted } from "../../lib/pinned-fetch.ts";
import type { StorageRow } from "../configs-table.ts";
import { loadSdk } from "../s3/client.ts";
import { setCorsRules } from "../s3/cors.ts";
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

interface DoctorDeps {
  readonly stores: Pick<Stores, "configs" | "of" | "connection">;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Limits;
  readonly resolve?: Resolve;
}

interface Call {
  /** The origin of the administrator's page. */
  readonly origin: string;
  readonly language: Language;
}

/** Tests storages and sets the CORS rules of their buckets. */
export function createDoctor(deps: DoctorDeps) {
  const running = new Set<string>();

  return {
    /** Runs every check on files of its own and removes them. 404 storage.missing, 409 storage.testing. */
    async examine(id: string, call: Call) {
      const config = await deps.stores.configs.get(id);
      if (running.has(id)) throw new Failure("storage.testing");
      running.add(id);
      try {
        const report = await test(deps, config, call);
        await deps.stores.configs.noteTest(config, report.steps.every(isGood));
        return report;
      } finally {
        running.delete(id);
      }
    },

    /** Sets the CORS rules of a bucket as `setCorsRules` does. 404 storage.missing, 400 storage.corsBuiltIn. */
    async setCors(id: string, origins: readonly string[]): Promise<void> {
      const config = await deps.stores.configs.get(id);
      if (isBuiltIn(config)) throw new Failure("storage.corsBuiltIn");
      await setCorsRules(deps.stores.connection(config), origins);
    },
  };
}

const isGood = ({ outcome }: Pick<Result, "outcome">): boolean => outcome === "passed" || outcome === "notNeeded";

/** Runs every check on one storage. */
async function test(deps: DoctorDeps, config: StorageRow, { origin, language }: Call) {
  const { stores, clock, log, limits = LIMITS, resolve = resolveByMachine } = deps;
  const { nameOf, tell, list, join } = speak(language);
  const builtIn = isBuiltIn(config);
  const file = `${config.default_folder}.satchel-test-${crypto.randomUUID().slice(0, 13)}`;
  const files: TestFiles = { file, copy: `${file}-copy`, parts: `${file}-parts`, page: `${file}-page` };
  const results = new Map<Examination, Result>();
  const outcomeOf = (id: Examination) => results.get(id)?.outcome;
  /** The milliseconds by which the storage's clock is ahead. */
  let clockOffset: number | undefined;

  /** Opens the storage for one check. No request of it outlives the signal. */
  const open = (signal: AbortSignal, limit: number): Target | Remote => {
    const target = { files, defaultFolder: config.default_folder, wrote: outcomeOf("write") === "passed" };
    if (builtIn) return { ...target, store: stores.of(config).store };
    const connection = stores.connection(config);
    const fetch: Fetch = async (url, init) => {
      const began = clock();
      const both = init.signal ? AbortSignal.any([init.signal, signal]) : signal;
      const response = await connection.fetch(url, { ...init, signal: both });
      const date = parseHttpDate(response.headers.get("date") ?? "");
      // An HTTP date has whole seconds: on average, the storage's time is half a second later.
      if (date !== undefined) clockOffset = date + 500 - (began + clock()) / 2;
      return response;
    };
    const store = createS3Store({ ...connection, fetch });
    return { ...target, store, connection, fetch, origin, resolve, limit, clockOffset: () => clockOffset };
  };

  /** Why a check cannot be tried; undefined when it can. */
  const whyNot = (check: Check, left: number): Result | undefined => {
    if (builtIn && check.runRemote) return notNeeded("notNeeded");
    const written = results.get("write")?.found;
    const unanswered = check.needsAnswer && written instanceof Failure && written.code === "storage.unreachable";
    const needs: readonly Examination[] = unanswered ? ["write"] : (check.needs ?? []);
    const step = needs.find((id) => outcomeOf(id) === "failed" || outcomeOf(id) === "notTried");
    if (step) return notTried("needsOther", { step: nameOf(step) });
    return left < limits.step ? notTried("noTimeLeft") : undefined;
  };

  /** Runs one check, or says why not, in so many milliseconds. A failure of the store is its result; a bug is logged. */
  const examine = async (check: Check, left: number) => {
    const { id } = check;
    const began = performance.now();
    const limit = Math.min(left, id === "multipart" ? limits.parts : limits.step);
    const reason = whyNot(check, left);
    const result =
      reason ??
      (await withLimit(limit, async (signal) => {
        const target = open(signal, limit);
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
    const advice = word ? tell({ word, details: {} }) : null;
    return { ...rest, id, name: nameOf(id), duration, message: tell(found), advice };
  };

  /** Removes every file that a check may have left. Reports whether all are gone. */
  const cleanUp = async (): Promise<boolean> => {
    const names = checks.flatMap(({ id, leaves }) => (outcomeOf(id) === "notTried" ? [] : (leaves ?? [])));
    try {
      await withLimit(limits.cleaning, async (signal) => {
        const { store } = open(signal, limits.cleaning);
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
  };

  // Loading it takes seconds on a small machine, which no check should be charged for.
  if (!builtIn) await loadSdk();
  const end = performance.now() + limits.whole;
  const steps = [];
  for (const check of checks) steps.push(await examine(check, end - performance.now()));
  const cleaned = await cleanUp();

  const of = (outcome: Result["outcome"]) => checks.flatMap(({ id }) => (outcomeOf(id) === outcome ? [id] : []));
  const advised = steps.flatMap(({ id, advice }) => (advice === null ? [] : [id]));
  const bad = of("failed").length > 0 ? of("failed") : of("notTried");
  const word = bad.length > 0 ? "failures" : advised.length > 0 ? "advised" : "healthy";
  const sentences = [tell({ word, details: { steps: list(bad.length > 0 ? bad : advised) } })];
  if (!cleaned && outcomeOf("write") === "passed")
    sentences.push(tell({ word: "notCleaned", details: { file: `${file}*` } }));
  return { config, message: join(sentences), steps, files, cleaned };
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
