import { ownName } from "../../lib/base-path.ts";
import { TRANSFERS } from "../../page/personal-items.ts";
import type { Memory } from "../ports.ts";

/** Opens a store in the browser's storage. Its library is loaded at the first use, because share pages do not need it. */
export function createBrowserMemory(storeName: string): Memory {
  let opening: Promise<LocalForage> | undefined;
  const open = async () => {
    const { default: localforage } = await import("localforage");
    return localforage.createInstance({ name: ownName(TRANSFERS), storeName });
  };
  const store = () => {
    opening ??= open();
    return opening;
  };
  return {
    get: async (key) => (await store()).getItem(key),
    set: async (key, value) => void (await (await store()).setItem(key, value)),
    remove: async (key) => (await store()).removeItem(key),
    keys: async () => (await store()).keys(),
  };
}
