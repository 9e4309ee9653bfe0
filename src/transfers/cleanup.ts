/** Cleanup of dropped uploads, storage by storage. */
import { Failure, type FailureCode } from "#contract/failures";
import { type Log, logUnhandled, unforeseen } from "../lib/log.ts";

const SLICE = 20;
/** Failures of storages that would only be waited for as long again. */
const SILENCE: readonly FailureCode[] = ["storage.unreachable", "storage.busy"];

const isSilence = (error: unknown): boolean => error instanceof Failure && SILENCE.includes(error.code);

interface Abandoned {
  readonly id: string;
  /** Where its object is. */
  readonly storage: string;
}

/**
 * Clears away everything that `next` returns, a few at a time, and returns how many. A row that cannot be cleared does not stop
 * the others, and a storage that does not answer is waited for once; the first failure is thrown at the end. `silent` names the
 * storages that are not waited for at all, whose rows `next` leaves out.
 */
export async function clearEach<Row extends Abandoned>(
  next: (limit: number, silent: readonly string[]) => Promise<readonly Row[]>,
  clear: (row: Row) => Promise<void>,
  silent: Set<string> = new Set(),
): Promise<number> {
  const failed = new Map<string, unknown>();
  const clearOne = async (row: Row): Promise<number> => {
    if (silent.has(row.storage)) return 0;
    try {
      await clear(row);
      return 1;
    } catch (error) {
      failed.set(row.id, error);
      if (isSilence(error)) silent.add(row.storage);
      return 0;
    }
  };
  let cleared = 0;
  for (;;) {
    const slice = (await next(SLICE + failed.size, [...silent])).filter(
      ({ id, storage }) => !failed.has(id) && !silent.has(storage),
    );
    for (const row of slice) cleared += await clearOne(row);
    if (slice.length > 0) continue;
    for (const error of failed.values()) throw error;
    return cleared;
  }
}

interface Unsettled {
  readonly storage: string;
  readonly silent: Set<string>;
  readonly log: Log;
}

/** Logs why something of a storage could not be settled, which does not stop the rest, or notes that the storage does not answer. */
export function noteUnsettled(error: unknown, { storage, silent, log }: Unsettled): void {
  if (isSilence(error)) silent.add(storage);
  else if (error instanceof Failure) log.warn("change not settled", { storage, ...unforeseen(error) });
  else logUnhandled(log, error, { storage });
}
