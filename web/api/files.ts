import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { CallInput } from "#contract/endpoint";
import { type FileChange, files } from "#contract/files";
import { call } from "./call.ts";
import { isFailure } from "./failure.ts";
import { fileKeys } from "./query-keys.ts";

/** One page of the list of files; the previous page stays visible while the next one loads. */
export const useFileList = (query: NonNullable<CallInput<typeof files.list>["query"]>, enabled = true) =>
  useQuery({
    queryKey: fileKeys.list(query),
    queryFn: async ({ signal }) => (await call(files.list, { query, signal })).data,
    placeholderData: keepPreviousData,
    enabled,
  });

/** One file for its owner, as it is now; spends no view. */
export const readFile = async (id: string, signal?: AbortSignal) =>
  (await call(files.read, { params: { id }, ...(signal ? { signal } : {}) })).data;

/** One file for its owner; spends no view. Always requested again, because it is about to be edited. */
export const useFile = (id: string) =>
  useQuery({
    queryKey: fileKeys.whole(id),
    queryFn: ({ signal }) => readFile(id, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

function useFileMutation<Input, Output>(act: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: fileKeys.lists });
  return useMutation({ mutationFn: act, onSuccess: refresh });
}

/** Changes a file share. */
export const useUpdateFile = () =>
  useFileMutation(async ({ id, change }: { id: string; change: FileChange }) => {
    return (await call(files.update, { params: { id }, body: change })).data;
  });

/** Which shares to delete, and whether their files stay where they are. */
interface FileRemoval {
  readonly ids: string[];
  readonly keepFiles?: boolean;
}

/** Deletes file shares; returns how many, and which could not be deleted. */
export const useDeleteFiles = () =>
  useFileMutation(async ({ ids, keepFiles = false }: FileRemoval) => {
    try {
      return (await call(files.remove, { body: { ids, delete_mode: keepFiles ? "record_only" : "both" } })).data;
    } catch (error) {
      // Nothing could be deleted: each file has its own reason.
      if (!isFailure(error) || error.failed.length === 0) throw error;
      return { success: 0, failed: error.failed };
    }
  });
