import { Failure } from "#contract/failures";
import type { SearchScope } from "#contract/fs/fs";
import { parentOf, TRASH } from "#contract/paths";
import { unforeseen } from "../lib/log.ts";
import { typeOfName } from "../lib/mime.ts";
import type { Hit } from "../search/index.ts";
import { foldName, parseWords } from "../search/letters.ts";
import type { ObjectStore, Place } from "../stores/store.ts";
import type { ResolvedPath, ResolvePath, TreeDeps } from "./access.ts";
import { type Entry, fileEntry, folderEntry, isMounted } from "./entry.ts";
import { isOneFile, outermost, pathIn, type Span, shows } from "./layout.ts";
import type { ShownMountRow } from "./mounts-table.ts";
import { describe } from "./read.ts";

/** What is searched for, and where. */
export interface SearchRequest {
  readonly query: string;
  readonly scope: SearchScope;
  readonly mount?: string | undefined;
  readonly path?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

export interface FoundName {
  readonly entry: Entry;
  readonly mount: ShownMountRow;
  readonly key: string;
}

export interface FoundNames {
  readonly results: readonly FoundName[];
  readonly total: number;
  /** Whether `total` is all there are. */
  readonly exact: boolean;
  readonly more: boolean;
  /** Mounts that were searched. */
  readonly mounts: number;
}

/** Finds names that contain the query, among those that the caller may act on. 400 query.invalid; 404 mount.none, mount.missing. */
export async function searchTree(resolve: ResolvePath, request: SearchRequest): Promise<FoundNames> {
  const at = await scopeOf(resolve, request);
  const fitting = itemsThatFit(at, request.query);
  const { offset, limit } = request;
  const items = (await Promise.all(fitting.slice(offset, offset + limit).map((mount) => itemAt(at, mount)))).flat();
  const asked = Math.min(limit, Math.max(0, fitting.length - offset));
  const rest = { ...request, offset: Math.max(0, offset - fitting.length), limit: limit - asked };
  const found = await searchIndex(at, rest);
  return {
    ...found,
    results: [...items, ...found.results],
    total: found.total + fitting.length - (asked - items.length),
    more: found.more || fitting.length > offset + limit || (rest.limit === 0 && found.total > 0),
  };
}

/** What stands at the root of a link and has all words in the name that it has there: no index knows that name. */
function itemsThatFit({ caller, layout, location }: ResolvedPath, query: string): ShownMountRow[] {
  const words = caller.kind === "link" && location.path === "/" ? parseWords(query)?.words : undefined;
  if (!words) return [];
  const fits = (name: string) => words.every((word) => name.includes(word));
  return layout.mounts.filter(({ path, name }) => parentOf(path) === "/" && fits(foldName(name)));
}

/** Such an item, unless nothing is there any more or its storage does not answer. */
async function itemAt(at: ResolvedPath, mount: ShownMountRow): Promise<FoundName[]> {
  try {
    const { entry } = await describe(at.at(mount.path));
    return [{ entry, mount, key: mount.root ?? "" }];
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}

/** Finds names below the folder that is searched. */
async function searchIndex({ deps, layout, location }: ResolvedPath, request: SearchRequest): Promise<FoundNames> {
  const spans = layout.spans(isMounted(location) ? await deps.lookup.spell(location) : location);
  const folders = spans.filter(({ mount }) => !isOneFile(mount));
  const wanted = outermost(folders);
  const sharesOf = await shareFolders(
    deps,
    wanted.map(({ mount }) => mount.storage),
  );
  const scopes = wanted.map(({ mount, folder, except }) => ({
    storage: mount.storage,
    folder,
    except: [...except.map((below) => folder + below), ...(folder === "" ? [TRASH] : [])],
    last: isBelow(folder, sharesOf.get(mount.storage)),
  }));
  const { query, limit, offset } = request;
  const found = await deps.search.find({ within: scopes, query, limit, offset });
  const stores = await storesOf(deps, found.hits);
  const there = await Promise.all(found.hits.map((hit) => isThere(deps, stores, hit)));
  const hits = found.hits.filter((_, index) => there[index]);
  const results = hits.flatMap((hit) => shown(hit, spans));
  return {
    results,
    total: found.total - (found.hits.length - results.length),
    exact: found.exact,
    more: found.total > offset + found.hits.length || (!found.exact && found.hits.length === limit),
    mounts: spans.length,
  };
}

/** The folders in which storages keep the files of shares: what lies there is mostly a copy of what somebody looks for. */
async function shareFolders(
  { transfers }: TreeDeps,
  storages: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const asked = [...new Set(storages)].map(
    async (id) => [id, (await transfers.storage(id)).config.default_folder] as const,
  );
  // Of one that is not to be had everything counts alike; whether its hits are shown is decided with them.
  return new Map((await Promise.allSettled(asked)).flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])));
}

