import { VIEWER_PATIENCE } from "#contract/viewer-limits";

/** Why a worker gave no answer: it took too long, or it could not read what it was given (`code` is what it said). */
export class WorkerFailure extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** What workers of viewers answer. */
export type WorkerAnswer<Result> = { readonly result: Result } | { readonly failed: string };

interface WorkerOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds. */
  readonly patience?: number;
  /** What is handed over in place of being copied. */
  readonly transfer?: Transferable[];
}

/**
 * Has a worker of its own work on a message, and ends it: with its answer, or when it takes too long. A hostile file can keep
 * only the worker busy. Throws a WorkerFailure.
 */
export function runWorker<Result>(
  address: string,
  message: unknown,
  { signal, patience = VIEWER_PATIENCE, transfer = [] }: WorkerOptions = {},
) {
  const worker = new Worker(address, { type: "module" });
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const timer = setTimeout(() => reject(new WorkerFailure("late")), patience);
  worker.onmessage = ({ data }: MessageEvent<WorkerAnswer<Result>>) =>
    "failed" in data ? reject(new WorkerFailure(data.failed)) : resolve(data.result);
  worker.onerror = (event) => {
    event.preventDefault();
    reject(new WorkerFailure("broken"));
  };
  signal?.addEventListener("abort", () => reject(new WorkerFailure("aborted")));
  worker.postMessage(message, transfer);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.terminate();
  });
}
