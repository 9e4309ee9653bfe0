import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type FsHit, fs } from "#contract/fs/fs";
import { SEARCH_PAGE } from "#contract/limits";
import { call } from "../../../api/call.ts";

export const scopes = ["global", "mount", "directory"] as const;
export type Scope = (typeof scopes)[number];

/** What is looked for, and where: in all mounts, in that of a folder, or in the folder and below. */
export interface Question {
  readonly query: string;
  readonly scope: Scope;
  readonly folder: string;
}

/** The answers to a question, page by page; idle without one. */
export function useSearch(question: Question | undefined) {
  return useInfiniteQuery({
    queryKey: ["tree", "search", question],
    enabled: question !== undefined,
    // While somebody types on, what was found stays until the next is there.
    placeholderData: keepPreviousData,
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) => {
      const { query: q, scope, folder } = question ?? { query: "", scope: "global", folder: "/" };
      const place = scope === "global" ? {} : { path: folder };
      const at = { limit: SEARCH_PAGE, offset: pageParam };
      return (await call(fs.search, { query: { q, scope, ...place, ...at }, signal })).data;
    },
    getNextPageParam: (last, pages) =>
      last.hasMore ? pages.reduce((sum, { results }) => sum + results.length, 0) : undefined,
  });
}

const none: readonly FsHit[] = [];

/** Of a question for all files what lies in the folder on view and below: that is mostly what was meant. */
export function useSearchNear({ query: q, scope, folder }: Question): readonly FsHit[] {
  const { data } = useQuery({
    queryKey: ["tree", "search", "near", folder, q],
    enabled: scope === "global" && folder !== "/",
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await call(fs.search, { query: { q, scope: "directory", path: folder, limit: NEAR }, signal })).data.results,
  });
  return scope === "global" && folder !== "/" ? (data ?? none) : none;
}

/** How many of them come first. */
const NEAR = 5;
