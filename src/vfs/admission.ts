import { Failure } from "#contract/failures";
import type { ArrivingFile } from "../transfers/changes.ts";
import { openAccess, type ResolvePath, type TreeDeps } from "./access.ts";
import { keeps, pathIn } from "./layout.ts";

/**
 * Asks whether whoever began an upload into the tree may write to its key now, by one of the mounts that show the key; a lock by
 * any of them is met by each. Being allowed to copy is not enough: what comes by an address may be anything. 401 auth.expired, login.wrong, key.invalid,
 * auth.required; 403 auth.forbidden, path.forbidden, path.mount; 423 path.locked.
 */
export function createAdmission(deps: TreeDeps) {
  /** Why nobody may write to a key by this path; undefined when the caller may. */
  const refusalOf = async (resolve: ResolvePath, path: string, { at }: ArrivingFile): Promise<Failure | undefined> => {
    try {
      const resolved = resolve(path);
      const { mount, key } = resolved.requireWritable("write", false);
      await resolved.requireNameFree();
      return mount.storage === at.storage && key === at.key ? undefined : new Failure("path.forbidden");
    } catch (error) {
      if (error instanceof Failure) return error;
      throw error;
    }
  };

  return async (file: ArrivingFile): Promise<void> => {
    const { at, by, shared } = file;
    if (shared) return;
    const caller = await deps.callers.of(by);
    const resolve = await openAccess(deps, { caller, protocol: "mount" });
    const refusals: Failure[] = [];
    for (const mount of resolve("/").layout.mounts) {
      if (mount.storage !== at.storage || !keeps(mount, at.key)) continue;
      const refusal = await refusalOf(resolve, pathIn(mount, at.key), file);
      if (!refusal) return;
      refusals.push(refusal);
    }
    throw refusals.find(({ code }) => code === "path.locked") ?? refusals[0] ?? new Failure("path.forbidden");
  };
}
