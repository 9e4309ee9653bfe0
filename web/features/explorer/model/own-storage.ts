import { credential, personOf } from "../../../api/credential.ts";
import { browserStorage, type KeyValue } from "../../../lib/storage.ts";

/** What this browser keeps for one person, and shows to nobody else who signs in at it. */
export function createOwnStorage<Value>(
  key: string,
  read: (value: unknown) => Value,
  storage: KeyValue = browserStorage,
  person: () => string = () => personOf(credential.state.get()) ?? "",
) {
  return {
    /** What was kept of who is here now, as far as it makes sense: another version of these pages may have written it. */
    get(): Value {
      try {
        const kept: unknown = JSON.parse(storage.get(key) ?? "null");
        const isOwn = typeof kept === "object" && kept !== null && "of" in kept && kept.of === person();
        return read(isOwn && "value" in kept ? kept.value : undefined);
      } catch {
        return read(undefined);
      }
    },
    /** False when the browser refuses: storage is off or full. */
    set: (value: Value): boolean => storage.set(key, JSON.stringify({ of: person(), value })),
    remove: () => storage.remove(key),
  };
}
