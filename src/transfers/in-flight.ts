/** The bodies that are arriving now, by upload and part. */
import { Failure } from "#contract/failures";
import type { InTurn } from "../cluster/cluster.ts";

/** The part of an upload that a body is for, 0 for all of it; a symbol for a body that stops no other. */
type Place = number | symbol;

/** Of two bodies for the same place the later one counts, because the earlier one mostly belongs to a broken connection. */
export function createInFlight(lock: InTurn) {
  const running = new Map<string, Map<Place, AbortController>>();
  const closed = new Set<string>();

  const stop = (upload: string): void => {
    for (const body of running.get(upload)?.values() ?? []) body.abort(new Failure("upload.finished"));
  };

  return {
    /**
     * Runs a task that receives a body. It is stopped when another body for the same upload and part begins to arrive,
     * or when the upload is finished or dropped; a stopped body is never published. 409 upload.finished while the
     * upload is being finished.
     */
    async latest<Result>(upload: string, part: Place, take: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
      if (closed.has(upload)) throw new Failure("upload.finished");
      const mine = new AbortController();
      const parts = running.get(upload) ?? new Map<Place, AbortController>();
      running.set(upload, parts);
      parts.get(part)?.abort(new Failure("upload.finished"));
      parts.set(part, mine);
      try {
        return await take(mine.signal);
      } finally {
        if (parts.get(part) === mine) parts.delete(part);
        if (parts.size === 0 && running.get(upload) === parts) running.delete(upload);
      }
    },

    /** Runs a task that finishes or drops an upload: no body arrives for it in the meantime, and no other task finishes it. */
    exclusively: <Result>(upload: string, end: () => Promise<Result>): Promise<Result> =>
      lock(upload, async () => {
        closed.add(upload);
        stop(upload);
        try {
          return await end();
        } finally {
          closed.delete(upload);
        }
      }),

    /** Reports whether something is arriving for an upload. */
    has: (upload: string): boolean => running.has(upload),
  };
}

export type InFlight = ReturnType<typeof createInFlight>;
