import { nameFrom, ownName } from "./base-path.ts";

/** What survives a reload: the part of the Web Storage API that Satchel uses. */
export interface KeyValue {
  get(key: string): string | null;
  /** False when the browser refuses: storage is off or full. */
  set(key: string, value: string): boolean;
  remove(key: string): void;
}

/** Wraps localStorage, whose very getter throws where the person has switched site storage off. Keys are those of this server. */
export function createKeyValue(open: () => Storage): KeyValue {
  const attempt = <T>(act: (storage: Storage) => T, refused: T): T => {
    try {
      return act(open());
    } catch {
      return refused;
    }
  };
  return {
    get: (key) => attempt((storage) => storage.getItem(ownName(key)), null),
    set: (key, value) =>
      attempt((storage) => {
        storage.setItem(ownName(key), value);
        return true;
      }, false),
    remove: (key) => attempt((storage) => storage.removeItem(ownName(key)), undefined),
  };
}

/** The key of an event of the storage: null when all has gone, undefined for that of another server of this host. */
export const keyIn = ({ key }: Pick<StorageEvent, "key">): string | null | undefined =>
  key === null ? null : nameFrom(key);

/** The browser's own storage. */
export const browserStorage = createKeyValue(() => window.localStorage);

/** The storage of this tab, which ends with it. */
export const tabStorage = createKeyValue(() => window.sessionStorage);
