import { browserStorage, type KeyValue } from "../lib/storage.ts";
import { createStore } from "../lib/store.ts";

const SEALED = "satchel-sealed";
const TOGETHER = "satchel-sealed-together";

interface SealingPorts {
  readonly storage: KeyValue;
  /** Reports whether this page can encrypt: browsers leave WebCrypto away where a page came over plain http. */
  readonly able: () => boolean;
}

/** What this browser remembers of how its person seals: whether, and several files in one link or apart. Nothing secret. */
export function createSealing({ storage, able }: SealingPorts) {
  const remembered = (key: string) => {
    const store = createStore(storage.get(key) === "1");
    return {
      store,
      choose(next: boolean): void {
        store.set(next);
        if (next) storage.set(key, "1");
        else storage.remove(key);
      },
    };
  };
  const [sealed, together] = [remembered(SEALED), remembered(TOGETHER)];
  /** Somebody has asked to seal where that cannot be. */
  const refused = createStore(false);
  /** It is on since a share before this one, so that somebody may not know. */
  const carried = createStore(sealed.store.get());
  return {
    able,
    sealed: sealed.store,
    carried,
    together: together.store,
    refused,
    /** Whether what is shared now is sealed. */
    isOn: (): boolean => sealed.store.get() && able(),
    choose(next: boolean): void {
      refused.set(!able());
      carried.set(false);
      if (able()) sealed.choose(next);
    },
    /** Something was shared: what comes next is another share. */
    shared: (): void => carried.set(sealed.store.get()),
    gather: together.choose,
  };
}

export type Sealing = ReturnType<typeof createSealing>;

/** The sealing of this browser. */
export const sealing = createSealing({ storage: browserStorage, able: () => crypto.subtle !== undefined });
