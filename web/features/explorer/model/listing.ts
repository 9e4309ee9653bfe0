import { type QueryClient, useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { fs } from "#contract/fs";
import { MAX_LIST_PAGE } from "#contract/limits";
import { parentOf } from "#contract/paths";
import { call } from "../../../api/call.ts";
import { credential } from "../../../api/credential.ts";
import { isFailure } from "../../../api/failure.ts";
import { treeKeys } from "../../../api/tree-keys.ts";
import { useLanguage } from "../../../i18n/i18n.ts";
import { bare } from "../../../lib/folder-path.ts";
import type { Entry } from "./entry.ts";
import { createNameOrder, ordered, type Sort } from "./order.ts";

/** Entries of the first page, which is to be there at once; the rest comes behind it in pages as large as they may be. */
const FIRST = 500;

const none: readonly Entry[] = [];

/** What is in a folder, as far as it has come. */
export function useListing(folder: string, sort: Sort | undefined, enabled: boolean) {
  const language = useLanguage();
  /** The next question is to reach the storages, whatever the server has kept. */
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
    // A hundred thousand entries are not compared with each other.
    structuralSharing: false,
  });
  const { data, error, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage, refetch } = query;

  useEffect(() => {
    // Another base path was given to the key: its session is asked for it.
    if (isFailure(error, "path.forbidden")) credential.doubt();
  }, [error]);

  useEffect(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);

  const pages = data?.pages;
  const sorter = useMemo(() => createNameOrder(language), [language]);
  const named = useMemo(() => (pages ? sorter(pages.map(({ items }) => items)) : none), [pages, sorter]);
  const entries = useMemo(() => ordered(named, sort), [named, sort]);
  const order = useMemo(() => entries.map(({ path }) => path), [entries]);

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
    /** Their paths, as they are shown. */
    order,
    /** Nothing has come so far. */
    waiting: first === undefined && !error,
    /** More is on its way. */
    arriving: hasNextPage && !error,
    /** Nothing more comes, because asking failed. */
    stopped: first !== undefined && error !== null,
    error,
    /** It only leads to mounts. */
    virtual: first?.isVirtual ?? false,
    mount: first?.mount_id,
    /** Storages that did not answer. */
    troubles: first?.troubles ?? [],
    refresh,
    /** Asks again for what did not come. */
    retry: () => (first === undefined ? refetch() : fetchNextPage()),
  };
}

export type Listing = ReturnType<typeof useListing>;

/** Waits for an answer about an entry; when it is gone, whoever looks at its folder sees that, too. Throws ApiFailure. */
export async function orRenew<Answer>(queries: QueryClient, path: string, answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (isFailure(error, "path.missing")) void renew(queries, parentOf(bare(path)));
    throw error;
  }
}

/** Asks anew what is in folders that were changed, when somebody looks at them. */
export async function renew(queries: QueryClient, ...folders: readonly string[]): Promise<void> {
  const all = [...new Set(folders.map(bare))];
  await Promise.all(all.map((folder) => queries.invalidateQueries({ queryKey: treeKeys.list(folder) })));
}
