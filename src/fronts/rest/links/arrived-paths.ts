import { Failure } from "#contract/failures";
import type { Caller, LinkPlace } from "../../../access/principal.ts";
import type { House } from "../../../house.ts";
import { inOrder } from "../../../lib/turns.ts";
import type { ArrivalRow } from "../../../links/arrivals-table.ts";

/** Files that are looked at side by side: a storage elsewhere takes its time for each. */
const LOOKS = 16;

/**
 * Where the owner of a link to these items finds what has come by it, by the ids of files, without those that were moved or deleted
 * since. Of one whose storage does not answer nobody knows: its place may be right.
 */
export async function arrivedPaths(
  vfs: House["vfs"],
  owner: Caller,
  { items: chosen, files }: { readonly items: readonly LinkPlace[]; readonly files: readonly ArrivalRow[] },
): Promise<ReadonlyMap<string, string>> {
  const arrived = files.filter(({ state }) => state === "there");
  const places = arrived.map(({ storage, key, name }) => ({
    storage,
    key,
    mount: mountOf(chosen, { storage, key }),
    name,
  }));
  const items = await vfs.itemsOf({ owner, items: places });
  const view = await vfs.as(owner, "mount");
  const look = async (path: string | undefined): Promise<string | undefined> => {
    if (path === undefined) return undefined;
    try {
      return (await view.at(path).stat()).entry.kind === "file" ? path : undefined;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return error.code === "path.missing" || error.code === "mount.none" ? undefined : path;
    }
  };
  const found = new Map<string, string>();
  const seen = arrived.values();
  for await (const path of inOrder(
    items.map((item) => item.path),
    LOOKS,
    look,
  )) {
    const { value: file } = seen.next();
    if (file && path !== undefined) found.set(file.id, path);
  }
  return found;
}

/** The mount by which the owner of a link has chosen the folder of a file: of several that show its storage the link names that one. */
function mountOf(chosen: readonly LinkPlace[], { storage, key }: Pick<LinkPlace, "storage" | "key">): string {
  const isAround = (place: LinkPlace) =>
    place.storage === storage && (place.key === "" || place.key.endsWith("/")) && key.startsWith(place.key);
  const around = chosen.filter(isAround);
  return around.sort((a, b) => b.key.length - a.key.length)[0]?.mount ?? "";
}
