import { Failure } from "#contract/failures";
import { createLocks } from "../lib/locks.ts";

/**
 * The bodies that are arriving right now, by upload. Of two for the same place the later one counts, because the earlier one
 * is mostly a connection that broke without saying so.
 */
export function createDeliveries() {
  const running = new Map<string, Map<number, AbortController>>();
  const closed = new Set<string>();
  const lock = createLocks();

  const stop = (upload: string): void => {
    for (const delivery of running.get(upload)?.values() ?? []) delivery.abort(new Failure("upload.finished"));
  };

  return {
    /**
     * Runs a delivery that stops when another for the same upload and part begins, or when the upload is ended. What was
     * stopped is never published. 409 upload.finished while the upload is being ended.
     */
    async latest<Result>(
      upload: string,
      part: number,
      deliver: (signal: AbortSignal) => Promise<Result>,
    ): Promise<Result> {
      if (closed.has(upload)) throw new Failure("upload.finished");
      const mine = new AbortController();
      const parts = running.get(upload) ?? new Map<number, AbortController>();
      running.set(upload, parts);
      parts.get(part)?.abort(new Failure("upload.finished"));
      parts.set(part, mine);
      try {
        return await deliver(mine.signal);
      } finally {
        if (parts.get(part) === mine) parts.delete(part);
        if (parts.size === 0 && running.get(upload) === parts) running.delete(upload);
      }
    },

    /** Runs what ends an upload, or tries to: nothing arrives for it meanwhile, and nobody else ends it. */
    alone: <Result>(upload: string, end: () => Promise<Result>): Promise<Result> =>
      lock(upload, async () => {
        closed.add(upload);
        stop(upload);
        try {
          return await end();
        } finally {
          closed.delete(upload);
        }
      }),

    /** Whether something is arriving for an upload. */
    has: (upload: string): boolean => running.has(upload),
  };
}

export type Deliveries = ReturnType<typeof createDeliveries>;
