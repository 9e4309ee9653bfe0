import { isTooDeep, isTrashed, nameOf, treePath, within } from "#contract/paths";
import { allows } from "#contract/permissions";
import { type Caller, type LinkCaller, type LinkedText, type LinkPlace, TEXTS } from "../access/principal.ts";
import { mayLinkText, mayTouch } from "../access/rights.ts";
import type { Location } from "./entry.ts";
import { layoutOf, pathIn } from "./layout.ts";
import type { ShownMountRow } from "./mounts-table.ts";
import { createTopNames } from "./zip-names.ts";

/** An item of a link: what it is called there, and where the owner of the link sees it. */
export interface LinkedItem {
  readonly name: string;
  readonly isDirectory: boolean;
  /** Clean, as the owner sees it; undefined where they do not reach it at this moment, and for texts. */
  readonly path: string | undefined;
  /** Of a text that its owner may give away at this moment. */
  readonly text: LinkedText | undefined;
  readonly place: LinkPlace;
  /** The mount that shows it to the owner; of a text one that is nowhere else. */
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

/** A mount of one text. Nothing else is in it, so nothing can be written there. */
const textMount: ShownMountRow = {
  ...{
    id: TEXTS,
    name: "",
    path: "",
    storage: TEXTS,
    storage_name: "",
    provider_type: TEXTS,
    bucket: TEXTS,
    remark: null,
  },
  ...{ is_active: 1, is_public: 1, sort_order: 0, cache_ttl: 0, web_proxy: 0, webdav_policy: "native_proxy" },
  ...{ enable_sign: 0, sign_expires: null, readme: 0, trash: 0, created_by: "" },
  ...{ last_used: null, created_at: 0, updated_at: 0 },
};

const isFolder = ({ key }: LinkPlace): boolean => key === "" || key.endsWith("/");

const isAt = ({ key }: Location, place: LinkPlace): boolean => key === place.key || `${key}/` === place.key;

/** What an item is called at this moment; in the trash a key says nothing. */
function nameNow({ key, name, storage }: LinkPlace): string {
  if (storage === TEXTS || key === "" || isTrashed(key)) return name.normalize("NFC");
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
  const find = (place: LinkPlace): Pick<LinkedItem, "path" | "mount" | "text"> => {
    if (place.storage === TEXTS) return textOf(place, owner);
    const showing = (place.isGone ? [] : (layout?.mounts ?? [])).flatMap((mount) => {
      const path = pathThrough(mount, place);
      return path === undefined ? [] : [{ path, mount }];
    });
    const holdsOthers = ({ path, mount }: { readonly path: string; readonly mount: ShownMountRow }): boolean =>
      mounts.some(({ id, path: inner }) => id !== mount.id && within(path.normalize("NFC"), inner));
    const chosen = showing.find(({ mount }) => mount.id === place.mount);
    return { text: undefined, ...(chosen ?? showing.find((one) => !holdsOthers(one)) ?? nowhere) };
  };

  return items.map((place, index) => {
    const isDirectory = isFolder(place);
    const own = isBlind({ rights }) ? `${index + 1}` : nameNow(place);
    return { name: names.take(own, isDirectory ? "folder" : "file"), isDirectory, place, ...find(place) };
  });
}

const nowhere = { path: undefined, mount: undefined, text: undefined };

/** A text, if it is still there and its owner's to give away. */
function textOf({ isGone, text }: LinkPlace, owner: Caller | undefined): Pick<LinkedItem, "path" | "mount" | "text"> {
  const isGiven = text && !isGone && owner && mayLinkText(owner, text.createdBy);
  return isGiven ? { path: undefined, mount: textMount, text } : nowhere;
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

/** All of a visitor and of the owner that decides what there is, what it is called, and which texts are the owner's to give. */
const reachOf = ({ owner, ...link }: LinkCaller): string => {
  const sight = isBlind(link) ? "blind" : "seeing";
  return owner.kind === "admin" ? sight : `${sight} ${allows(owner.permissions, "text")} ${owner.basePath}`;
};

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
    if (!mount) continue;
    made.push(neutral(mount, `/${name}`, place.key));
    if (!isDirectory || path === undefined) continue;
    const at = path.normalize("NFC");
    for (const inner of mounts) {
      if (inner.id === mount.id || !within(at, inner.path)) continue;
      const shown = neutral(inner, `/${name}${inner.path.slice(at.length)}`, "");
      made.push(shown);
      if (!isVisible(link.owner, inner)) hidden.add(shown);
    }
  }
  return { mounts: made, isVisible: (mount: ShownMountRow): boolean => !hidden.has(mount) };
}
