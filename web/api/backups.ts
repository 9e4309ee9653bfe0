import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { backups } from "#contract/backups";
import { adminKeys } from "./admin-query-keys.ts";
import { call } from "./call.ts";

/** Milliseconds between two looks at a backup that runs. */
const LOOK_EVERY = 2000;

/** What became of backups. Asked again and again while one runs. */
export const useBackups = () =>
  useQuery({
    queryKey: adminKeys.backups,
    queryFn: async ({ signal }) => (await call(backups.status, { signal })).data,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.running_since ? LOOK_EVERY : false),
  });

/** Begins a backup. */
export function useStartBackup() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => (await call(backups.start)).data,
    onSuccess: (status) => queries.setQueryData(adminKeys.backups, status),
    onError: () => queries.invalidateQueries({ queryKey: adminKeys.backups }),
  });
}
