import { SealedFailure } from "./failures.ts";
import address from "./sealed.worker.ts?worker";
import type { Tasks } from "./tasks.ts";

/** What a worker is asked, and what it answers. */
export interface Question {
  readonly id: number;
  readonly name: keyof Tasks;
  readonly given: readonly unknown[];
}
export type Answer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly code: SealedFailure["code"] | undefined; readonly message: string };

/** More of them would only wait for each other, or for the disk. */
const MOST_WORKERS = 4;
/** A worker that has tried a password holds much memory: after so many milliseconds without work it is ended. */
const IDLE = 5000;

/** Does long work where it holds up no page; undefined where there are no workers, as in a service worker and in tests: who asks does it then. */
export const offThread: Tasks | undefined =
  address === undefined || typeof Worker === "undefined" ? undefined : workersAt(address);

/** A worker at work. */
interface PoolWorker {
  readonly waiting: Map<number, PromiseWithResolvers<unknown>>;
  ask(question: Question, moved: Transferable[]): Promise<unknown>;
}

/** Makes what has work done by workers whose code is at this address. */
export function workersAt(code: string): Tasks {
  const pool = new Set<PoolWorker>();
  const most = Math.min(MOST_WORKERS, navigator.hardwareConcurrency);
  let asked = 0;
  /** The one with the least to do. */
  const freeWorker = (): PoolWorker => {
    const [freest] = [...pool].sort((one, other) => one.waiting.size - other.waiting.size);
    if (freest && (freest.waiting.size === 0 || pool.size >= most)) return freest;
    const worker = startWorker(code, () => pool.delete(worker));
    pool.add(worker);
    return worker;
  };
  function ask<Name extends keyof Tasks>(name: Name, given: Parameters<Tasks[Name]>, moved: Transferable[] = []) {
    asked += 1;
    return freeWorker().ask({ id: asked, name, given }, moved) as ReturnType<Tasks[Name]>;
  }
  return {
    newHeader: (...given) => ask("newHeader", given),
    fileKeyOf: (...given) => ask("fileKeyOf", given),
    // What is sealed was read for it; what is opened may be a part of more, all of which would go along.
    seal: (...given) => ask("seal", given, [given[1].bytes.buffer]),
    open: (key, { bytes, ...run }) => {
      const own = bytes.slice();
      return ask("open", [key, { ...run, bytes: own }], [own.buffer]);
    },
  };
}

function startWorker(code: string, onEnd: () => void): PoolWorker {
  const worker = new Worker(code, { type: "module" });
  const waiting: PoolWorker["waiting"] = new Map();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    onEnd();
    worker.terminate();
  };
  worker.onmessage = ({ data }: MessageEvent<Answer>) => {
    const answer = waiting.get(data.id);
    waiting.delete(data.id);
    if ("result" in data) answer?.resolve(data.result);
    else answer?.reject(data.code === undefined ? new Error(data.message) : new SealedFailure(data.code));
    if (waiting.size === 0) timer = setTimeout(end, IDLE);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    end();
    for (const { reject } of waiting.values()) reject(new Error(`The worker that seals has failed: ${event.message}`));
  };
  return {
    waiting,
    ask(question, moved) {
      clearTimeout(timer);
      const answer = Promise.withResolvers<unknown>();
      waiting.set(question.id, answer);
      worker.postMessage(question, moved);
      return answer.promise;
    },
  };
}
