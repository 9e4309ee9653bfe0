import { credential, personOf } from "../../../api/session/credential.ts";
import { browserStorage, type KeyValue } from "../../../lib/storage.ts";

/** Stores a value in this browser for one person; nobody else who signs in here can see it. */
export function createOwnStorage<Value>(
  key: string,
  read: (value: unknown) => Value,
  storage: KeyValue = browserStorage,
) {
  const person = (): string => personOf(credential.state.get()) ?? "";
  return {
    /** Returns the current person's value, as far as it is valid: another version of the app may have written it. */
    get(): Value {
      try {
        const kept: unknown = JSON.parse(storage.get(key) ?? "null");
        const isOwn = typeof kept === "object" && kept !== null && "of" in kept && kept.of === person();
        return read(isOwn && "value" in kept ? kept.value : undefined);
      } catch {
        return read(undefined);
      }
    },
    /** Stores the value; false if the browser refuses because storage is off or full. */
    set: (value: Value): boolean => storage.set(key, JSON.stringify({ of: person(), value })),
    remove: () => storage.remove(key),
  };
}
