import { Failure } from "#contract/failures";
import type { NewLink } from "#contract/links";
import { nameOf } from "#contract/paths";
import type { Caller, LinkPlace } from "../../access/principal.ts";
import type { House } from "../../house.ts";
import { inOrder } from "../../lib/turns.ts";
import type { OwnedLink } from "../../links/own-links.ts";
import { isFile, isMounted } from "../../vfs/entry.ts";

type Rooms = Pick<House, "links" | "vfs">;

/** Paths that are looked at side by side: a storage elsewhere takes its time for each. */
const LOOKS = 16;

export const folderKey = (key: string): string => (key === "" ? "" : `${key}/`);

/** Finds what paths lead to as a caller sees them, each once. 400 link.item; 403 path.forbidden; 404 path.missing. */
export const placesIn =
  ({ vfs }: Pick<Rooms, "vfs">) =>
  async (caller: Caller, paths: readonly string[]): Promise<LinkPlace[]> => {
    const view = await vfs.as(caller, "mount");
    const look = async (path: string): Promise<LinkPlace> => {
      const node = view.at(path);
      node.requireInBasePath("list");
      const found = await node.stat();
      const { location } = found;
      if (!isMounted(location)) throw new Failure("link.item");
      const key = isFile(found) ? location.key : folderKey(location.key);
      const { id: mount, storage } = location.mount;
      return { storage, key, mount, name: nameOf(location.path) };
    };
    const places = new Map<string, LinkPlace>();
    for await (const place of inOrder(paths, LOOKS, look)) places.set(`${place.storage} ${place.key}`, place);
    return [...places.values()];
  };

/**
 * Makes a link to what lies at paths. A visitor makes none: nobody but the administrator could see it again, or end it. 401 auth.required;
 * 404 path.missing also when something was moved meanwhile; else as `placesIn` and `links.create`.
 */
export async function makeLink(
  rooms: Rooms,
  caller: Caller,
  request: Omit<NewLink, "items">,
  paths: readonly string[],
): Promise<OwnedLink> {
  if (caller.kind === "key" && caller.visitor) throw new Failure("auth.required");
  const { links } = rooms;
  const places = placesIn(rooms);
  const link = await links.create(caller, request, await places(caller, paths));
  // Whatever was moved before the link was there to follow it has been missed.
  try {
    if (!areSame(link.items, await places(caller, paths))) throw new Failure("path.missing");
  } catch (error) {
    await links.remove(caller, link.row.id);
    throw error;
  }
  return link;
}

const areSame = (some: readonly LinkPlace[], others: readonly LinkPlace[]): boolean =>
  some.length === others.length && some.every(({ key, storage }, index) => isAt(others[index], { key, storage }));

const isAt = (place: LinkPlace | undefined, { storage, key }: Pick<LinkPlace, "storage" | "key">): boolean =>
  place?.storage === storage && place.key === key;
