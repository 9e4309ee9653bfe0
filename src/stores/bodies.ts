import { Failure } from "#contract/failures";
import { sizeText } from "#contract/limits";
import type { Incoming, PutOptions } from "./store.ts";

/** What a body must keep to while it is written. */
export type Bounds = Omit<PutOptions, "type">;

/** A body piece by piece. It ends as soon as it is aborted, not when the next piece comes: a connection that broke may never say so. */
export async function* chunksOf({ body }: Incoming, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  const cancel = () => void reader?.cancel().catch(() => undefined);
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    for (;;) {
      signal?.throwIfAborted();
      const next = await reader?.read();
      signal?.throwIfAborted();
      if (!next || next.done) return;
      yield next.value;
    }
  } finally {
    signal?.removeEventListener("abort", cancel);
    cancel();
  }
}

/** 400 upload.length and 413 file.tooLarge for a body that has grown beyond its bounds. */
export function checkSize({ length, limit }: Bounds, size: number): void {
  if (length !== undefined && size > length) throw new Failure("upload.length");
  if (limit !== undefined && size > limit) throw new Failure("file.tooLarge", { limit: sizeText(limit) });
}

/**
 * Whether a body ended with its connection: however that was cut, Bun throws an AbortError (1.4.5, closed or reset, in chunks or
 * not). Its message decides nothing, for that of a disk's error has a path in it, and the path may say anything.
 */
export const isCut = (error: unknown): boolean => error instanceof Error && error.name === "AbortError";
