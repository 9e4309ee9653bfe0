/** Tags of objects (S3 API, "Object tagging"), which stand in the database for every storage, and go with their objects. */
import type { ObjectHead } from "../stores/store.ts";
import type { ResolvedPath } from "./access.ts";
import type { MountedLocation } from "./layout.ts";
import { alone } from "./write.ts";

type Taggable = ResolvedPath & { readonly location: MountedLocation };

/**
 * Gives an object tags in place of those that it has; `look` says what is there. Returns whether anything is. 403 auth.forbidden,
 * path.forbidden; 423 path.locked; 507 property.tooMany, storage.full.
 */
export async function setTags(
  at: Taggable,
  tags: string,
  look: () => Promise<ObjectHead | undefined>,
): Promise<boolean> {
  const location = at.requireWritable("write", false);
  const { properties } = at.deps;
  return await alone(at, [location], async () => {
    const head = await look();
    if (!head) return false;
    await properties.requireTags(location.mount.storage, tags);
    await at.recheck("write", location)();
    await properties.setTags({ storage: location.mount.storage, key: head.key }, tags);
    return true;
  });
}
