import { type QueryClient, useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { fs } from "#contract/fs/fs";
import { MAX_LIST_PAGE } from "#contract/limits";
import { parentOf } from "#contract/paths";
import { isFailure } from "../../../api/failure.ts";
import { credential } from "../../../api/session/credential.ts";
import { treeKeys } from "../../../api/tree-query-keys.ts";
import { useLanguage } from "../../../i18n/i18n.ts";
import { bare } from "../../../lib/folder-path.ts";
import { useTree } from "../tree.ts";
import type { Entry } from "./entry.ts";
import { createNameOrder, ordered, type Sort } from "./order.ts";
import { type Moved, placesByStart } from "./outcome.ts";
import { named } from "./tree-calls.ts";

/** Entries of the first page, which should load at once; the other pages are as large as possible. */
const FIRST = 500;

const none: readonly Entry[] = [];

/** Returns what has been loaded of a folder. */
export function useListing(folder: string, sort: Sort | undefined, enabled: boolean) {
  const language = useLanguage();
  const { call, link } = useTree();
  /** The next request bypasses the server's cache. */
  const anew = useRef(false);
  const query = useInfiniteQuery({
    queryKey: treeKeys.list(folder),
    queryFn: async ({ pageParam, signal }) => {
      const page = pageParam === "" ? { limit: FIRST } : { limit: MAX_LIST_PAGE, cursor: pageParam };
      const refresh = anew.current ? { refresh: "true" } : {};
      return (await call(fs.list, { query: { path: folder, ...page, ...refresh }, signal })).data;
    },
    initialPageParam: "",
    getNextPageParam: ({ next_cursor }) => next_cursor,
    enabled,
    // Comparing a hundred thousand entries would take too long.
    structuralSharing: false,
  });
  const { data, error, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage, refetch } = query;

  useEffect(() => {
    // The key may have got another base path, so its session is checked.
    if (!link && isFailure(error, "path.forbidden")) credential.markStale();
  }, [error, link]);

  useEffect(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);

  const pages = data?.pages;
  const sorter = useMemo(() => createNameOrder(language), [language]);
  const named = useMemo(() => (pages ? sorter(pages.map(({ items }) => items)) : none), [pages, sorter]);
  const entries = useMemo(() => ordered(named, sort), [named, sort]);
  const order = useMemo(() => entries.map(({ path }) => path), [entries]);

  const renew = useCallback(() => refetch({ cancelRefetch: false }), [refetch]);
  const refresh = useCallback(async () => {
    anew.current = true;
    await refetch().finally(() => {
      anew.current = false;
    });
  }, [refetch]);

  const first = pages?.[0];
  return {
    folder,
    entries,
    /** The paths of the entries in the order shown. */
    order,
    /** Nothing has loaded yet. */
    waiting: first === undefined && !error,
    /** More is being loaded. */
    arriving: hasNextPage && !error,
    /** Loading the rest has failed. */
    stopped: first !== undefined && error !== null && !hasGone(error),
    /** It was there, and is not any more, or not for this person. */
    gone: hasGone(error),
    error,
    /** What it shows at least, as the server numbers changes; that of its oldest page. */
    version: first?.version,
    loading: isFetching,
    /** It only leads to mounts. */
    virtual: first?.isVirtual ?? false,
    mount: first?.mount_id,
    /** A README is to be shown below the list. */
    readme: first?.readme === true,
    /** Days that what is deleted here stays in the trash. */
    trashDays: first?.trash_days ?? 0,
    /** Storages that did not answer. */
    troubles: first?.troubles ?? [],
    refresh,
    /** Loads it again, unless it is just being loaded; what the server keeps of its storage will do. */
    renew,
    /** Requests again what failed to load. */
    retry: () => (isFetchNextPageError ? fetchNextPage() : refetch()),
  };
}

/** Whether a folder that was shown is to be shown no longer. */
const hasGone = (error: unknown): boolean =>
  (["path.missing", "mount.none", "path.forbidden", "auth.forbidden"] as const).some((code) => isFailure(error, code));

export type Listing = ReturnType<typeof useListing>;

/** Waits for an answer about an entry. If the entry no longer exists, its folder is reloaded. Throws ApiFailure. */
export async function orRenew<Answer>(queries: QueryClient, path: string, answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (isFailure(error, "path.missing")) void renew(queries, parentOf(bare(path)));
    throw error;
  }
}

/** Marks folders as changed, so that they are reloaded as soon as they are shown. */
export async function renew(queries: QueryClient, ...folders: readonly string[]): Promise<void> {
  const all = [...new Set(folders.map(bare))];
  const keys = all.flatMap((folder) => [treeKeys.list(folder), treeKeys.folders(folder)]);
  await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
}

interface Page {
  readonly items: readonly Entry[];
}

/** Shows what has moved away, been renamed or been deleted (moved to where it was) before its folder is loaded again, which takes long for a large one. */
export function showMoved(queries: QueryClient, moves: readonly Moved[]): void {
  const places = placesByStart(moves);
  for (const folder of new Set([...places.keys()].map((path) => parentOf(bare(path)))))
    queries.setQueryData<{ readonly pages: readonly Page[] }>(treeKeys.list(folder), (list) => {
      const pages = list?.pages.map((page) => withMoved(page, folder, places));
      return list && pages ? { ...list, pages } : list;
    });
}

/** A page of a listing, the same where nothing of it has moved. */
function withMoved(page: Page, folder: string, places: ReadonlyMap<string, string>): Page {
  if (!page.items.some(({ path }) => places.has(path))) return page;
  const items = page.items.flatMap((item) => {
    const place = places.get(item.path);
    if (place === undefined) return [item];
    const stays = place !== item.path && parentOf(bare(place)) === folder;
    return stays ? [{ ...item, path: place, name: named(place) }] : [];
  });
  return { ...page, items };
}
