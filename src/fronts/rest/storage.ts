import { storage as api } from "#contract/storage";
import type { House } from "../../house.ts";
import { iso } from "../../lib/clock.ts";
import type { Bind } from "./route.ts";

/** The storages, over REST. */
export function bindStorage(bind: Bind, { transfers }: Pick<House, "transfers">): void {
  bind(api.list, async ({ principal }) => {
    const all = await transfers.storages();
    const usable = all.filter(({ config }) => principal.kind === "admin" || config.is_public === 1);
    return {
      data: usable.map(({ config, used }) => ({
        ...config,
        used_bytes: used,
        created_at: iso(config.created_at),
        updated_at: iso(config.updated_at),
      })),
    };
  });
}