/** Of a folder of shares that it lies below the one that is searched, and is not all of it. */
const isBelow = (searched: string, shares = ""): readonly string[] =>
  shares.length > searched.length && shares.startsWith(searched) ? [shares] : [];

/** The folder that is searched. */
async function scopeOf(resolve: ResolvePath, { scope, mount, path }: SearchRequest): Promise<ResolvedPath> {
  const root = resolve("/");
  if (scope === "global") return searched(root);
  if (scope === "mount" && mount !== undefined)
    return searched(root.at((await root.deps.mounts.getVisible(root.caller, mount)).path));
  if (path === undefined) throw new Failure("query.invalid", { field: scope === "mount" ? "mount_id" : "path" });
  const asked = searched(root.at(path));
  if (scope === "directory") return asked;
  if (!asked.location.mount) throw new Failure("mount.none");
  return searched(asked.at(asked.location.mount.path));
}

/** What the caller may act on of a folder: what lies below it, or the base path that it leads to. */
function searched(at: ResolvedPath): ResolvedPath {
  at.requireRight("search");
  if (at.caller.kind !== "key" || at.layout.branch(at.location) === undefined) return at;
  return at.at(at.caller.basePath);
}

/** The stores of hits, each asked for once: the failure where it is not to be had. */
type HitStores = ReadonlyMap<string, Pick<ObjectStore, "tree"> | Error>;

async function storesOf({ transfers }: TreeDeps, hits: readonly Hit[]): Promise<HitStores> {
  const storages = [...new Set(hits.map(({ storage }) => storage))];
  const found = await Promise.allSettled(storages.map((storage) => transfers.storage(storage)));
  return new Map(
    found.map((one, index) => [storages[index] ?? "", one.status === "fulfilled" ? one.value.store : one.reason]),
  );
}

/** Whether a hit is still there, where that costs next to nothing to know. */
async function isThere(deps: TreeDeps, stores: HitStores, { storage, key }: Hit): Promise<boolean> {
  const since = deps.search.moment();
  if (await mayBeThere(deps, stores, { storage, key })) return true;
  deps.search.recordMissing({ storage, key }, since);
  return false;
}

/** What cannot be looked at is as the index knows it, unless nothing in the storage may have such a key, as behind a link. */
async function mayBeThere({ log }: TreeDeps, stores: HitStores, { storage, key }: Place): Promise<boolean> {
  try {
    const store = stores.get(storage);
    if (store instanceof Error) throw store;
    return !store?.tree || (await store.tree.has(key));
  } catch (error) {
    if (error instanceof Failure) return error.code !== "path.invalid";
    log.warn("search hit check failed", { storage, ...unforeseen(error) });
    return true;
  }
}

function shown(hit: Hit, spans: readonly Span[]): FoundName[] {
  const span = spans.find((one) => shows(one, hit));
  // No path leads to a key such as `a//b`.
  if (!span || /^\/|\/\//.test(hit.key)) return [];
  const path = pathIn(span.mount, hit.key);
  const { size, modified, name } = hit;
  const entry =
    hit.kind === "folder"
      ? folderEntry(path, { size })
      : fileEntry(path, { key: hit.key, size, modified: modified ?? 0, etag: "", type: typeOfName(name) });
  return [{ entry, mount: span.mount, key: hit.key }];
}
