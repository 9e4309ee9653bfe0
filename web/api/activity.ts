import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { type ActivityLog, activity } from "#contract/activity";
import { REQUEST_TIMEOUT } from "#contract/limits";
import { saveFile } from "../lib/save-file.ts";
import { address, apiBase, call, failureOf } from "./call.ts";
import { activityKeys } from "./query-keys.ts";
import { exchange } from "./transport/exchange.ts";
import { ownHeaders } from "./transport/own-headers.ts";

/** What has a log. */
export interface ActivitySubject {
  readonly kind: "paste" | "file" | "link";
  readonly id: string;
}

/** The log of a text, a file or a link, page by page, as it is at this moment. */
export const useActivity = ({ kind, id }: ActivitySubject) =>
  useInfiniteQuery({
    queryKey: activityKeys.of(kind, id),
    queryFn: async ({ pageParam, signal }): Promise<ActivityLog> => {
      const input = { params: { id }, query: pageParam === null ? {} : { before: pageParam }, signal };
      return (await call(activity[kind], input)).data;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  });

/** Saves the whole log as a file. */
export const useSaveActivity = ({ kind, id }: ActivitySubject, slug: string) =>
  useMutation({
    mutationFn: async (): Promise<void> => {
      const { response, text } = await exchange({
        url: apiBase() + address(activity[kind].path, { params: { id }, query: { format: "csv" } }),
        request: { method: "GET", headers: ownHeaders(), body: null },
        patience: REQUEST_TIMEOUT,
        signal: undefined,
      });
      if (!response.ok) throw failureOf(response, text);
      // Reading it has taken the mark away that tells Excel how it is encoded.
      saveFile(`${slug}-log.csv`, new Blob([`\uFEFF${text}`], { type: "text/csv;charset=utf-8" }));
    },
  });

/** Deletes all logs of everything; returns how many entries they had. */
export function useClearActivity() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => (await call(activity.clear)).data.deleted,
    onSuccess: () => queries.invalidateQueries({ queryKey: activityKeys.all }),
  });
}
