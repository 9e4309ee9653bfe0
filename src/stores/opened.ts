import { isLocal } from "#contract/providers";
import type { StorageRow } from "./configs-table.ts";
import type { ObjectStore } from "./store.ts";

/** Keeps the stores that were opened. A configuration may be read late: a store serves only readers of the configuration it was made from. */
export function createOpened(create: (config: StorageRow) => ObjectStore) {
  const opened = new Map<string, { readonly made: string; readonly store: ObjectStore }>();

  return {
    open(config: StorageRow): ObjectStore {
      const made = madeOf(config);
      const before = opened.get(config.id);
      if (before?.made === made) return before.store;
      const store = create(config);
      opened.set(config.id, { made, store });
      return store;
    },

    forget: (id: string): void => void opened.delete(id),
  };
}

/**
 * The options of a store as one text; a store of this machine knows its running writes, so it must not be opened again for
 * other reasons.
 */
const madeOf = (config: StorageRow): string =>
  JSON.stringify(
    isLocal(config)
      ? [config.provider_type, config.bucket_name]
      : [
          ...[config.provider_type, config.endpoint_url, config.region, config.bucket_name, config.path_style],
          ...[config.access_key_id, config.sealed_secret],
        ],
  );
