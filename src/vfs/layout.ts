import { Failure } from "#contract/failures";
import { nameOf, parentOf, within } from "#contract/paths";
import type { TreeCaller } from "../access/principal.ts";
import { maySee, mayTouch } from "../access/rights.ts";
import type { Place } from "../stores/store.ts";
import { type Location, parsePath } from "./entry.ts";
import type { ShownMountRow } from "./mounts-table.ts";

/** A part of a storage that belongs to a folder of the tree. */
export interface Span {
  readonly mount: ShownMountRow;
  /** The key of a folder, or of the one file of its mount; empty is the whole storage. */
  readonly folder: string;
  /** What follows that in the keys of folders at which other mounts stand; composed, however the storage spells them. */
  readonly except: readonly string[];
}

/** As paths are compared: some systems take letters apart that others compose. */
export const composed = (path: string): string => path.normalize("NFC");

/** The key of the folder that a location would be. */
export const folderKeyOf = ({ key }: Pick<Location, "key">): string => (key === "" ? "" : `${key}/`);

/** Whether a mount shows one file and nothing else. */
export const isOneFile = ({ root = "" }: Pick<ShownMountRow, "root">): boolean => root !== "" && !root.endsWith("/");

/** Whether a mount shows a key, or the folder without its slash that it shows itself. */
export const keeps = ({ root = "" }: Pick<ShownMountRow, "root">, key: string): boolean =>
  isOneFile({ root }) ? key === root : `${key}/`.startsWith(root);

/** The path of an object, or of a folder without its slash, in a mount that keeps it. */
export function pathIn({ path, root = "" }: Pick<ShownMountRow, "path" | "root">, key: string): string {
  const below = key.slice(root.length);
  return below === "" ? path : `${path}/${below.endsWith("/") ? below.slice(0, -1) : below}`;
}

/**
 * The folder of a key at which another mount stands, in the letters of the key. Whoever asks for a path asks by its composed form, so that
 * a mount stands before a folder in every spelling.
 */
export function shadowOf({ folder, except }: Pick<Span, "folder" | "except">, key: string): string | undefined {
  if (except.length === 0) return undefined;
  const below = key.slice(folder.length);
  const asked = composed(below);
  const shadow = except.find((one) => asked.startsWith(one));
  if (shadow === undefined) return undefined;
  const names = below.split("/").slice(0, shadow.split("/").length - 1);
  return `${folder}${names.join("/")}/`;
}

/** Whether a part of a storage holds a key. */
export const holds = (span: Span, key: string): boolean =>
  (isOneFile(span.mount) ? key === span.folder : key.startsWith(span.folder)) && shadowOf(span, key) === undefined;

/** Whether a part of a storage shows an object or a folder. */
export const shows = (span: Span, { storage, key }: Place): boolean =>
  span.mount.storage === storage && holds(span, key);

/** What lies at a path of a mount, as a key without a slash at its end. */
function keyAt(mount: ShownMountRow, path: string): string {
  const below = path.split("/").slice(mount.path.split("/").length).join("/");
  const { root = "" } = mount;
  return below === "" && root.endsWith("/") ? root.slice(0, -1) : root + below;
}

/** Names in a folder that lead to mounts below it, with the mount that stands there, if one does. */
function namesIn(folder: string, below: readonly ShownMountRow[]): Map<string, ShownMountRow | undefined> {
  const depth = folder === "/" ? 1 : folder.split("/").length;
  const found = new Map<string, ShownMountRow | undefined>();
  for (const mount of below) {
    const segments = mount.path.split("/");
    const name = segments[depth] ?? "";
    if (segments.length === depth + 1 || !found.has(name))
      found.set(name, segments.length === depth + 1 ? mount : found.get(name));
  }
  return found;
}

/** Of mounts within one another the innermost at a path. */
const innermost = (mounts: readonly ShownMountRow[], path: string): ShownMountRow | undefined =>
  mounts
    .filter((mount) => within(mount.path, path))
    .reduce<ShownMountRow | undefined>(
      (inner, mount) => (inner && inner.path.length > mount.path.length ? inner : mount),
      undefined,
    );

/** Mounts in the order of their paths, by the list that they came in: it stays the same as long as the mounts do. */
const sortedMounts = new WeakMap<readonly ShownMountRow[], readonly ShownMountRow[]>();

function byPath(mounts: readonly ShownMountRow[]): readonly ShownMountRow[] {
  const known = sortedMounts.get(mounts);
  if (known) return known;
  const sorted = mounts.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  sortedMounts.set(mounts, sorted);
  return sorted;
}

/** Of sorted mounts those whose paths begin with a text. The root of a link asks for each of its thousand. */
function beginningWith(sorted: readonly ShownMountRow[], text: string): readonly ShownMountRow[] {
  let [first, end] = [0, sorted.length];
  while (first < end) {
    const middle = (first + end) >>> 1;
    if ((sorted[middle]?.path ?? "") < text) first = middle + 1;
    else end = middle;
  }
  while (sorted[end]?.path.startsWith(text)) end += 1;
  return sorted.slice(first, end);
}

