import { queryOptions, useQuery } from "@tanstack/react-query";
import { DEFAULT_MAX_UPLOAD_MB } from "#contract/limits";
import { storage } from "#contract/storage";
import { system } from "#contract/system";
import { call } from "./call.ts";
import { storageKeys } from "./query-keys.ts";

/** The storages that this person may upload to, the default one first; `enabled` when it is known that they may. */
export const useStorages = (enabled: boolean) => useQuery({ ...storagesQuery, enabled });

/** The same list for every caller. */
export const storagesQuery = queryOptions({
  queryKey: storageKeys.all,
  queryFn: async ({ signal }) => (await call(storage.list, { signal })).data,
});

const BYTES_PER_MB = 1024 * 1024;

interface UploadLimit {
  /** Bytes, for display; undefined while unknown. */
  readonly bytes: number | undefined;
  /** Whether the server said so, which is the only reason to refuse a file. */
  readonly known: boolean;
}

/** The cache key of the largest file that may be uploaded. */
export const uploadLimitKey = ["max upload size"] as const;

/** The largest file that may be uploaded, as currently set by the administrator. */
export function useUploadLimit(): UploadLimit {
  const { data, isError } = useQuery({
    queryKey: uploadLimitKey,
    queryFn: async ({ signal }) => (await call(system.maxUploadSize, { signal })).data.max_upload_size,
    // A cheap request, repeated each time so that changes made elsewhere show.
    staleTime: 0,
    // Not told without a network, it is asked for when there is one.
    refetchOnReconnect: true,
  });
  const shown = data ?? (isError ? DEFAULT_MAX_UPLOAD_MB : undefined);
  return { bytes: shown === undefined ? undefined : shown * BYTES_PER_MB, known: data !== undefined };
}
