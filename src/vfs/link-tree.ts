import { isTooDeep, isTrashed, nameOf, treePath, within } from "#contract/paths";
import type { Caller, LinkCaller, LinkPlace } from "../access/principal.ts";
import { mayTouch } from "../access/rights.ts";
import type { Location } from "./entry.ts";
import { layoutOf, pathIn } from "./layout.ts";
import type { ShownMountRow } from "./mounts-table.ts";
import { createTopNames } from "./zip-names.ts";

/** An item of a link: what it is called there, and where the owner of the link sees it. */
export interface LinkedItem {
  readonly name: string;
  readonly isDirectory: boolean;
  /** Clean, as the owner sees it; undefined where they do not reach it at this moment. */
  readonly path: string | undefined;
  readonly place: LinkPlace;
  /** The mount that shows it to the owner. */
  readonly mount: ShownMountRow | undefined;
}

/** Items and whose tree they are looked for in; nobody's where the owner is gone. */
export interface Linked {
  readonly owner: Caller | undefined;
  readonly items: readonly LinkPlace[];
  /** Of whoever looks, where that is a visitor of the link. */
  readonly rights?: LinkCaller["rights"];
}

/** Who sees nothing of what is there gets a name of its own for what they bring, and learns none of what is there. */
export const isBlind = ({ rights }: Pick<Linked, "rights">): boolean =>
  rights !== undefined && !rights.includes("view");

type IsVisible = (caller: Caller, mount: ShownMountRow) => boolean;

const isFolder = ({ key }: LinkPlace): boolean => key === "" || key.endsWith("/");

const isAt = ({ key }: Location, place: LinkPlace): boolean => key === place.key || `${key}/` === place.key;

/** What an item is called at this moment; in the trash a key says nothing. */
function nameNow({ key, name }: LinkPlace): string {
  if (key === "" || isTrashed(key)) return name.normalize("NFC");
  return nameOf(key.endsWith("/") ? key.slice(0, -1) : key).normalize("NFC");
}

/** The items of a link, each under a name of its own, as its owner reaches them by the mounts of this moment. */
export function linkedItems(
  { owner, items, rights }: Linked,
  mounts: readonly ShownMountRow[],
  isVisible: IsVisible,
): LinkedItem[] {
  const layout = owner && layoutOf(owner, mounts, (mount) => isVisible(owner, mount));
  const names = createTopNames();

  /** Where a mount shows an item, if nothing stands before it and it is the owner's to act on. */
  const pathThrough = (mount: ShownMountRow, place: LinkPlace): string | undefined => {
    const path = mount.storage === place.storage ? treePath(pathIn(mount, place.key)) : undefined;
    if (path === undefined || isTooDeep(path) || !owner || !mayTouch(owner, path.normalize("NFC"))) return undefined;
    const at = layout?.location(path);
    return at?.mount?.id === mount.id && isAt(at, place) ? path : undefined;
  };

  /**
   * The mount through which an item was chosen, or the first other one that shows it and nothing else: what stands in it there is not what
   * its owner has chosen.
   */
  const find = (place: LinkPlace): Pick<LinkedItem, "path" | "mount"> => {
    const showing = (place.isGone ? [] : (layout?.mounts ?? [])).flatMap((mount) => {
      const path = pathThrough(mount, place);
      return path === undefined ? [] : [{ path, mount }];
    });
    const holdsOthers = ({ path, mount }: { readonly path: string; readonly mount: ShownMountRow }): boolean =>
      mounts.some(({ id, path: inner }) => id !== mount.id && within(path.normalize("NFC"), inner));
    const chosen = showing.find(({ mount }) => mount.id === place.mount);
    return chosen ?? showing.find((one) => !holdsOthers(one)) ?? { path: undefined, mount: undefined };
  };

  return items.map((place, index) => {
    const isDirectory = isFolder(place);
    const own = isBlind({ rights }) ? `${index + 1}` : nameNow(place);
    return { name: names.take(own, isDirectory ? "folder" : "file"), isDirectory, place, ...find(place) };
  });
}

/** The folders of a link in its own tree, each with a slash at its end: these take what visitors bring. */
export const uploadFolders = (items: readonly LinkedItem[]): string[] =>
  items.flatMap(({ name, isDirectory, path }) => (isDirectory && path !== undefined ? [`/${name}/`] : []));

/** Nothing of a mount that its owner alone may know, and nothing that would lead around the link. */
const neutral = (mount: ShownMountRow, path: string, root: string): ShownMountRow => ({
  ...mount,
  ...{ id: path, name: nameOf(path), path, root, remark: null, storage_name: "", created_by: "" },
  ...{ web_proxy: 0, webdav_policy: "native_proxy", trash: 0 },
});

/** A tree as mounts, some of which hide what lies behind them. */
interface MadeTree {
  readonly mounts: readonly ShownMountRow[];
  readonly isVisible: (mount: ShownMountRow) => boolean;
}

/** The tree that was made last of some items, and of what. */
interface Remembered {
  readonly mounts: readonly ShownMountRow[];
  readonly reach: string;
  readonly tree: MadeTree;
}

/** By the items of a link, which are the same list until the link or what it leads to changes. */
const remembered = new WeakMap<readonly LinkPlace[], Remembered>();

/** All of a visitor and of the owner that decides what there is and what it is called. */
const reachOf = ({ owner, ...link }: LinkCaller): string =>
  `${isBlind(link) ? "blind" : "seeing"} ${owner.kind === "admin" ? "" : owner.basePath}`;

/**
 * The tree of a link as mounts: at its root each item that its owner reaches, and in it the mounts that stand in it for the owner. One
 * that the owner does not see hides what lies behind it.
 */
export function linkTree(link: LinkCaller, mounts: readonly ShownMountRow[], isVisible: IsVisible): MadeTree {
  const before = remembered.get(link.items);
  const reach = reachOf(link);
  if (before?.mounts === mounts && before.reach === reach) return before.tree;
  const tree = makeTree(link, mounts, isVisible);
  remembered.set(link.items, { mounts, reach, tree });
  return tree;
}

function makeTree(link: LinkCaller, mounts: readonly ShownMountRow[], isVisible: IsVisible): MadeTree {
  const hidden = new Set<ShownMountRow>();
  const made: ShownMountRow[] = [];
  for (const { name, isDirectory, path, place, mount } of linkedItems(link, mounts, isVisible)) {
    if (path === undefined || !mount) continue;
    const at = path.normalize("NFC");
    made.push(neutral(mount, `/${name}`, place.key));
    if (!isDirectory) continue;
    for (const inner of mounts) {
      if (inner.id === mount.id || !within(at, inner.path)) continue;
      const shown = neutral(inner, `/${name}${inner.path.slice(at.length)}`, "");
      made.push(shown);
      if (!isVisible(link.owner, inner)) hidden.add(shown);
    }
  }
  return { mounts: made, isVisible: (mount: ShownMountRow): boolean => !hidden.has(mount) };
}
