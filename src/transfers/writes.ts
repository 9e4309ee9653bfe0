import { Failure } from "#contract/failures";

/**
 * The bodies that are being written right now. Of two for the same place the later one counts, because the earlier one is
 * mostly a connection that broke without saying so.
 */
export function createWrites() {
  const running = new Map<string, Map<number, AbortController>>();

  return {
    /** Runs a write that stops when another for the same upload and part begins, or when the upload is finished. */
    async latest<Result>(
      upload: string,
      part: number,
      write: (signal: AbortSignal) => Promise<Result>,
    ): Promise<Result> {
      const mine = new AbortController();
      const parts = running.get(upload) ?? new Map<number, AbortController>();
      running.set(upload, parts);
      parts.get(part)?.abort(new Failure("upload.finished"));
      parts.set(part, mine);
      try {
        return await write(mine.signal);
      } finally {
        if (parts.get(part) === mine) parts.delete(part);
        if (parts.size === 0 && running.get(upload) === parts) running.delete(upload);
      }
    },

    /** Stops all writes of an upload: none of them is published any more. */
    stop(upload: string): void {
      for (const write of running.get(upload)?.values() ?? []) write.abort(new Failure("upload.finished"));
    },
  };
}
