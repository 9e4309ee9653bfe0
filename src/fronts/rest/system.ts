import { system as api } from "#contract/system";
import type { House } from "../../house.ts";
import type { Bind } from "./route.ts";

/** Whether the server runs, and what it is. */
export function bindSystem(bind: Bind, { system: { health }, settings }: Pick<House, "system" | "settings">): void {
  bind(api.health, () => health.check());
  bind(api.maxUploadSize, () => ({ data: { max_upload_size: settings.get("max_upload_size") } }));
  bind(api.version, () => ({ data: health.version() }));
}