/** Of parts of storages those that no other one holds: of mounts that show one storage one will do. */
export function outermost(spans: readonly Span[]): Span[] {
  // What begins with the folder of one follows it; of one folder that comes first in which nothing is left out.
  const sorted = spans.toSorted((one, other) => {
    const [name, another] = [one.mount.storage, other.mount.storage];
    if (name !== another) return name < another ? -1 : 1;
    if (one.folder !== other.folder) return one.folder < other.folder ? -1 : 1;
    return one.except.length - other.except.length;
  });
  const kept = new Set<Span>();
  let whole: Span | undefined;
  for (const span of sorted) {
    if (whole?.mount.storage === span.mount.storage && span.folder.startsWith(whole.folder)) continue;
    if (span.except.length === 0) whole = span;
    kept.add(span);
  }
  return spans.filter((span) => kept.has(span));
}

/**
 * The tree as one caller sees it: which mounts stand where. One that the caller does not see hides what lies behind it all the
 * same, or what was written there would be somewhere else once it is seen. Locks are kept by the paths of the tree itself, whose
 * mounts are `named` where the caller has another one.
 */
export function layoutOf(
  caller: TreeCaller,
  mounts: readonly ShownMountRow[],
  isVisible: (mount: ShownMountRow) => boolean = () => true,
  staging?: string,
  named?: readonly ShownMountRow[],
) {
  const seen = mounts.filter(isVisible);

  const mountOf = (path: string): ShownMountRow | undefined => innermost(mounts, path);

  const below = (path: string): ShownMountRow[] =>
    seen.filter((mount) => mount.path !== path && within(path, mount.path));

  const location = (sent: string): Location => {
    const parsed = parsePath(sent, staging);
    const mount = mountOf(composed(parsed.path));
    if (!mount || !isVisible(mount)) return { ...parsed, mount: undefined, key: "" };
    const isElsewhere = isOneFile(mount) && (parsed.folder || composed(parsed.path) !== mount.path);
    if (isElsewhere) return { ...parsed, mount: undefined, key: "" };
    const key = keyAt(mount, parsed.path);
    return { ...parsed, path: pathIn(mount, key), mount, key };
  };

  return {
    location,

    /** The mounts that the caller sees, by sort order and name. */
    mounts: seen,

    /** Whether folders or mounts that the caller may reach lie below, so that a path above all mounts is a folder. */
    leadsOn: ({ path }: Location): boolean => path === "/" || below(composed(path)).length > 0,

    /** All paths at which mounts show what lies at a location, its own first, composed: locks at any of them hold for it. */
    paths({ path, mount, key }: Location): string[] {
      const all = named ?? mounts;
      const showing = all.filter((other) => other.is_active === 1 && mount?.bucket === other.bucket);
      const others = showing.flatMap((other) => {
        const another = composed(pathIn(other, key));
        return other.id !== mount?.id && innermost(all, another)?.id === other.id ? [another] : [];
      });
      return named ? others : [composed(path), ...others];
    },

    /** Whether a mount stands at the path itself. */
    isMount: ({ mount, path }: Location): boolean => mount !== undefined && composed(path) === mount.path,

    /** Whether mounts stand at the path or below it. */
    holdsMounts: ({ path }: Location): boolean => mounts.some((mount) => within(composed(path), mount.path)),

    /** Names in a folder at which mounts stand that the caller does not see. */
    hidden({ path }: Location): ReadonlySet<string> {
      const folder = composed(path);
      const unseen = mounts.filter((mount) => !isVisible(mount) && parentOf(mount.path) === folder);
      return new Set(unseen.map((mount) => nameOf(mount.path)));
    },

    /** What a folder shows because it leads to mounts: names with the mount that stands there, if one does. */
    children({ path }: Location): Map<string, ShownMountRow | undefined> {
      const folder = composed(path);
      return namesIn(folder, below(folder));
    },

    /** For a folder above a key's base path: the one name that leads there; undefined for what the key may act on. */
    branch({ path }: Location): string | undefined {
      const folder = composed(path);
      if (caller.kind !== "key" || mayTouch(caller, folder)) return undefined;
      if (!maySee(caller, folder)) throw new Failure("path.forbidden");
      return caller.basePath.split("/")[folder === "/" ? 1 : folder.split("/").length];
    },

    /** 403 path.forbidden for what is not the caller's to act on. */
    requireInBasePath({ path }: Location): void {
      if (!mayTouch(caller, composed(path))) throw new Failure("path.forbidden");
    },

    /** The parts of storages that a folder consists of, in the order of their mounts' paths; only what the caller may act on. */
    spans(location: Location): Span[] {
      const folder = composed(location.path);
      const inner = below(folder).filter((mount) => mayTouch(caller, mount.path));
      const within_ = (mount: ShownMountRow, key: string): Span => {
        const inside = `${composed(pathIn(mount, key))}/`;
        const except = beginningWith(byPath(mounts), inside);
        return { mount, folder: key, except: except.map(({ path }) => `${path.slice(inside.length)}/`) };
      };
      const own = location.mount ? [within_(location.mount, folderKeyOf(location))] : [];
      return [...own, ...inner.map((mount) => within_(mount, mount.root ?? ""))].sort((one, other) =>
        one.mount.path < other.mount.path ? -1 : 1,
      );
    },
  };
}

export type Layout = ReturnType<typeof layoutOf>;
