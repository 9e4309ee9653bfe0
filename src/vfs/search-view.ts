import { Failure } from "#contract/failures";
import type { SearchScope } from "#contract/fs";
import { unforeseen } from "../lib/log.ts";
import { typeOfName } from "../lib/mime.ts";
import type { Hit } from "../search/index.ts";
import type { Access, Reached } from "./access.ts";
import { type Entry, fileEntry, folderEntry } from "./entry.ts";
import { pathIn, type Span, shows } from "./layout.ts";
import { isMounted } from "./lookup.ts";
import type { ShownMountRow } from "./mounts-table.ts";

/** What is searched for, and where. */
interface SearchRequest {
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

interface FoundNames {
  readonly results: readonly FoundName[];
  readonly total: number;
  /** Whether `total` is all there are. */
  readonly exact: boolean;
  readonly more: boolean;
  /** Mounts that were searched. */
  readonly mounts: number;
}

/** Search by name, of what the caller may act on. */
export function createSearchView({ room, caller, at, touch }: Access) {
  const { search, transfers, mounts, lookup, log } = room;
  const base = caller.kind === "admin" ? "/" : caller.basePath;

  /** What the caller may act on of a folder: what lies below it, or the base path that it leads to. */
  const reached = async (path: string): Promise<Reached> => {
    const above = await at("search", path);
    return above.layout.branch(above.location) === undefined ? above : await touch("search", base);
  };

  const place = async ({ scope, mount, path }: SearchRequest): Promise<Reached> => {
    if (scope === "global") return await reached("/");
    if (scope === "mount" && mount !== undefined) return await reached((await mounts.getVisible(caller, mount)).path);
    if (path === undefined) throw new Failure("query.invalid", { field: scope === "mount" ? "mount_id" : "path" });
    const asked = await reached(path);
    if (scope === "directory") return asked;
    if (!asked.location.mount) throw new Failure("mount.none");
    return await reached(asked.location.mount.path);
  };

  /** Whether it is still there, where that costs next to nothing to know. */
  const isThere = async ({ storage, key }: Hit): Promise<boolean> => {
    const since = search.moment();
    if (await mayBeThere(storage, key)) return true;
    search.recordMissing({ storage, key }, since);
    return false;
  };

  /** What cannot be looked at is as the index knows it, unless nothing in the storage may have such a key, as behind a link. */
  const mayBeThere = async (storage: string, key: string): Promise<boolean> => {
    try {
      const { store } = await transfers.storage(storage);
      return !store.tree || (await store.head(key)) !== undefined;
    } catch (error) {
      if (error instanceof Failure) return error.code !== "path.invalid";
      log.warn("hit not looked at", { storage, ...unforeseen(error) });
      return true;
    }
  };

  const shown = (hit: Hit, spans: readonly Span[]): FoundName[] => {
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
  };

  return {
    /** Names that contain what is searched for. 400 query.invalid; 404 mount.none, mount.missing. */
    async search(request: SearchRequest): Promise<FoundNames> {
      const { layout, location } = await place(request);
      const spans = layout.spans(isMounted(location) ? await lookup.spell(location) : location);
      const scopes = spans
        // Of mounts that show one storage one will do.
        .filter((span, index) => !spans.slice(0, index).some((one) => covers(one, span)))
        .map(({ mount, folder, except }) => ({ storage: mount.storage, folder, except }));
      const { query, limit, offset } = request;
      const found = await search.find({ within: scopes, query, limit, offset });
      const there = await Promise.all(found.hits.map(isThere));
      const hits = found.hits.filter((_, index) => there[index]);
      return {
        results: hits.flatMap((hit) => shown(hit, spans)),
        total: found.total - (found.hits.length - hits.length),
        exact: found.exact,
        more: found.total > offset + found.hits.length || (!found.exact && found.hits.length === limit),
        mounts: spans.length,
      };
    },
  };
}

const covers = (one: Span, other: Span): boolean =>
  one.mount.storage === other.mount.storage && other.folder.startsWith(one.folder) && one.except.length === 0;
