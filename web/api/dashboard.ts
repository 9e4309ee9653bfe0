import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { dashboard } from "#contract/dashboard";
import { caches, system } from "#contract/system";
import { adminKeys } from "./admin-keys.ts";
import { call } from "./call.ts";

/** What the dashboard shows. Asked anew whenever somebody comes to it: the figures are of that moment. */
export const useDashboard = () =>
  useQuery({
    queryKey: adminKeys.dashboard,
    queryFn: async ({ signal }) => (await call(dashboard.stats, { signal })).data,
    staleTime: 0,
  });

/** What is kept in memory, and the memory of the process. */
export const useCaches = () =>
  useQuery({
    queryKey: adminKeys.caches,
    queryFn: async ({ signal }) => (await call(caches.stats, { signal })).data,
    staleTime: 0,
  });

/** Forgets what is kept in memory, of one mount if one is given; gives how many entries that were. */
export function useClearCaches() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (mountId: string | undefined) => {
      const { data } = await call(caches.clear, { body: mountId === undefined ? {} : { mountId } });
      return data.clearedCount;
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: adminKeys.caches }),
  });
}

/** What runs here. */
export const useVersion = () =>
  useQuery({
    queryKey: ["version"],
    queryFn: async ({ signal }) => (await call(system.version, { signal })).data,
  });
