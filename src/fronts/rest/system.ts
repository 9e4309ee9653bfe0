import { system as api } from "#contract/system";
import type { House } from "../../house.ts";
import type { Bind } from "./route.ts";

/** Whether the server runs, what it is, and what it lets anybody do. */
export function bindSystem(bind: Bind, { system: { health }, settings, access: { keys } }: House): void {
  bind(api.health, () => health.check());
  bind(api.maxUploadSize, () => ({ data: { max_upload_size: settings.get("max_upload_size") } }));
  bind(api.version, () => ({ data: health.version() }));
  bind(api.visitors, async () => {
    const visitor = await keys.visitors();
    return { data: { permissions: visitor?.permissions ?? 0, basic_path: visitor?.basePath ?? "/" } };
  });
}
