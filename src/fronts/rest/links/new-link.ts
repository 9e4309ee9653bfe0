import { Failure } from "#contract/failures";
import type { ChangedLinkItem, LinkChange, NewLink, NewLinkItem } from "#contract/links";
import { nameOf } from "#contract/paths";
import { type Caller, type LinkPlace, TEXTS } from "../../../access/principal.ts";
import { mayLinkText } from "../../../access/rights.ts";
import type { House } from "../../../house.ts";
import { inOrder } from "../../../lib/turns.ts";
import { textFileName } from "../../../links/link-values.ts";
import type { OwnedLink, WantedItem } from "../../../links/own-links.ts";
import { isGone } from "../../../shares/share-state.ts";
import { isFile, isMounted } from "../../../vfs/entry.ts";
import type { View } from "../../../vfs/view.ts";

type Rooms = Pick<House, "links" | "vfs" | "shares" | "clock">;

/** Items that are looked at side by side: a storage elsewhere takes its time for each. */
const LOOKS = 16;

export const folderKey = (key: string): string => (key === "" ? "" : `${key}/`);

/**
 * Finds what items stand for as a caller sees them, in their order. 400 link.item; 403 auth.forbidden, path.forbidden; 404 path.missing,
 * share.missing; 410 file.gone, share.gone.
 */
const placesIn =
  (rooms: Omit<Rooms, "links">) =>
  async (caller: Caller, items: readonly NewLinkItem[]): Promise<LinkPlace[]> => {
    const view = await rooms.vfs.as(caller, "mount");
    const named = await pathsOf(rooms, caller, items);
    const look = (item: string | TextItem): Promise<LinkPlace> =>
      typeof item === "string" ? placeAt(view, item) : textPlace(rooms, caller, item);
    const places: LinkPlace[] = [];
    for await (const place of inOrder(named, LOOKS, look)) places.push(place);
    return places;
  };

type TextItem = Extract<NewLinkItem, { readonly paste: string }>;

/** What lies at a path. */
async function placeAt(view: View, path: string): Promise<LinkPlace> {
  const node = view.at(path);
  node.requireInBasePath("list");
  const found = await node.stat();
  const { location } = found;
  if (!isMounted(location)) throw new Failure("link.item");
  const key = isFile(found) ? location.key : folderKey(location.key);
  const { id: mount, storage } = location.mount;
  return { storage, key, mount, name: nameOf(location.path) };
}

/** A text of the caller's. It opens behind the link without its own password and views, so it must be theirs to give. */
async function textPlace(
  { shares, clock }: Omit<Rooms, "links">,
  caller: Caller,
  { paste }: TextItem,
): Promise<LinkPlace> {
  const row = await shares.pastes.find(caller, paste);
  if (!mayLinkText(caller, row.created_by)) throw new Failure("auth.forbidden");
  if (isGone(row, clock())) throw new Failure("share.gone");
  const name = textFileName({ title: row.remark, slug: row.slug, isPlain: row.plain === 1 });
  return { storage: TEXTS, key: row.id, mount: "", name };
}

/** Items with the paths of files in place of their shares: a share of the caller's is its file, wherever a mount shows them that at this moment. */
async function pathsOf(
  { vfs, shares }: Omit<Rooms, "links">,
  caller: Caller,
  items: readonly NewLinkItem[],
): Promise<(string | TextItem)[]> {
  const ids = items.flatMap((item) => (typeof item === "object" && "file" in item ? [item.file] : []));
  const found: LinkPlace[] = [];
  for await (const row of inOrder(ids, LOOKS, (id) => shares.files.read(caller, id))) {
    const { storage, key, filename: name, file_gone_at, sealed } = row;
    // Behind another link it would be without its names.
    if (sealed !== null) throw new Failure("sealed.unreadable");
    if (file_gone_at !== null) throw new Failure("file.gone");
    found.push({ storage, key, mount: "", name });
  }
  const seen = (await vfs.itemsOf({ owner: caller, items: found })).values();
  return items.map((item) => {
    if (typeof item === "string" || "paste" in item) return item;
    const path = "path" in item ? item.path : seen.next().value?.path;
    if (path === undefined) throw new Failure("link.item");
    return path;
  });
}

/** Each place once. */
const distinct = (places: readonly LinkPlace[]): LinkPlace[] => [
  ...new Map(places.map((place) => [`${place.storage} ${place.key}`, place])).values(),
];

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
  if (caller.kind === "key" && caller.isVisitor) throw new Failure("auth.required");
  const { links } = rooms;
  const places = placesIn(rooms);
  const link = await links.create(caller, request, distinct(await places(caller, items)));
  // Whatever was moved before the link was there to follow it has been missed.
  try {
    if (!areSame(link.items, distinct(await places(caller, items)))) throw new Failure("path.missing");
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

const isNewItem = (item: ChangedLinkItem): item is NewLinkItem => typeof item === "string" || !("kept" in item);

/** What a link shall lead to: what it has already is not looked for. */
async function wantedOf(rooms: Rooms, owner: Caller, items: readonly ChangedLinkItem[]): Promise<WantedItem[]> {
  const found = (await placesIn(rooms)(owner, items.filter(isNewItem))).values();
  return items.flatMap((item) => (isNewItem(item) ? (found.next().value ?? []) : item));
}

const nameOfPlace = ({ storage, key }: Pick<LinkPlace, "storage" | "key">): string => `${storage} ${key}`;

/**
 * Changes a link. 404 path.missing also when something was moved meanwhile, and then what is new in the link leads nowhere; else as
 * `placesIn` and `links.update`.
 */
export async function changeLink(
  rooms: Rooms,
  caller: Caller,
  id: string,
  { items, ...change }: LinkChange,
): Promise<OwnedLink> {
  const { links } = rooms;
  const { owner = caller, items: before } = await links.read(caller, id);
  if (items === undefined) return await links.update(caller, id, change, undefined);
  const link = await links.update(caller, id, change, await wantedOf(rooms, owner, items));
  const known = new Set(before.map((item) => item.id));
  const added = link.items.filter((item) => !known.has(item.id));
  // Whatever was moved before the link led there has been missed.
  try {
    const now = (await wantedOf(rooms, owner, items)).flatMap((item) => ("kept" in item ? [] : nameOfPlace(item)));
    if (!new Set(now).isSupersetOf(new Set(added.map(nameOfPlace)))) throw new Failure("path.missing");
  } catch (error) {
    await links.lose(
      id,
      added.map((item) => item.id),
    );
    throw error;
  }
  return link;
}
