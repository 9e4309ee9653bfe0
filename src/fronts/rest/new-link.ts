import { Failure } from "#contract/failures";
import type { NewLink, NewLinkItem } from "#contract/links";
import { nameOf } from "#contract/paths";
import type { Caller, LinkPlace } from "../../access/principal.ts";
import type { House } from "../../house.ts";
import { inOrder } from "../../lib/turns.ts";
import type { OwnedLink } from "../../links/own-links.ts";
import { isFile, isMounted } from "../../vfs/entry.ts";

type Rooms = Pick<House, "links" | "vfs" | "shares">;

/** Paths that are looked at side by side: a storage elsewhere takes its time for each. */
const LOOKS = 16;

export const folderKey = (key: string): string => (key === "" ? "" : `${key}/`);

/**
 * Finds what items stand for as a caller sees them, each once. 400 link.item; 403 path.forbidden; 404 path.missing, share.missing;
 * 410 file.gone.
 */
export const placesIn =
  ({ vfs, shares }: Pick<Rooms, "vfs" | "shares">) =>
  async (caller: Caller, items: readonly NewLinkItem[]): Promise<LinkPlace[]> => {
    const paths = await pathsOf({ vfs, shares }, caller, items);
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

/** The paths of items: a share of the caller's is its file, wherever a mount shows them that at this moment. */
async function pathsOf(
  { vfs, shares }: Pick<Rooms, "vfs" | "shares">,
  caller: Caller,
  items: readonly NewLinkItem[],
): Promise<string[]> {
  const ids = items.flatMap((item) => (typeof item === "object" && "file" in item ? [item.file] : []));
  const found: Omit<LinkPlace, "isGone">[] = [];
  for await (const row of inOrder(ids, LOOKS, (id) => shares.files.read(caller, id))) {
    const { storage, key, filename: name, file_gone_at } = row;
    if (file_gone_at !== null) throw new Failure("file.gone");
    found.push({ storage, key, mount: "", name });
  }
  const seen = (await vfs.itemsOf({ owner: caller, items: found })).values();
  return items.map((item) => {
    if (typeof item === "string") return item;
    const path = "path" in item ? item.path : seen.next().value?.path;
    if (path === undefined) throw new Failure("link.item");
    return path;
  });
}

/**
 * Makes a link to items. A visitor makes none: nobody but the administrator could see it again, or end it. 401 auth.required;
 * 404 path.missing also when something was moved meanwhile; else as `placesIn` and `links.create`.
 */
export async function makeLink(
  rooms: Rooms,
  caller: Caller,
  request: Omit<NewLink, "items">,
  items: readonly NewLinkItem[],
): Promise<OwnedLink> {
  if (caller.kind === "key" && caller.visitor) throw new Failure("auth.required");
  const { links } = rooms;
  const places = placesIn(rooms);
  const link = await links.create(caller, request, await places(caller, items));
  // Whatever was moved before the link was there to follow it has been missed.
  try {
    if (!areSame(link.items, await places(caller, items))) throw new Failure("path.missing");
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
