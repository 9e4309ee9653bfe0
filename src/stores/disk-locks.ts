import { isFolderKey } from "./disk-paths.ts";

interface Holder {
  readonly keys: ReadonlySet<string>;
  readonly folders: readonly string[];
  readonly ended: Promise<void>;
}

/**
 * Keeps apart what changes the same keys, in the order in which it came; a folder's key stands for all below it. Between the
 * steps of one nobody else then writes there, and what the database says of a file stays with the file.
 */
export function createKeyLocks() {
  const holders = new Set<Holder>();

  return async <Result>(keys: readonly string[], task: () => Promise<Result>): Promise<Result> => {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const holder: Holder = { keys: new Set(keys), folders: keys.filter(isFolderKey), ended };
    const before = [...holders].filter((other) => overlap(holder, other));
    holders.add(holder);
    try {
      for (const other of before) await other.ended;
      return await task();
    } finally {
      holders.delete(holder);
      resolve();
    }
  };
}

export type KeyLocks = ReturnType<typeof createKeyLocks>;

const overlap = (one: Holder, other: Holder): boolean =>
  !one.keys.isDisjointFrom(other.keys) || covers(one.folders, other.keys) || covers(other.folders, one.keys);

const covers = (folders: readonly string[], keys: ReadonlySet<string>): boolean =>
  folders.some((folder) => keys.values().some((key) => key.startsWith(folder)));
