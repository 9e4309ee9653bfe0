import { system as api } from "#contract/system";
import type { House } from "../../house.ts";
import type { Bind } from "./route.ts";

/** Whether the server runs, and what it is. */
export function bindSystem(bind: Bind, { system: { health } }: Pick<House, "system">): void {
  bind(api.health, () => health.check());
  bind(api.version, () => ({ data: health.version() }));
}
